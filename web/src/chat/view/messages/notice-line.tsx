import { textFor } from '@tallyroom/contract/desk/texts'
import type { NoticeMessage } from '@tallyroom/contract/events'
import { type Translate, useWords } from '../../../i18n/i18n.ts'
import { foreignZone, showMoment } from '../../../i18n/time.ts'
import { linkedText } from './linked-text.tsx'
import { timeOf } from './time.ts'

/** A notice as it is read out. */
export const spokenNotice = (message: NoticeMessage, reader: string, t: Translate): string =>
  message.nickname
    ? t('message.said', { name: t('room.notice_from', { name: message.nickname }), text: message.content })
    : noticeText(message, reader)

/** DESK-06: a greeting or away text in the reader's language, with the time at which the desk opens. */
export const noticeText = ({ texts, language, opens }: NoticeMessage, reader: string): string => {
  const time = opens ? [showMoment(opens).slice(0, 16), foreignZone()].filter(Boolean).join(' ') : '–'
  return textFor(texts, reader, language).replaceAll('{opens}', time)
}

export const NoticeLine = ({ message }: { message: NoticeMessage }) => {
  const { t, language } = useWords()
  if (message.nickname)
    return (
      <article className="c-line c-notice">
        <b dir="auto">{t('room.notice_from', { name: message.nickname })}</b>
        {/* A new element for each text: the browser may have translated the one before. */}
        <div key={message.content} className="c-text" dir="auto" translate="yes">
          {linkedText(message.content)}
        </div>
        <time dateTime={message.created_at}>{timeOf(message.created_at)}</time>
      </article>
    )
  return (
    <p className="c-line c-notice">
      <bdi>{noticeText(message, language)}</bdi> <time dateTime={message.created_at}>{timeOf(message.created_at)}</time>
    </p>
  )
}
