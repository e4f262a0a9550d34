import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import type { Aside } from '@tallyroom/contract/events'
import type { CallError } from '../../call.ts'
import { type Door, isUplines } from '../../chat/door.ts'
import { roomStyle, useRoomLook } from '../../chat/room-look.ts'
import { RoomView } from '../../chat/room-view.tsx'
import { rooms } from '../../chat/talk.ts'
import { useSummary } from '../../chat/use-talk.ts'
import { Icon } from '../../ui/icon.tsx'
import { notify } from '../../ui/message.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { useCall } from '../../use-call.ts'
import { useWords } from '../../words.ts'
import { QuickReplies } from '../template/quick-replies.tsx'
import { RecoverBar } from './bot.tsx'
import { AsideLine } from './aside-line.tsx'
import { ownId } from './filter.ts'
import { PointsButton } from './points-button.tsx'
import { RoomBar } from './room-bar.tsx'
import { NoRoom } from './messaging-layout.tsx'
import { useMemberPanel } from './panel.tsx'
import { SMALL } from './small.ts'
import { TopBar } from './top-bar.tsx'
import { WhisperBox } from './whisper-box.tsx'

/** The door that the address names: a code, a partner, or the room's number. */
const useDoor = (): Door | undefined => {
  const { room_id, room_code, friend_id } = useParams({ strict: false })
  if (room_code) return { code: room_code }
  if (friend_id !== undefined) return isNumber(friend_id) ? { friend_id: Number(friend_id) } : undefined
  return isNumber(room_id) ? { room_id: Number(room_id) } : undefined
}
/** A page that links here without knowing where to writes 0, NaN or "undefined": that is no room, and no reason for an alert. */
const isNumber = (text: string | undefined) => text !== undefined && /^[1-9]\d{0,9}$/.test(text)

/** The three routes of a room (ROOM-01). */
export const RoomPage = () => {
  const door = useDoor()
  const navigate = useNavigate()
  const [found, setFound] = useState<{ door: string; code: string }>()
  const key = JSON.stringify(door ?? null)

  useEffect(() => {
    const wanted = JSON.parse(key) as Door | null
    if (!wanted) {
      // oxlint-disable-next-line no-console -- ROOM-14 asks for a note in the console and nothing else.
      console.info('A room was opened without its number.')
      return
    }
    if (wanted.code) return
    let here = true
    rooms.openRoom(wanted).then(
      (code) => here && code && setFound({ door: key, code }),
      (error: unknown) => {
        if (!here) return
        notify.refused(error instanceof Error ? error.message : String(error))
        void navigate({ to: '/chat/messaging' })
      },
    )
    return () => {
      here = false
    }
  }, [key, navigate])

  const code = door?.code ?? (found?.door === key ? found.code : undefined)
  const room = useSummary(code ?? '')
  const { room_id, member_id, friend_id } = useParams({ strict: false })
  useEffect(() => {
    if (!room) return
    // An agent sits on the other side of this one, and so does its page.
    if (isUplines(room)) void navigate({ to: '/customer_service_chat', replace: true })
    else if (friend_id && (room_id !== String(room.room_id) || member_id !== String(room.member_id))) {
      // The first to enter has made the room: now the address knows its number.
      const params = { room_id: String(room.room_id), member_id: String(room.member_id), friend_id }
      void navigate({ to: '/chat/messaging/$room_id/$member_id/friend/$friend_id', params, replace: true })
    }
  }, [room, room_id, member_id, friend_id, navigate])

  if (!door) return <Nowhere />
  if (!code) return <Entering />
  return <Room key={code} code={code} />
}

const Nowhere = () => {
  const { t } = useWords()
  const small = useMedia(SMALL)
  return (
    <div className="room-window">
      {small && <TopBar to="/chat/messaging" title={t('chat.messaging')} />}
      <NoRoom />
    </div>
  )
}

/** Until the server has said which room it is. */
const Entering = () => {
  const { t } = useWords()
  const small = useMedia(SMALL)
  return (
    <div className="room-window">
      {small ? (
        <TopBar to="/chat/messaging" title={t('chat.messaging')} />
      ) : (
        <h1 className="heard">{t('chat.messaging')}</h1>
      )}
      <p className="c-middle" role="status">
        {t('chat.loading')}
      </p>
    </div>
  )
}

const Room = ({ code }: { code: string }) => {
  const navigate = useNavigate()
  const small = useMedia(SMALL)
  const own = useCall('user/view', {})
  const summary = useSummary(code)
  const [inside, setInside] = useState(false)
  // Of a room that a colleague has one reads and whispers.
  const isHeld = summary ? summary.owner_id !== null && summary.owner_id !== ownId() : false
  const look = useRoomLook()
  const { button, panel } = useMemberPanel(summary)
  const { at } = useSearch({ strict: false })
  // The same message can be looked for again.
  const onAtOver = useCallback(() => void navigate({ to: '.', search: {}, replace: true }), [navigate])
  const onReadFailed = useCallback(
    (error: CallError) => {
      notify.refused(error.message)
      void navigate({ to: '/chat/messaging' })
    },
    [navigate],
  )
  return (
    <>
      <div className="room-window" data-focus-home=".c-box, .room-recover button" {...roomStyle(look)}>
        <RoomBar room={summary} small={small} panel={button} />
        <RoomView
          code={code}
          face="office"
          ownUsername={own.data?.username ?? ''}
          onReadFailed={onReadFailed}
          autoFocus={at === undefined}
          at={at}
          onAtOver={onAtOver}
          extra={
            summary &&
            own.data && (
              <>
                {summary.type === 1 && <PointsButton room={summary} own={own.data} />}
                {summary.type !== 2 && <WhisperButton onPress={() => setInside(true)} />}
              </>
            )
          }
          helper={
            // ROOM-08: agents have none.
            summary && own.data && own.data.role_id !== 2
              ? (pen) => <QuickReplies pen={pen} room={summary} />
              : undefined
          }
          closed={
            summary?.status === 3 ? (
              <RecoverBar room={summary} />
            ) : summary && (isHeld || inside) ? (
              <WhisperBox room={summary} onBack={isHeld ? undefined : () => setInside(false)} />
            ) : undefined
          }
          drawAside={drawAside}
        />
      </div>
      {panel}
    </>
  )
}

const drawAside = (aside: Aside) => <AsideLine aside={aside} />

const WhisperButton = ({ onPress }: { onPress: () => void }) => {
  const { t } = useWords()
  return (
    <button
      type="button"
      className="c-round"
      aria-label={t('desk.whisper')}
      data-tip={t('desk.whisper')}
      onClick={onPress}
    >
      <Icon name="whisper" />
    </button>
  )
}
