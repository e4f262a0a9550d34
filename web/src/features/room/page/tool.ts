import type { IconName } from '../../../ui/icon.tsx'
import type { LinkOptions } from '@tanstack/react-router'

/** An action on a room: an icon button in the room's header, an item of the menu on a small screen. */
export type Tool = {
  icon: IconName
  word: string
  busy?: boolean
  /** The keyboard shortcut that runs it (shortcuts.tsx). */
  key?: string
} & ({ press: () => void; link?: never } | { link: LinkOptions & { target?: '_blank' } })
