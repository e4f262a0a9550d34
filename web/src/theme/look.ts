import { useSyncExternalStore } from 'react'
import { setStored, getStored } from '../lib/storage.ts'

export type Look = 'light' | 'dark'
export const accents = ['blue', 'teal', 'green', 'olive', 'orange', 'red', 'pink', 'violet', 'slate'] as const
export const themes = ['light', 'dark', 'system'] as const
export const sides = ['light', 'dark'] as const

/** The user's choice in the theme drawer. Unknown values in storage fall back to the defaults. */
export type Chosen = { theme: (typeof themes)[number]; accent: (typeof accents)[number]; side: (typeof sides)[number] }
const known = <T extends string>(values: readonly T[], stored: string | undefined, usual: T): T =>
  values.find((value) => value === stored) ?? usual

const read = (): Chosen => ({
  theme: known(themes, getStored('theme'), 'system'),
  accent: known(accents, getStored('accent'), 'blue'),
  side: known(sides, getStored('side'), 'light'),
})

let chosen: Chosen = { theme: 'system', accent: 'blue', side: 'light' }
const listeners = new Set<() => void>()
const bySystem = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
const now = (): Look => (chosen.theme === 'system' ? bySystem() : chosen.theme)

const show = () => {
  chosen = read()
  const page = document.documentElement
  page.dataset.theme = now()
  page.dataset.accent = chosen.accent
  // The colour of the system's frame around an installed page; read in the next frame, when the styles are computed
  // anyway.
  requestAnimationFrame(() => {
    const surface = getComputedStyle(page).getPropertyValue('--surface').trim()
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', surface)
  })
  for (const listener of listeners) listener()
}

/** Applies the stored or the system's theme and follows changes of both. Call it once, before the first render. */
export const startLook = () => {
  show()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show)
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key in chosen) show()
  })
}

export const choose = (change: Partial<Chosen>) => {
  for (const [key, value] of Object.entries(change)) setStored(key, value)
  show()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
export const useLook = (): Look => useSyncExternalStore(subscribe, now)
export const useChosen = (): Chosen => useSyncExternalStore(subscribe, () => chosen)
