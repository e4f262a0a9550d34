import type { RoomSummary } from '@tallyroom/contract/events'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { rooms } from '../../chat/talk.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { isMac } from '../../ui/is-mac.ts'
import { useWords } from '../../words.ts'
import { orderOfList } from './filter.ts'

/** The keys of the talk. Letters by their place on the keyboard: with Alt held some keyboards write something else. */
const shortcuts = [
  { keys: 'Alt + ↓', word: 'keys.down' },
  { keys: 'Alt + ↑', word: 'keys.up' },
  { keys: 'Alt + N', word: 'keys.unread' },
  { keys: 'Alt + P', word: 'room.points' },
  { keys: 'Alt + H', word: 'chat.hide' },
  { keys: 'Alt + K', word: 'keys.search' },
  { keys: isMac ? '⌘ + K' : 'Ctrl + K', word: 'palette.title' },
  { keys: '?', word: 'keys.help' },
] as const

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
const press = (key: string) => document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click()

/** The room before or behind the one that is open, in the order in which the list shows them. */
export const neighbour = (
  list: readonly RoomSummary[],
  current: string | undefined,
  step: 1 | -1,
  fits: (room: RoomSummary) => boolean = () => true,
): RoomSummary | undefined => {
  const at = list.findIndex((room) => String(room.room_id) === current)
  const start = at < 0 && step < 0 ? 0 : at
  for (let n = 1; n <= list.length; n++) {
    const room = list[(start + step * n + list.length * 2) % list.length]
    if (room && String(room.room_id) !== current && fits(room)) return room
  }
  return undefined
}

export const Keys = () => {
  const { t } = useWords()
  const navigate = useNavigate()
  const { room_id } = useParams({ strict: false })
  const [open, setOpen] = useState(false)

  useEffect(() => {
    const go = (room: RoomSummary | undefined) => {
      if (!room) return
      void navigate({
        to: '/chat/messaging/$room_id/$member_id/$room_code',
        params: { room_id: String(room.room_id), member_id: String(room.member_id), room_code: room.code },
      })
    }
    const list = () => orderOfList() ?? rooms.list(1)
    const deeds: Record<string, () => void> = {
      ArrowDown: () => go(neighbour(list(), room_id, 1)),
      ArrowUp: () => go(neighbour(list(), room_id, -1)),
      KeyN: () => go(neighbour(list(), room_id, 1, (room) => room.message_read === 0)),
      KeyP: () => press('points'),
      KeyH: () => press('hide'),
      KeyK: () => document.querySelector<HTMLElement>('.room-list [type="search"]')?.focus(),
    }
    const onKeyDown = (event: KeyboardEvent) => {
      // Something else is in front, or a word is being chosen.
      if (event.isComposing || event.defaultPrevented || document.querySelector('[role="dialog"], dialog[open]')) return
      const typing = isTyping(event.target)
      if (event.key === '?' && !typing && !event.ctrlKey && !event.metaKey) {
        event.preventDefault()
        return setOpen(true)
      }
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.getModifierState('AltGraph'))
        return
      const deed = deeds[event.code]
      if (!deed || (typing && isMac && event.code.startsWith('Key'))) return
      event.preventDefault()
      deed()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [navigate, room_id])

  if (!open) return null
  const close = () => setOpen(false)
  return (
    <Dialog
      title={t('keys.title')}
      onClose={close}
      onSubmit={close}
      buttons={
        <Button type="primary" htmlType="submit" autoFocus>
          {t('action.close')}
        </Button>
      }
    >
      <dl className="room-keys">
        {shortcuts.map(({ keys, word }) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{t(word)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
