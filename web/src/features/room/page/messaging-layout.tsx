import { Suspense, useEffect, useState } from 'react'
import { onceIdle } from '../../../lib/schedule.ts'
import { usePreload } from '../../../ui/page/lazy-part.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import { RoomAddress, useInertWhenLeft, useOwnAddress } from '../state/address.ts'
import { AiList } from '../list/ai-list.tsx'
import { NoRoom, OpeningRoom } from './no-room.tsx'
import { RoomPage } from './lazy-room-page.ts'
import { botRoomsScroll, roomsScroll } from '../state/scroll-position.ts'
import { RoomList } from '../list/room-list.tsx'
import { SMALL } from '../../../chat/view/breakpoints.ts'
import { useBots } from '../state/use-bots.ts'

const loadRoomPage = () => void RoomPage.preload?.()
const isOwn = (path: string) => /^\/chat\/messaging(\/|$)/.test(path)

/**
 * Whether the room's script is loaded. Suspense alone would show the room up to 300 ms later, because React delays
 * content that follows a fallback.
 */
const useRoomPage = (isWanted: boolean): boolean => {
  const [isTried, setTried] = useState(false)
  const isLoaded = RoomPage.preload === undefined
  useEffect(() => {
    if (isWanted && !isLoaded) void RoomPage.preload?.()?.then(() => setTried(true))
  }, [isWanted, isLoaded])
  return isLoaded || isTried
}

/**
 * /chat/messaging and below: list and room side by side, on a small screen one of them. The room is rendered here from the
 * address, because the router would render it later (CONV-01).
 */
export const MessagingLayout = () => {
  const small = useMedia(SMALL)
  const { address, left } = useOwnAddress(isOwn)
  const { room_id } = address
  usePreload(loadRoomPage)
  useEffect(() => {
    // A finger shows where it is going only by the tap itself, and a slow line would then have to fetch the script first.
    if (small) onceIdle(loadRoomPage)
  }, [small])
  // The list beside an AI room shows AI rooms.
  const bots = useBots(address)
  useEffect(() => {
    if (small && room_id) (bots ? botRoomsScroll : roomsScroll).room = Number(room_id)
  }, [small, room_id, bots])
  const isHere = useRoomPage(room_id !== undefined)
  const room =
    room_id && !isHere ? (
      <OpeningRoom />
    ) : room_id ? (
      <Suspense fallback={<OpeningRoom />}>
        <RoomPage />
      </Suspense>
    ) : (
      <NoRoom />
    )
  return (
    <RoomAddress value={address}>
      <div className="messaging" {...useInertWhenLeft(left)}>
        {small && room_id ? (
          room
        ) : (
          <>
            {bots ? <AiList small={small} /> : <RoomList small={small} />}
            {!small && <div className="messaging-room">{room}</div>}
          </>
        )}
      </div>
    </RoomAddress>
  )
}
