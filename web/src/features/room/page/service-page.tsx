import { useCallback, useEffect, useState } from 'react'
import type { CallError } from '../../../api/call.ts'
import { mediaSrc } from '../../../chat/model/media-src.ts'
import { RoomView } from '../../../chat/view/room-view.tsx'
import { rooms } from '../../../chat/model/chat-session.ts'
import { useSummary } from '../../../chat/view/use-chat.ts'
import { notify } from '../../../ui/overlay/message.tsx'
import { Avatar } from '../../../ui/person.tsx'
import { useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { useInertWhenLeft, useOwnAddress } from '../state/address.ts'
import { Failed } from '../../../chat/view/list-parts.tsx'
import { useOfficeChat } from './use-office-chat.ts'
import '../../../chat/view/chat.css'
import '../../../chat/view/messages/messages.css'
import '../list/list.css'
import './room.css'

/** /customer_service_chat: an agent's own room with its upline's customer service, from the partner's side (CHAT-10). */
export const ServicePage = () => {
  const { t } = useWords()
  const { data, error, refetch } = useCall('friend/list', { type: 2, per_page: 1 })
  const friend = data?.data[0]
  if (friend) return <Service key={friend.friend_id} friendId={friend.friend_id} />
  return (
    <div className="service-chat">
      {error ? (
        <Failed words={error.message} retry={() => void refetch()} />
      ) : (
        <p className="c-middle" role="status">
          {data ? t('service.none') : t('chat.loading')}
        </p>
      )}
    </div>
  )
}

const isOwn = (path: string) => path.startsWith('/customer_service_chat')

const Service = ({ friendId }: { friendId: number }) => {
  const { t } = useWords()
  useOfficeChat()
  const own = useCall('user/view', {})
  const [code, setCode] = useState('')
  const [failed, setFailed] = useState('')
  const { left } = useOwnAddress(isOwn)
  const reach = useInertWhenLeft(left)
  const room = useSummary(code)
  const open = useCallback(() => {
    setFailed('')
    rooms.openRoom({ friend_id: friendId }).then(
      (found) => found && setCode(found),
      (error: unknown) => setFailed(error instanceof Error ? error.message : String(error)),
    )
  }, [friendId])
  useEffect(open, [open])
  const onReadFailed = useCallback((error: CallError) => notify.refused(error.message), [])

  if (failed) {
    return (
      <div className="service-chat">
        <Failed words={failed} retry={open} />
      </div>
    )
  }
  return (
    <div className="service-chat" data-focus-home=".c-box" {...reach}>
      <header className="chat-bar">
        {room && <Avatar src={room.thumbnail ? mediaSrc(room.thumbnail) : ''} name={room.name} size={36} />}
        <h1>
          <span className="room-title">
            <bdi>{room?.name}</bdi>
            <span className="room-username">{t('role.customer_service')}</span>
          </span>
        </h1>
      </header>
      {code ? (
        <RoomView
          key={code}
          code={code}
          face="office"
          ownUsername={own.data?.username ?? ''}
          onReadFailed={onReadFailed}
          autoFocus
        />
      ) : (
        <p className="c-middle" role="status">
          {t('chat.loading')}
        </p>
      )}
    </div>
  )
}
