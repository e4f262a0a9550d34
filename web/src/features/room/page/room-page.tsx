import { RoomStatus, RoomType } from '@tallyroom/contract/codes'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useLayoutEffect, useState } from 'react'
import type { Aside, CashCard } from '@tallyroom/contract/events'
import type { CallError } from '../../../api/call.ts'
import { type RoomRef, isUplineRoom } from '../../../chat/model/rooms/room-ref.ts'
import { roomStyle, useRoomTheme } from '../../../chat/view/room-theme.ts'
import { RoomView } from '../../../chat/view/room-view.tsx'
import { quoteByKey } from '../../../chat/model/quotes.ts'
import { rooms } from '../../../chat/model/chat-session.ts'
import { registerShownRoom } from '../../../chat/model/rooms/shown-room.ts'
import { useRoom, useRoomCode, useSummary } from '../../../chat/view/use-chat.ts'
import { notify } from '../../../ui/overlay/message.tsx'
import { CONTROL, ENTER } from '../../../ui/keyboard/key-names.ts'
import { useMedia } from '../../../ui/use-media.ts'
import { useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { QuickReplies } from '../../template/quick-replies.tsx'
import { codeAt, roomRefOf, useRoomAddress } from '../state/address.ts'
import { RecoverBar } from '../desk/bot.tsx'
import { RequestActs } from '../../cash/request-acts.tsx'
import { FrozenNotice } from '../desk/frozen.tsx'
import { AsideLine, asideText } from '../desk/aside-line.tsx'
import { useFetchAhead } from './use-fetch-ahead.ts'
import { ownId } from '../state/filter.ts'
import { PointsButton } from '../desk/points-button.tsx'
import { RoomBar } from './room-bar.tsx'
import { OriginalButton } from './original.tsx'
import { NoRoom, OpeningRoom } from './no-room.tsx'
import { useMemberPanel } from '../panel/panel.tsx'
import { SMALL } from '../../../chat/view/breakpoints.ts'
import { TopBar } from '../../../chat/view/top-bar.tsx'
import { WhisperBox } from '../desk/whisper-box.tsx'
import { HeldBar } from '../desk/held-bar.tsx'
import { ModeSwitch } from '../desk/mode-switch.tsx'
import { useCommand } from '../state/commands.ts'
import { useGo } from './shortcuts.tsx'
import { useLeaveNote } from './use-leave-note.ts'
import { useJustArrived } from './use-just-arrived.ts'
import { useLeaveGone } from './use-leave-gone.ts'
import { useMenu } from '../../../api/use-menu.ts'

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

const Room = ({ code }: { code: string }) => {
  const navigate = useNavigate()
  const small = useMedia(SMALL)
  const own = useCall('user/view', {})
  const summary = useSummary(code)
  const { t } = useWords()
  const go = useGo()
  const hasJustArrived = useJustArrived(useRoom(code)?.state?.messages.findLast(({ is_self }) => !is_self)?.seq)
  const [isNote, setNote] = useState(false)
  // In a colleague's room the user reads along and leaves internal notes.
  const isHeld = summary ? summary.owner_id !== null && summary.owner_id !== ownId() : false
  const theme = useRoomTheme()
  const { button, panel } = useMemberPanel(summary)
  const { at } = useRoomAddress()
  useFetchAhead(code)
  useLeaveGone(code)
  const router = useRouter()
  useLayoutEffect(() => registerShownRoom(() => codeAt(router, window.location.pathname)), [router])
  // Remove `?at=`, so that the same message can be opened again.
  const onAtOver = useCallback(() => void navigate({ to: '.', search: {}, replace: true }), [navigate])
  const onReadFailed = useCallback(
    (error: CallError) => {
      notify.refused(error.message)
      void navigate({ to: '/chat/messaging' })
    },
    [navigate],
  )
  const hasNotes = summary !== undefined && summary.type !== RoomType.upline && summary.status !== RoomStatus.ai
  const { may } = useMenu()
  const quick = may('chat.quick_replies')
  // In a colleague's room too: the bar that says who answers takes the place of the note.
  useLeaveNote(isNote, () => setNote(false))
  useCommand('note', hasNotes ? () => setNote(!isNote) : undefined)
  const closed =
    summary?.status === RoomStatus.ai ? (
      <RecoverBar room={summary} />
    ) : summary && isNote ? (
      <WhisperBox room={summary} onBack={() => setNote(false)} />
    ) : summary && isHeld ? (
      <HeldBar room={summary} onNote={() => setNote(true)} />
    ) : undefined
  useCommand('quote', closed ? undefined : quoteByKey)
  return (
    <>
      <div
        className="room-window"
        data-focus-home=".c-box, .room-recover button, .room-held button"
        {...roomStyle(theme)}
      >
        <RoomBar room={summary} small={small} panel={button} />
        <RoomView
          code={code}
          face="office"
          ownUsername={own.data?.username ?? ''}
          onReadFailed={onReadFailed}
          autoFocus={at === undefined}
          at={at}
          onAtOver={onAtOver}
          composer={{
            framed: true,
            placeholder: summary && t(quick ? 'message.write_to_or_slash' : 'message.write_to', { name: summary.name }),
            mode: hasNotes && <ModeSwitch isNote={false} onChange={setNote} />,
            extra: summary?.type === RoomType.member && own.data && <PointsButton room={summary} own={own.data} />,
            hint: (
              <span className="c-send-next" aria-hidden="true">
                <kbd>
                  {CONTROL} {ENTER}
                </kbd>{' '}
                {t('keys.and_next')}
              </span>
            ),
            // A message that came while the answer was being sent would be left behind, and the room no longer waits.
            onSentNext: () => hasJustArrived() || go('waiting'),
            // ROOM-08
            plugin: quick && summary ? (composer) => <QuickReplies composer={composer} room={summary} /> : undefined,
          }}
          notice={summary && <FrozenNotice room={summary} />}
          closed={closed}
          renderAside={renderAside}
          asideText={(aside) => asideText(aside, own.data?.username, t)}
          renderRequest={renderRequest}
          renderOriginal={
            may('message/original')
              ? ({ message_id }) => <OriginalButton code={code} messageId={message_id} />
              : undefined
          }
        />
      </div>
      {panel}
    </>
  )
}

const renderAside = (aside: Aside) => <AsideLine aside={aside} />
const renderRequest = (cash: CashCard) => <RequestActs cash={cash} />
