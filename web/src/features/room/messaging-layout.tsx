import { Outlet, useParams } from '@tanstack/react-router'
import { useMedia } from '../../ui/use-media.ts'
import { useWords } from '../../words.ts'
import { RoomList } from './room-list.tsx'
import { SMALL } from './small.ts'
import { TopBar } from './top-bar.tsx'

/** /chat/messaging and below: the list and the room side by side, or on a small screen the one or the other. */
export const MessagingLayout = () => {
  const { t } = useWords()
  const small = useMedia(SMALL)
  const { room_id } = useParams({ strict: false })
  if (small && room_id) return <Outlet />
  return (
    <div className="messaging">
      {small && <TopBar to="/index" title={t('chat.messaging')} />}
      <RoomList />
      {!small && (
        <div className="messaging-room">
          <Outlet />
        </div>
      )}
    </div>
  )
}

/** Beside the list as long as no room is chosen. */
export const NoRoom = () => {
  const { t } = useWords()
  return <p className="c-middle">{t('chat.pick')}</p>
}
