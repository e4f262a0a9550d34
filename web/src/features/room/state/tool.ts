import type { IconName } from '../../../ui/icon.tsx'
import type { LinkOptions } from '@tanstack/react-router'
import type { CommandId } from './commands.ts'

/** An act on a room: an icon button in the room's header, or an item of its menu. */
export type Tool = {
  icon: IconName
  word: string
  busy?: boolean
  /** The command that runs it too. */
  command?: CommandId
  /** The command is offered by another part of the page. */
  isOffered?: boolean
  /** Shown in the header on a wide screen; all others are in the menu. */
  inHeader?: boolean
} & ({ press: () => void; link?: never } | { press?: never; link: LinkOptions & { target?: '_blank' } })
