import type { WordKey } from '@tallyroom/locales'
import type { IconName } from './icon.tsx'

/** One entry of the palette. */
export type Choice = {
  /** Identifies the target, whatever its title is now. */
  key: string
  kind: 'page' | 'room' | 'account'
  icon: IconName
  title: string
  detail: string
  href: string
}

/** The entries that one feature adds to the palette, for the typed text. app/office.tsx registers it. */
export type PaletteSource = {
  name: WordKey
  /** A hook. `text` is trimmed, and '' before anything is typed. */
  useChoices: (text: string) => { choices: readonly Choice[]; searching?: boolean; error?: Error | null }
}

/** Maximum entries per group: more would push the other groups out of view. */
export const MAX_CHOICES = 6
