import type { RoomSummary } from '@tallyroom/contract/events'
import { useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { rooms } from '../../../chat/model/chat-session.ts'
import { isMac } from '../../../ui/is-mac.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { readAddress } from './address.ts'
import { shownRooms } from '../list/filter.ts'
import { neighbour } from '../list/neighbour.ts'

const KeysDialog = lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
const clickTool = (key: string) => document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click()

export const Shortcuts = () => {
  const router = useRouter()
  const [open, setOpen] = useState(false)

  useEffect(() => {
    const go = (room: RoomSummary | undefined) => {
      if (!room) return
      void router.navigate({
        to: '/chat/messaging/$room_id/$member_id/$room_code',
        params: { room_id: String(room.room_id), member_id: String(room.member_id), room_code: room.code },
      })
    }
    const list = () => shownRooms() ?? rooms.list(1)
    // Start from the address: two keys in a row must move two rooms on, even if the first is still loading.
    const here = () => readAddress(router).room_id
    const actions: Record<string, () => void> = {
      ArrowDown: () => go(neighbour(list(), here(), 1)),
      ArrowUp: () => go(neighbour(list(), here(), -1)),
      KeyN: () => go(neighbour(list(), here(), 1, (room) => room.message_read === 0)),
      KeyP: () => clickTool('points'),
      KeyH: () => clickTool('hide'),
      KeyZ: () => clickTool('undo'),
      KeyK: () => document.querySelector<HTMLElement>('.room-list [type="search"]')?.focus(),
    }
    const onKeyDown = (event: KeyboardEvent) => {
      // A dialog is open, or an input method is active.
      if (event.isComposing || event.defaultPrevented || document.querySelector('[role="dialog"], dialog[open]')) return
      const typing = isTyping(event.target)
      if (event.key === '?' && !typing && !event.ctrlKey && !event.metaKey) {
        event.preventDefault()
        return setOpen(true)
      }
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.getModifierState('AltGraph'))
        return
      const action = actions[event.code]
      if (!action || (typing && isMac && event.code.startsWith('Key'))) return
      event.preventDefault()
      action()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [router])

  return <Suspense>{open && <KeysDialog onClose={() => setOpen(false)} />}</Suspense>
}
