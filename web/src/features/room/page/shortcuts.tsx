import type { RoomSummary } from '@tallyroom/contract/events'
import { useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { rooms } from '../../../chat/model/chat-session.ts'
import { isMac } from '../../../ui/is-mac.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { readAddress } from './address.ts'
import { type CommandId, commands, runCommand, useCommand } from './commands.ts'
import { shownRooms } from '../list/filter.ts'
import { neighbour, waitingRooms } from '../list/neighbour.ts'
import { whenKeysAsked } from './keys-asked.ts'

const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
const byCode = new Map(Object.entries(commands).map(([id, { code }]) => [code as string, id as CommandId]))

/** Goes to another room of the list. `useGo()('waiting')` goes to the one that has waited longest (CONV-04). */
export const useGo = () => {
  const router = useRouter()
  return (where: 'down' | 'up' | 'waiting') => {
    const list = shownRooms() ?? rooms.list(1)
    // Start from the address: two keys in a row must move two rooms on, even if the first is still loading.
    const here = readAddress(router).room_id
    const room: RoomSummary | undefined =
      where === 'waiting'
        ? waitingRooms(rooms.waiting(1), ({ room_id }) => String(room_id) === here)[0]
        : neighbour(list, here, where === 'down' ? 1 : -1)
    if (!room) return
    void router.navigate({
      to: '/chat/messaging/$room_id/$member_id/$room_code',
      params: { room_id: String(room.room_id), member_id: String(room.member_id), room_code: room.code },
    })
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
      // A dialog is open, or an input method is active.
      if (event.isComposing || event.defaultPrevented || document.querySelector('[role="dialog"], dialog[open]')) return
      const typing = isTyping(event.target)
      const { altKey, shiftKey } = event
      const control = event.ctrlKey || event.metaKey
      if ((event.key === '?' && !typing && !control) || (control && !altKey && event.code === 'Slash')) {
        event.preventDefault()
        return setOpen(true)
      }
      if (!altKey || control || shiftKey || event.getModifierState('AltGraph')) return
      const id = byCode.get(event.code)
      if (!id || (typing && isMac && event.code.startsWith('Key'))) return
      event.preventDefault()
      runCommand(id)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])

  return <Suspense>{open && <ShortcutsDialog onClose={() => setOpen(false)} />}</Suspense>
}
