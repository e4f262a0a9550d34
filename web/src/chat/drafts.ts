import { tabStore } from './talk.ts'

/** What is typed and not sent, by room. */
const store = tabStore('drafts')

const all = (): Record<string, string> => {
  try {
    return JSON.parse(store.read() ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

export const draftOf = (code: string): string => all()[code] ?? ''

export const keepDraft = (code: string, text: string) => {
  const { [code]: _, ...others } = all()
  store.write(JSON.stringify(text ? { ...others, [code]: text } : others))
}
