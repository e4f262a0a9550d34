import type { RoomSummary } from '@tallyroom/contract/events'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLooking } from '../../chat/presence.ts'
import { mediaSrc } from '../../chat/media-src.ts'
import { Icon } from '../../ui/icon.tsx'
import { isMasked } from '../../ui/masked.ts'
import { Avatar } from '../../ui/person.tsx'
import { notify } from '../../ui/message.tsx'
import { useSend } from '../../use-call.ts'
import { useWords } from '../../words.ts'
import { GiveToBot } from './bot.tsx'
import { useChangeStatus } from './change-status.ts'
import { MemberButtons } from './member-buttons.tsx'
import { OwnerButton } from './owner.tsx'
import { TopBar } from './top-bar.tsx'

type BarProps = { room: RoomSummary | undefined; small: boolean; panel: ReactNode }

/** Above a room: with whom one talks, and what can be done with the room. */
export const RoomBar = ({ room, small, panel }: BarProps) => {
  const title = room && (
    <span className="room-title">
      <bdi>{room.name}</bdi>
      <bdi className="room-username">({room.partner_username})</bdi>
    </span>
  )
  const tools = room && (
    <>
      <Tools room={room} />
      {panel}
    </>
  )
  if (small) {
    return (
      <TopBar to="/chat/messaging" ai={room?.status === 3} title={title}>
        {tools}
      </TopBar>
    )
  }
  return (
    <header className="chat-bar c-look-head">
      {room && <Avatar src={room.thumbnail ? mediaSrc(room.thumbnail) : ''} name={room.name} size={36} />}
      <h1>{title}</h1>
      {tools}
    </header>
  )
}

const Tools = ({ room }: { room: RoomSummary }) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const { left, change } = useChangeStatus()
  const hidden = room.status === 2
  const turn = async () => {
    if (!hidden) await navigate({ to: '/chat/messaging' })
    await change([room.code], hidden ? 1 : 2)
  }
  const word = hidden ? t('chat.show_again') : t('chat.hide')
  return (
    <>
      {room.type !== 2 && <Looking code={room.code} />}
      {room.type !== 2 && room.status !== 3 && <OwnerButton room={room} />}
      {room.waiting_since && <SettleButton room={room} />}
      {room.type !== 2 && <UnreadButton room={room} />}
      {
        // In a room with one's own upline it is the other side that writes things down.
        room.partner_username && (
          <Link
            to="/chat/noteTitle/$room_id/$member_id"
            params={{ room_id: String(room.room_id), member_id: String(room.member_id) }}
            target="_blank"
            rel="noopener"
            className="c-round"
            aria-label={t('note.new_tab')}
            data-tip={t('note.new_tab')}
          >
            <Icon name="notebook" />
          </Link>
        )
      }
      {!isMasked(room.partner_username) && (
        <Link
          to="/transaction/list/{-$username}"
          params={{ username: room.partner_username }}
          className="c-round"
          aria-label={t('room.history')}
          data-tip={t('room.history')}
        >
          <Icon name="history" />
        </Link>
      )}
      <MemberButtons room={room} />
      <GiveToBot room={room} />
      {room.type !== 2 && room.status !== 3 && (
        <button
          type="button"
          className="c-round"
          data-key="hide"
          disabled={left > 0}
          aria-label={word}
          data-tip={word}
          onClick={() => void turn()}
        >
          <Icon name={hidden ? 'chat' : 'hidden'} />
        </button>
      )}
    </>
  )
}

/** Colleagues who have this room before their eyes. */
const Looking = ({ code }: { code: string }) => {
  const { t } = useWords()
  const people = useLooking(code)
  if (people.length === 0) return null
  const words = t('desk.looking', { names: people.map(({ name }) => name).join(', ') })
  return (
    <span className="room-looking" data-tip={words}>
      {people.slice(0, 3).map(({ id, name }) => (
        <Avatar key={id} src="" name={name} size={24} />
      ))}
      <span className="heard" role="status">
        {words}
      </span>
    </span>
  )
}

/** What the member wrote last needs no answer. */
const SettleButton = ({ room }: { room: RoomSummary }) => {
  const { t } = useWords()
  const settle = useSend('desk/settle')
  return (
    <button
      type="button"
      className="c-round"
      disabled={settle.isPending}
      aria-label={t('desk.settle')}
      data-tip={t('desk.settle')}
      onClick={() => settle.mutate({ code: room.code }, { onError: (error) => notify.refused(error.message) })}
    >
      <Icon name="check" />
    </button>
  )
}

/** Leaves the room and marks it, so that it is found again. */
const UnreadButton = ({ room }: { room: RoomSummary }) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const mark = useSend('desk/markUnread')
  const press = () => {
    const onError = (error: Error) => notify.refused(error.message)
    void navigate({ to: '/chat/messaging' }).then(() => mark.mutate({ code: room.code }, { onError }))
  }
  return (
    <button
      type="button"
      className="c-round"
      aria-label={t('chat.mark_unread')}
      data-tip={t('chat.mark_unread')}
      onClick={press}
    >
      <Icon name="star" />
    </button>
  )
}
