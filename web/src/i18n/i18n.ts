import { isLanguage, type Language, type OnlyOn, say, type WordKey, type Words } from '@tallyroom/locales'
import { useSyncExternalStore } from 'react'
import { setStored, getStored } from '../lib/storage.ts'

export type Loaders<Tables extends object = Words> = Record<Language, () => Promise<{ default: Tables }>>
/** In a light page's program the words of that page; where all pages are type-checked together, those of any page. */
type OwnLoaders = Loaders<OnlyOn extends { page: string } ? Words : object>
let loaders: OwnLoaders | undefined

/** Registers the word tables of this page. Each page loads only the words it uses. */
export const setLoaders = (own: OwnLoaders) => {
  loaders = own
  window.addEventListener('storage', follow)
}

/** Another tab has chosen a language. Without a line this one keeps its own. */
const follow = ({ key }: StorageEvent) => {
  if (key === 'locale' && language() !== loaded?.currentLanguage) setLanguage(language()).catch(() => {})
}

export type Translate = (key: WordKey, values?: Record<string, string | number>) => string

/** `say` is a new function for each language, so that values computed with it can be memoized by it. */
type LoadedLanguage = { currentLanguage: Language; say: Translate }
let loaded: LoadedLanguage | undefined
const listeners = new Set<() => void>()

let first: Language = 'en'
/** The language of a page in a browser that has none stored yet. */
export const beginIn = (unstored: Language): void => {
  first = unstored
}
export const language = (): Language => {
  const stored = getStored('locale')
  return isLanguage(stored) ? stored : first
}

/** Texts that only some pages say, once one of these pages was opened. */
const added = new Map<OwnLoaders, Promise<void>>()

const wordsOf = async (next: Language): Promise<object | undefined> => {
  const [own, ...more] = await Promise.all([loaders, ...added.keys()].map(async (tables) => await tables?.[next]()))
  return more.length === 0 ? own?.default : Object.assign({}, own?.default, ...more.map((table) => table?.default))
}

/** Adds texts to those of this page, in each language from now on. Resolves when they can be said. */
export const addWords = (own: OwnLoaders): Promise<void> => {
  const known = added.get(own)
  if (known) return known
  // Once it is in the map the language is loaded with it.
  const loading = Promise.resolve()
    .then(() => setLanguage(language()))
    .catch((error: unknown) => {
      added.delete(own)
      throw error
    })
  added.set(own, loading)
  return loading
}

/** Loads a language and renders everything in it, without a reload, so that typed text is not lost. */
export const setLanguage = async (next: Language): Promise<void> => {
  // Safe: `t` accepts only keys of these tables; type-checking each light page's program proves it (locales/pages.ts).
  const words = (await wordsOf(next)) as Words | undefined
  if (!words) throw new Error(`No words for "${next}": call setLoaders() before setLanguage()`)
  loaded = { currentLanguage: next, say: (key, values) => say(words, next, key, values) }
  setStored('locale', next)
  document.documentElement.lang = next
  for (const listener of listeners) listener()
}

/** Code outside components uses this; a component uses `useWords`. */
export const t: Translate = (key, values) => (loaded ? loaded.say(key, values) : '')

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
/** `t` returns a key's text. The component renders again when the language changes. */
export const useWords = (): { t: Translate; language: Language } => {
  useSyncExternalStore(subscribe, () => loaded)
  return { t: loaded?.say ?? t, language: loaded?.currentLanguage ?? 'en' }
}
