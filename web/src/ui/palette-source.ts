import type { WordKey } from '@tallyroom/locales'
import type { ReactNode } from 'react'
import type { IconName } from './icon.tsx'

/** One entry of the palette. */
export type Choice = {
  /** Identifies the target, whatever its title is now. */
  key: string
  kind: 'page' | 'room' | 'account' | 'command' | 'transfer' | 'act'
  icon: IconName
  title: string
  detail: string
  href: string
  /** Runs after the palette has closed and given the focus back, in place of opening `href`. */
  run?: () => void
  /** A drawer or dialog over the page, in place of opening `href`. */
  opens?: (onClose: () => void) => ReactNode
  /** The key that does the same. */
  keys?: string
}

/** The entries that one feature adds to the palette, for the typed text. app/office.tsx registers it. */
export type PaletteSource = {
  name: WordKey
  /** Where its group is while something is typed; undefined is beside the pages. A group that loads late is last. */
  rank?: () => 'first' | 'last' | undefined
  /** A hook. `text` is trimmed, and '' before anything is typed. */
  useChoices: (text: string) => { choices: readonly Choice[]; searching?: boolean; error?: Error | null }
}

/** Maximum entries per group: more would push the other groups out of view. */
export const MAX_CHOICES = 6
