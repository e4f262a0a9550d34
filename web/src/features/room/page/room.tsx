import { RoomStatus, RoomType } from '@tallyroom/contract/codes'
import type { Aside, CashCard, RoomSummary } from '@tallyroom/contract/events'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { CallError } from '../../../api/call.ts'
import { useLostSince } from '../../../api/connection.ts'
import { useCall } from '../../../api/use-call.ts'
import { useMenu } from '../../../api/use-menu.ts'
import { drafts, outbox, rooms } from '../../../chat/model/chat-session.ts'
import { quoteByKey } from '../../../chat/model/quotes.ts'
import { registerShownRoom } from '../../../chat/model/rooms/shown-room.ts'
import { SMALL } from '../../../chat/view/breakpoints.ts'
import { roomStyle, useRoomTheme } from '../../../chat/view/room-theme.ts'
import { RoomView } from '../../../chat/view/room-view.tsx'
import { useRoom, useRooms, useSummary } from '../../../chat/view/use-chat.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { CONTROL, ENTER } from '../../../ui/keyboard/key-names.ts'
import { notify } from '../../../ui/overlay/message.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import { CashRequestActs } from '../../cash/request-acts.tsx'
import { QuickReplies } from '../../template/quick-replies.tsx'
import { AsideLine, asideText } from '../desk/aside-line.tsx'
import { RecoverBar } from '../desk/bot.tsx'
import { FrozenNotice } from '../desk/frozen.tsx'
import { ReturnsIn } from '../desk/owner.tsx'
import { OwnerBar } from '../desk/owner-bar.tsx'
import { ModeSwitch } from '../desk/mode-switch.tsx'
import { PointsButton } from '../desk/points-button.tsx'
import { WhisperBox } from '../desk/whisper-box.tsx'
import { LaterList } from '../later/later-list.tsx'
import { SendLaterButton } from '../later/later-tools.tsx'
import { SnoozedNotice } from '../later/snooze.tsx'
import { useMemberPanel } from '../panel/panel.tsx'
import { codeAt, useRoomAddress } from '../state/address.ts'
import { type CommandId, commandTip, runCommand, useCommand } from '../state/commands.ts'
import { ownId, shownRooms } from '../state/filter.ts'
import { nextTwo, waitingRooms } from '../state/neighbour.ts'
import { useGo } from '../state/use-go.ts'
import { OriginalButton } from './original.tsx'
import { RoomBar } from './room-bar.tsx'

/** A message changes the list several times in a row: wait until it is quiet. */
const SOON_MS = 400

const waits = (room: RoomSummary) =>
  room.snoozed_until === undefined && (room.waiting_since !== null || room.message_read === 0)

/** Prefetches where the keys lead: the longest waiting room and the next two of the list. Opening them needs no call. */
const useFetchAhead = (code: string) => {
  const loaded = useRoom(code)?.state !== undefined
  const { list } = useRooms(1)
  useEffect(() => {
    if (!loaded) return
    const timer = setTimeout(() => {
      if (document.hidden) return
      const ahead = new Set([
        ...waitingRooms(rooms.waiting(1), (room) => room.code === code).slice(0, 1),
        ...nextTwo(shownRooms() ?? list, code, waits),
      ])
      for (const room of ahead) void rooms.fetchAhead(room.code)
    }, SOON_MS)
    return () => clearTimeout(timer)
  }, [code, loaded, list])
}

/** About the time a person needs to notice a new line. */
export const NOTICE_MS = 1000

/**
 * Whether the member's newest message came so recently that the user who is typing has not seen it. `seq` is that message's;
 * undefined while the room is loading.
 */
export const useJustArrived = (seq: number | undefined): (() => boolean) => {
  const before = useRef(seq)
  const arrived = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    // What was there when the room opened has been seen.
    if (seq !== undefined && before.current !== undefined && seq > before.current) arrived.current = performance.now()
    if (seq !== undefined) before.current = seq
  }, [seq])
  return () => performance.now() - arrived.current < NOTICE_MS
}

/**
 * Leaves a room that the viewer has not, because the address is wrong or its member was moved to another group: what is
 * typed there would reach nobody. An address that is wrong stays while there are words in its box, which would be lost.
 */
export const useLeaveGone = (code: string) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const { loading, isNotFound, error = '' } = useRoom(code) ?? {}
  const wasRemoved = rooms.wasRemoved(code)
  const isLeft = wasRemoved || (isNotFound && drafts.of(code) === '' && outbox.of(code).length === 0)
  const words = loading === 'failed' && isLeft ? (wasRemoved ? t('chat.gone') : error) : undefined
  useEffect(() => {
    if (words === undefined) return
    notify.refused(words)
    void navigate({ to: '/chat/messaging' })
  }, [words, navigate])
}

/**
 * Runs the keys of the reply from an internal note too: it first leaves the note, which keeps its draft. Without this
 * Alt+P does nothing there, and the amount and Enter that follow add it as a note.
 */
const useLeaveNote = (isNote: boolean, leave: () => void) => {
  const [next, setNext] = useState<CommandId>()
  const isLost = useLostSince() !== undefined
  const leaveFor = (id: CommandId) => {
    if (!isNote) return undefined
    return () => {
      leave()
      setNext(id)
    }
  }
  // Points cannot be opened without a connection: what is typed next stays in the note.
  useCommand('points', isLost ? undefined : leaveFor('points'))
  useCommand('quote', leaveFor('quote'))
  useCommand('photo', leaveFor('photo'))
  useCommand('file', leaveFor('file'))
  useCommand('voice', leaveFor('voice'))
  useEffect(() => {
    if (isNote || !next) return
    setNext(undefined)
    runCommand(next)
  }, [isNote, next])
}

/** An open room: its header, its conversation and the member panel. */
export const Room = ({ code }: { code: string }) => {
  const navigate = useNavigate()
  const small = useMedia(SMALL)
  const own = useCall('user/view', {})
  const summary = useSummary(code)
  const { t } = useWords()
  const go = useGo()
  const hasJustArrived = useJustArrived(useRoom(code)?.state?.messages.findLast(({ is_self }) => !is_self)?.seq)
  const [isNote, setNote] = useState(false)
  // In a colleague's room the user reads along and leaves internal notes.
  const isColleaguesRoom = summary ? summary.owner_id !== null && summary.owner_id !== ownId() : false
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
    ) : summary && isColleaguesRoom ? (
      <OwnerBar room={summary} onNote={() => setNote(true)} />
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
        {summary && <ReturnsIn room={summary} />}
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
            extra: (
              <>
                {summary?.type === RoomType.member && own.data && <PointsButton room={summary} own={own.data} />}
                {hasNotes && !small && <SendLaterButton />}
              </>
            ),
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
          notice={
            summary && (
              <>
                <FrozenNotice room={summary} />
                <SnoozedNotice room={summary} />
                {hasNotes && <LaterList room={summary} />}
              </>
            )
          }
          closed={closed}
          renderAside={renderAside}
          asideText={(aside) => asideText(aside, own.data?.username, t)}
          renderCashRequest={renderCashRequest}
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
/** Its button has a key: a member has one open request at most. */
export const RoomCashRequest = ({ cash }: { cash: CashCard }) => {
  const { t } = useWords()
  return (
    <CashRequestActs cash={cash} shortcut={{ 'data-key': 'request', ...commandTip('request', t('keys.request')) }} />
  )
}
const renderCashRequest = (cash: CashCard) => <RoomCashRequest cash={cash} />
