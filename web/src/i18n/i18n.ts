import { isLanguage, type Language, type OnlyOn, say, type WordKey, type Words } from '@tallyroom/locales'
import { useSyncExternalStore } from 'react'
import { setStored, getStored } from '../lib/storage.ts'

export type Loaders<Tables extends object = Words> = Record<Language, () => Promise<{ default: Tables }>>
/** In the program of a light page its own tables; where all pages are checked together, those of any. */
type OwnLoaders = Loaders<OnlyOn extends { page: string } ? Words : object>
let loaders: OwnLoaders | undefined

/** Each page has the tables that it needs, and no larger ones. */
export const setLoaders = (own: OwnLoaders) => {
  loaders = own
}

export type Translate = (key: WordKey, values?: Record<string, string | number>) => string

/** `say` is another function in each language, so that what is made with it can be kept until then. */
type LoadedLanguage = { currentLanguage: Language; say: Translate }
let spoken: LoadedLanguage | undefined
const listeners = new Set<() => void>()

export const language = (): Language => {
  const stored = getStored('locale')
  return isLanguage(stored) ? stored : 'en'
}

/** Loads a language and shows it everywhere; nothing typed is lost, for nothing is loaded anew. */
export const setLanguage = async (next: Language): Promise<void> => {
  // `t` takes only keys of these tables: the program of each light page checks that (locales/pages.ts).
  const words = (await loaders?.[next]())?.default as Words | undefined
  if (!words) throw new Error('nothing was said to speak from')
  spoken = { currentLanguage: next, say: (key, values) => say(words, next, key, values) }
  setStored('locale', next)
  document.documentElement.lang = next
  for (const tell of listeners) tell()
}

/** Words outside of components; inside use `useWords`. */
export const t: Translate = (key, values) => (spoken ? spoken.say(key, values) : '')

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
/** `t` says a key's words; the component is drawn again when the language changes. */
export const useWords = (): { t: Translate; language: Language } => {
  useSyncExternalStore(subscribe, () => spoken)
  return { t: spoken?.say ?? t, language: spoken?.currentLanguage ?? 'en' }
}
