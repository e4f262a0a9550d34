import type { RoomSummary } from '@tallyroom/contract/events'
import { useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { outbox, rooms } from '../../../chat/model/chat-session.ts'
import { isMac } from '../../../ui/keyboard/is-mac.ts'
import { isTyping, whenKeysAsked } from '../../../ui/keyboard/keys-asked.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { readAddress } from '../state/address.ts'
import { type CommandId, commands, runCommand, useCommand } from '../state/commands.ts'
import { shownRooms } from '../state/filter.ts'
import { beingSettled, neighbour, waitingRooms } from '../state/neighbour.ts'

const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

const byCode = new Map(Object.entries(commands).map(([id, { code }]) => [code as string, id as CommandId]))

const isAnswered = (code: string) => outbox.onTheWay(code) !== undefined || beingSettled.has(code)

/**
 * Goes to another room of the list. `useGo()('waiting')` goes to the one that has waited longest (CONV-04). False when
 * there is none.
 */
export const useGo = () => {
  const router = useRouter()
  return (where: 'down' | 'up' | 'waiting'): boolean => {
    const list = shownRooms() ?? rooms.list(1)
    // Start from the address: two keys in a row must move two rooms on, even if the first is still loading.
    const here = readAddress(router).room_id
    const room: RoomSummary | undefined =
      where === 'waiting'
        ? // Without a line an answered room waits on: going back to it would show nothing to do.
          waitingRooms(rooms.waiting(1), ({ room_id, code }) => String(room_id) === here || isAnswered(code))[0]
        : neighbour(list, here, where === 'down' ? 1 : -1)
    if (!room) return false
    void router.navigate({
      to: '/chat/messaging/$room_id/$member_id/$room_code',
      params: { room_id: String(room.room_id), member_id: String(room.member_id), room_code: room.code },
    })
    return true
  }
}

/** The keys of the chat. */
export const Shortcuts = () => {
  const [open, setOpen] = useState(false)
  const go = useGo()
  useCommand('down', () => go('down'))
  useCommand('up', () => go('up'))
  useCommand('waiting', () => go('waiting'))
  useCommand('search', () => document.querySelector<HTMLElement>('.room-list [type="search"]')?.focus())

  useEffect(() => whenKeysAsked(() => setOpen(true)), [])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // A dialog is open.
      if (event.defaultPrevented || document.querySelector('[role="dialog"], dialog[open]')) return
      const { altKey, ctrlKey, metaKey, shiftKey } = event
      if (!altKey || ctrlKey || metaKey || shiftKey || event.getModifierState('AltGraph')) return
      const id = byCode.get(event.code)
      if (!id || (isTyping(event.target) && isMac && event.code.startsWith('Key'))) return
      event.preventDefault()
      runCommand(id)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])

  return <Suspense>{open && <ShortcutsDialog onClose={() => setOpen(false)} />}</Suspense>
}
