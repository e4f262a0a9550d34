import type { WordKey } from '@tallyroom/locales'
import type { IconName } from './icon.tsx'

/** A line of the palette: where it leads, and how it is shown. */
export type Choice = {
  /** Identifies the target, whatever its title is now. */
  key: string
  kind: 'page' | 'room' | 'account'
  icon: IconName
  title: string
  detail: string
  href: string
}

/** What one feature adds to the palette: a group of choices for the typed text. app/office.tsx registers it. */
export type PaletteSource = {
  name: WordKey
  /** A hook. `text` is trimmed, and '' before anything is typed. */
  useChoices: (text: string) => { choices: readonly Choice[]; searching?: boolean; error?: Error | null }
}

/** More lines of one group would push the other groups out of the window. */
export const MAX_CHOICES = 6
