import type { WordKey } from '@tallyroom/locales'
import { useLayoutEffect } from 'react'

type Command = {
  /** The key's position on the keyboard, pressed with Alt: with Alt some layouts type another character. */
  code: string
  /** What the key is called, after "Alt". */
  key: string
  word: WordKey
}

/** The acts on conversations that have a key (CONV-03), in the order of the list of keys. */
export const commands = {
  waiting: { code: 'KeyN', key: 'N', word: 'keys.waiting' },
  down: { code: 'ArrowDown', key: '↓', word: 'keys.down' },
  up: { code: 'ArrowUp', key: '↑', word: 'keys.up' },
  search: { code: 'KeyK', key: 'K', word: 'keys.search' },
  take: { code: 'KeyT', key: 'T', word: 'keys.take' },
  request: { code: 'KeyY', key: 'Y', word: 'keys.request' },
  done: { code: 'KeyD', key: 'D', word: 'desk.done' },
  doneNext: { code: 'KeyJ', key: 'J', word: 'keys.done_next' },
  handOver: { code: 'KeyO', key: 'O', word: 'desk.hand_over' },
  snooze: { code: 'KeyB', key: 'B', word: 'later.snooze' },
  later: { code: 'KeyE', key: 'E', word: 'later.send_later' },
  remind: { code: 'KeyC', key: 'C', word: 'later.remind' },
  unread: { code: 'KeyU', key: 'U', word: 'chat.mark_unread' },
  hide: { code: 'KeyH', key: 'H', word: 'chat.hide' },
  undo: { code: 'KeyZ', key: 'Z', word: 'action.undo' },
  bot: { code: 'KeyA', key: 'A', word: 'keys.bot' },
  note: { code: 'KeyW', key: 'W', word: 'desk.whisper' },
  memberNote: { code: 'KeyM', key: 'M', word: 'panel.add_note' },
  points: { code: 'KeyP', key: 'P', word: 'room.points' },
  quote: { code: 'KeyQ', key: 'Q', word: 'keys.quote' },
  photo: { code: 'KeyG', key: 'G', word: 'message.add_image' },
  file: { code: 'KeyL', key: 'L', word: 'message.add_file' },
  voice: { code: 'KeyV', key: 'V', word: 'message.record' },
  flow: { code: 'KeyR', key: 'R', word: 'flow.title' },
  state: { code: 'KeyS', key: 'S', word: 'keys.state' },
  endShift: { code: 'KeyX', key: 'X', word: 'shift.title' },
  panel: { code: 'KeyI', key: 'I', word: 'panel.title' },
} as const satisfies Record<string, Command>

export type CommandId = keyof typeof commands

const running = new Map<CommandId, () => void>()

/** Whether what is on the screen offers the command now. */
export const canRun = (id: CommandId): boolean => running.has(id) || buttonOf(id) !== undefined

/** Runs a command, if what is on the screen offers it now. */
export const runCommand = (id: CommandId): boolean => {
  const run = running.get(id) ?? buttonOf(id)
  run?.()
  return run !== undefined
}

/** A command without a function of its own presses its button, such as "Undo" of a snackbar. */
const buttonOf = (id: CommandId) => {
  const button = document.querySelector<HTMLElement>(`[data-key="${id}"]:not(:disabled)`)
  return button ? () => button.click() : undefined
}

/** Offers a command while the component is on the screen; undefined while it cannot be run. */
export const useCommand = (id: CommandId, run: (() => void) | undefined) => {
  // Without a list of dependencies: the function of the last render is the one that runs. In a layout effect: a key that
  // follows at once would still run the command of the room before.
  useLayoutEffect(() => {
    if (!run) return
    running.set(id, run)
    return () => {
      if (running.get(id) === run) running.delete(id)
    }
  })
}

/** Props of a button that runs a command: its tooltip names the key. */
export const commandTip = (id: CommandId, word: string) => ({
  'data-tip': `${word} (Alt+${commands[id].key})`,
  'aria-keyshortcuts': `Alt+${commands[id].code.replace('Key', '')}`,
})
