/** DESK-06: what the server writes after a message of a member: while the desk is open, and while it is closed. */
export const noticeKinds = ['greeting', 'away'] as const
export type NoticeKind = (typeof noticeKinds)[number]

export const MAX_NOTICE = 1000

type Texts = Readonly<Record<string, string>>

/** The text for a reader: in its language, else in that of the group, else in English. Empty if there is none. */
export const textFor = (texts: Texts, language: string, groupLanguage: string): string =>
  texts[language] ?? texts[groupLanguage] ?? texts.en ?? Object.values(texts)[0] ?? ''
