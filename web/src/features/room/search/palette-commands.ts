import { useState } from 'react'
import { useWords } from '../../../i18n/i18n.ts'
import { fuzzyFind } from '../../../lib/fuzzy-find.ts'
import type { IconName } from '../../../ui/icon.tsx'
import type { Choice, PaletteSource } from '../../../ui/palette-source.ts'
import { canRun, type CommandId, commands, runCommand } from '../state/commands.ts'

/** In the chat conversations and commands come before the pages. */
export const firstInChat = () => (window.location.pathname.startsWith('/chat') ? ('first' as const) : undefined)

const icons: Partial<Record<CommandId, IconName>> = {
  waiting: 'clock',
  down: 'chevronDown',
  up: 'chevronUp',
  search: 'search',
  request: 'tray',
  done: 'check',
  doneNext: 'check',
  snooze: 'moon',
  later: 'clock',
  remind: 'bell',
  unread: 'mailUnread',
  hide: 'hidden',
  undo: 'history',
  bot: 'bot',
  note: 'lock',
  memberNote: 'notebook',
  points: 'points',
  quote: 'reply',
  photo: 'image',
  panel: 'user',
  endShift: 'logout',
}

/** CONV-03: what the keys of the conversation on the screen do, with their keys. */
export const commandSource: PaletteSource = {
  name: 'palette.commands',
  rank: firstInChat,
  useChoices: (text) => {
    const { t } = useWords()
    const [offered] = useState(() => (Object.keys(commands) as CommandId[]).filter(canRun))
    const choices = offered.map((id): Choice & { content: string; memo: string } => ({
      key: `command ${id}`,
      kind: 'command',
      icon: icons[id] ?? 'bolt',
      title: t(commands[id].word),
      detail: '',
      href: '',
      run: () => void runCommand(id),
      keys: `Alt+${commands[id].key}`,
      content: '',
      memo: '',
    }))
    return { choices: fuzzyFind(choices, text) }
  },
}
