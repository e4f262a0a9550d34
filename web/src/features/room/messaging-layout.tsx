import { Outlet, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMedia } from '../../ui/use-media.ts'
import { useWords } from '../../words.ts'
import { AiList } from './ai-list.tsx'
import { placeOfBots, placeOfRooms } from './place.ts'
import { RoomList } from './room-list.tsx'
import { SMALL } from './small.ts'
import { TopBar } from './top-bar.tsx'
import { useBots } from './use-bots.ts'

/** /chat/messaging and below: the list and the room side by side, or on a small screen the one or the other. */
export const MessagingLayout = () => {
  const { t } = useWords()
  const small = useMedia(SMALL)
  const { room_id } = useParams({ strict: false })
  // Beside a room in the bot's hands stand the others that are.
  const bots = useBots()
  useEffect(() => {
    if (small && room_id) (bots ? placeOfBots : placeOfRooms).room = Number(room_id)
  }, [small, room_id, bots])
  if (small && room_id) return <Outlet />
  return (
    <div className="messaging">
      {small && <TopBar to="/index" title={t(bots ? 'chat.messaging_ai' : 'chat.messaging')} />}
      {bots ? <AiList titled={!small} /> : <RoomList />}
      {!small && (
        <div className="messaging-room">
          <Outlet />
        </div>
      )}
    </div>
  )
}

/** Beside the list as long as no room is chosen; a room's bar and the bot's list have a heading of their own. */
export const NoRoom = () => {
  const { t } = useWords()
  const { ai } = useSearch({ strict: false })
  return (
    <>
      {ai !== 1 && <h1 className="heard">{t('chat.messaging')}</h1>}
      <p className="c-middle">{t('chat.pick')}</p>
    </>
  )
}
