import { setStored, getStored } from '../lib/storage.ts'

export type ColourScheme = 'light' | 'dark'
export const accents = ['blue', 'teal', 'green', 'olive', 'orange', 'red', 'pink', 'violet', 'slate'] as const
export const themes = ['light', 'dark', 'system'] as const
export const sides = ['light', 'dark'] as const

/** The user's choice in the theme drawer. Unknown values in storage fall back to the defaults. */
export type ThemeSettings = {
  theme: (typeof themes)[number]
  accent: (typeof accents)[number]
  side: (typeof sides)[number]
}
const validOr = <T extends string>(values: readonly T[], stored: string | undefined, fallback: T): T =>
  values.find((value) => value === stored) ?? fallback

const read = (): ThemeSettings => ({
  theme: validOr(themes, getStored('theme'), 'system'),
  accent: validOr(accents, getStored('accent'), 'blue'),
  side: validOr(sides, getStored('side'), 'light'),
})

let settings: ThemeSettings = { theme: 'system', accent: 'blue', side: 'light' }
const listeners = new Set<() => void>()
const systemScheme = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
export const currentScheme = (): ColourScheme => (settings.theme === 'system' ? systemScheme() : settings.theme)

const apply = () => {
  settings = read()
  const page = document.documentElement
  page.dataset.theme = currentScheme()
  page.dataset.accent = settings.accent
  // The colour of the system's frame around an installed page; read in the next frame, when the styles are computed
  // anyway.
  requestAnimationFrame(() => {
    const surface = getComputedStyle(page).getPropertyValue('--surface').trim()
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', surface)
  })
  for (const listener of listeners) listener()
}

/** Applies the stored or the system's theme and follows changes of both. Call it once, before the first render. */
export const startTheme = () => {
  apply()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply)
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key in settings) apply()
  })
}

export const saveTheme = (part: Partial<ThemeSettings>) => {
  for (const [key, value] of Object.entries(part)) setStored(key, value)
  apply()
}

/** Calls back after each change. Returns what ends it. */
export const followTheme = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
export const currentTheme = (): ThemeSettings => settings
