import { RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import { lastMessageText, outgoingText } from '../../../chat/model/message-kinds.ts'
import type { Outgoing } from '../../../chat/model/outbox/outgoing.ts'
import { mediaSrc } from '../../../chat/model/media-src.ts'
import { unreadIn } from '@tallyroom/contract/unread'
import { listTimeOf } from '../../../chat/view/messages/time.ts'
import { useDraft, useIsLoud, useOnTheWay } from '../../../chat/view/use-chat.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Avatar } from '../../../ui/person.tsx'
import { leaveToHome } from '../../../ui/keyboard/keep-focus.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { laterTime } from '../later/times.ts'
import { ownId } from '../state/filter.ts'
import { ownerTitle } from '../state/owner-title.ts'
import { WaitingTime } from '../../../chat/view/waiting-time.tsx'

type Props = { room: RoomSummary; current: boolean; before?: ReactNode; after?: ReactNode }

/** One room of a list, with its actions. */
export const RoomRow = ({ room, current, before, after }: Props) => (
  <div className="room-row" data-unread={room.message_read === 0 || undefined} data-current={current || undefined}>
    {before}
    <RoomLink room={room} current={current} />
    {after}
  </div>
)

/** The open room is not opened again: what is typed after a click on its row still belongs into its box. */
const focusRoom = () => leaveToHome(document.querySelector('.room-window'))

/** The room's last message: the user's own from the moment it is sent. */
const Last = ({ room, answer }: { room: RoomSummary; answer: Outgoing | undefined }) => {
  const { t } = useWords()
  if (!answer) return <span>{lastMessageText(room, t)}</span>
  return (
    <>
      <Icon name="clock" size={12} /> <span className="visually-hidden">{t('message.sending')}</span>
      <span>{outgoingText(answer, t)}</span>
    </>
  )
}

const kindOf = ({ type }: RoomSummary) => (type === RoomType.agent ? 'role.agent' : 'role.customer_service')

/** Name, last message, time and unread mark. Memoized, so that scrolling renders only new rows. */
const RoomLink = memo(({ room, current }: Pick<Props, 'room' | 'current'>) => {
  const { t } = useWords()
  const waiting = unreadIn(room)
  const draft = useDraft(room.code)
  const answer = useOnTheWay(room.code)
  const isNew = room.message_read === 0
  const isOwn = room.owner_id === ownId()
  const isLoud = useIsLoud(room)
  return (
    <Link
      to="/chat/messaging/$room_id/$member_id/$room_code"
      params={{ room_id: String(room.room_id), member_id: String(room.member_id), room_code: room.code }}
      className="room-link"
      {...(current ? { 'aria-current': 'page' as const, onClick: focusRoom } : {})}
    >
      <Avatar src={room.thumbnail ? mediaSrc(room.thumbnail) : ''} name={room.name} size={40} />
      <span className="room-words">
        <span className="room-top">
          <bdi className="room-name">{room.name}</bdi>
          {room.snoozed_until && (
            <span className="room-snoozed points">
              <Icon name="moon" size={12} />
              <span className="visually-hidden">{t('later.snoozed')}</span>
              {laterTime(room.snoozed_until)}
            </span>
          )}
          {room.waiting_since && !room.snoozed_until && !answer && (
            <WaitingTime since={room.waiting_since} loud={isLoud} />
          )}
        </span>
        <span className="room-top">
          <bdi className="room-last" data-draft={(draft !== '' && !current) || undefined}>
            {draft.trim() && !current ? (
              t('message.draft', { text: draft.trim() })
            ) : (
              <Last room={room} answer={answer} />
            )}
          </bdi>
          {isNew && (
            <span className="room-count points">
              <Icon name="star" size={12} />
              {waiting > 0 && <span aria-hidden="true">{waiting > 99 ? '99+' : waiting}</span>}
              <span className="visually-hidden">
                {waiting > 0 ? t('chat.unread', { n: waiting }) : t('chat.only_unread')}
              </span>
            </span>
          )}
        </span>
        <span className="room-top room-third">
          <bdi className="room-username">({room.username})</bdi>
          {room.type !== RoomType.member && (
            <span className="room-kind" title={t(kindOf(room))}>
              {t(kindOf(room))}
            </span>
          )}
          {room.owner_id !== null && (
            <span className="room-owner-mark" data-own={isOwn || undefined} data-tip={ownerTitle(room, t)}>
              <Avatar src="" name={room.owner_name} size={18} />
              <bdi aria-hidden="true">{isOwn ? t('message.you') : room.owner_name}</bdi>
              <span className="visually-hidden">{ownerTitle(room, t)}</span>
            </span>
          )}
          <time className="points">{listTimeOf(room.message_time)}</time>
        </span>
      </span>
    </Link>
  )
})
