import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { rooms } from '../../../chat/model/chat-session.ts'
import { type RoomRef, isUplineRoom } from '../../../chat/model/rooms/room-ref.ts'
import { SMALL } from '../../../chat/view/breakpoints.ts'
import { TopBar } from '../../../chat/view/top-bar.tsx'
import { useRoomCode, useSummary } from '../../../chat/view/use-chat.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { notify } from '../../../ui/overlay/message.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import { roomRefOf, useRoomAddress } from '../state/address.ts'
import { NoRoom, OpeningRoom } from './no-room.tsx'
import { Room } from './room.tsx'

/** The three routes of a room (ROOM-01). */
export const RoomPage = () => {
  const address = useRoomAddress()
  const ref = roomRefOf(address)
  const navigate = useNavigate()
  const code = useRoomCode(ref)
  const key = JSON.stringify(ref ?? null)
  const isKnown = code !== undefined

  useEffect(() => {
    const wanted = JSON.parse(key) as RoomRef | null
    if (!wanted) {
      // oxlint-disable-next-line no-console -- ROOM-14 asks for a note in the console and nothing else.
      console.info('A room was opened without its number.')
      return
    }
    if (isKnown) return
    let isMounted = true
    rooms.openRoom(wanted).catch((error: unknown) => {
      if (!isMounted) return
      notify.refused(error instanceof Error ? error.message : String(error))
      void navigate({ to: '/chat/messaging' })
    })
    return () => {
      isMounted = false
    }
  }, [key, isKnown, navigate])

  const room = useSummary(code ?? '')
  const { room_id, member_id, friend_id } = address
  useEffect(() => {
    if (!room) return
    // In this room the agent is the partner: it has its own page.
    if (isUplineRoom(room)) void navigate({ to: '/customer_service_chat', replace: true })
    else if (friend_id && (room_id !== String(room.room_id) || member_id !== String(room.member_id))) {
      // The room was created by opening it: put its number into the address.
      const params = { room_id: String(room.room_id), member_id: String(room.member_id), friend_id }
      void navigate({ to: '/chat/messaging/$room_id/$member_id/friend/$friend_id', params, replace: true })
    }
  }, [room, room_id, member_id, friend_id, navigate])

  if (!ref) return <UnknownRoom />
  if (!code) return <OpeningRoom />
  return <Room key={code} code={code} />
}

const UnknownRoom = () => {
  const { t } = useWords()
  const small = useMedia(SMALL)
  return (
    <div className="room-window">
      {small && <TopBar to="/chat/messaging" title={t('chat.messaging')} />}
      <NoRoom />
    </div>
  )
}
