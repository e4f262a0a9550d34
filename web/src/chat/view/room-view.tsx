import { type DragEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Aside, CashCard as CashCardData, Message } from '@tallyroom/contract/events'
import type { CallError } from '../../api/call.ts'
import { useLine } from '../../api/connection.ts'
import { join, leave } from '../../api/live.ts'
import type { Face } from '../../lib/storage.ts'
import { useWords } from '../../i18n/i18n.ts'
import { CashCard } from './cards/cash-card.tsx'
import { Announcer } from './messages/announcer.tsx'
import { Bubble, OutgoingBubble } from './messages/bubble.tsx'
import { Composer, type ComposerProps } from './composer/composer.tsx'
import { type Item, itemsOf } from './messages/items.ts'
import { isEventLine, isPoints } from '../model/message-kinds.ts'
import { EventLine } from './messages/event-line.tsx'
import { MessageList } from './messages/message-list.tsx'
import { NotLoaded } from './messages/not-loaded.tsx'
import { PointsCard } from './cards/points-card.tsx'
import { setVisibleRoom } from '../model/tab-leader.ts'
import { rooms } from '../model/chat-session.ts'
import { useTyping } from '../model/presence.ts'
import { useHistoryWindow } from './messages/use-history-window.ts'
import { useMessageActions } from './messages/use-message-actions.tsx'
import { useNewLine, useRead } from './use-read.ts'
import { useAsides, useOutgoing, useRoom, useSummary } from './use-chat.ts'

type Props = {
  code: string
  face: Face
  /** Shows the names of colleagues; the user's own messages have none. */
  ownUsername: string
  onReadFailed: (error: CallError) => void
  /** The composer's own props of the back office. */
  composer?: Pick<ComposerProps, 'extra' | 'mode' | 'framed' | 'placeholder' | 'hint' | 'onSentNext' | 'plugin'>
  /** Shown above the composer, and above what is there instead. */
  notice?: ReactNode
  /** Shown instead of the composer. */
  closed?: ReactNode
  autoFocus?: boolean
  /** Renders an internal note in the back office; the member's page has none. */
  renderAside?: (aside: Aside) => ReactNode
  /** An internal note as screen readers read it out; empty for one that they do not. */
  asideText?: (aside: Aside) => string
  /** Seq of a message to show instead of the end; `onAtOver` is called when the user has scrolled on to the end. */
  at?: number | undefined
  onAtOver?: () => void
  /** Added to a message that was taken back: the way to its original, for the head of the group. */
  renderOriginal?: ((message: Message) => ReactNode) | undefined
  /** What the group may do with a request for points. */
  renderRequest?: ((cash: CashCardData) => ReactNode) | undefined
}

/** One room: its messages and the composer. Give it the room's code as its key. */
export const RoomView = (props: Props) => {
  const {
    code,
    face,
    ownUsername,
    onReadFailed,
    composer,
    notice,
    closed,
    autoFocus = false,
    renderAside,
    asideText,
    at: atAddress,
    onAtOver,
    renderOriginal,
    renderRequest,
  } = props
  const { t } = useWords()
  const room = useRoom(code)
  const summary = useSummary(code)
  const outgoing = useOutgoing(code)
  const asides = useAsides(code)
  const typing = useTyping(code)
  const line = useLine()
  const [seen, setSeen] = useState(0)
  const [dropped, setDropped] = useState<readonly File[]>([])
  const [over, setOver] = useState(false)
  const [goTo, setGoTo] = useState<{ seq: number; isLoaded: boolean }>()
  // A quoted message that is not loaded is shown in a history window of its own.
  const at = goTo?.isLoaded === false ? goTo.seq : atAddress
  const leaveWindow = useCallback(() => {
    setGoTo(undefined)
    onAtOver?.()
  }, [onAtOver])
  const { mark, shown: past } = useHistoryWindow(code, at, room?.state, asides, leaveWindow)
  // In a history window the room's end is not visible.
  useRead(code, past ? 0 : seen, onReadFailed)
  const newAfter = useNewLine(code)

  useEffect(() => {
    join(code)
    setVisibleRoom(code)
    void rooms.openRoom({ code })
    return () => {
      leave(code)
      setVisibleRoom('')
      rooms.leaveRoom(code)
    }
  }, [code])

  const looking = past?.loading === 'ready' ? past : undefined
  const messages = past ? looking?.messages : room?.state?.messages
  const hasMore = (past ?? room?.state)?.hasMore ?? false
  const items = useMemo(
    () =>
      looking
        ? itemsOf(messages ?? [], [], hasMore, looking.asides)
        : itemsOf(messages ?? [], outgoing, hasMore, asides, newAfter),
    [messages, looking, outgoing, hasMore, asides, newAfter],
  )
  const olderLive = useCallback(() => void rooms.older(code), [code])
  // Show the message that the user has just sent: it is at the end.
  const sent = outgoing.at(-1)?.id
  const sentBefore = useRef(sent)
  const onLatest = past?.onLatest
  useEffect(() => {
    if (sent && sent !== sentBefore.current) onLatest?.()
    sentBefore.current = sent
  }, [sent, onLatest])
  const readUpTo = summary?.other_read_seq ?? 0
  const deliveredUpTo = Math.max(readUpTo, summary?.other_delivered_seq ?? 0)

  const isMine = ({ is_self, bot, user_username }: Message) =>
    is_self && bot === 0 && (face === 'member' || user_username === ownUsername)
  const authorOf = (message: Message) =>
    message.bot === 1 ? t('message.bot') : isMine(message) ? '' : message.nickname
  const { handlers, menu, alert } = useMessageActions({
    code,
    messages: messages ?? [],
    isMine,
    canQuote: !closed,
    onGoTo: (seq) =>
      setGoTo({ seq, isLoaded: items.some((item) => item.kind === 'message' && item.message.seq === seq) }),
  })
  const newest = messages?.at(-1)?.seq

  const renderItem = (item: Item) => {
    if (item.kind === 'outgoing') return <OutgoingBubble outgoing={item.outgoing} />
    if (item.kind === 'day' || item.kind === 'new') return null
    if (item.kind === 'aside') {
      const { card } = item.aside
      return card ? (
        <PointsCard message={card} code={code} face={face} author={authorOf(card)} last={false} delivery="sent" />
      ) : (
        renderAside?.(item.aside)
      )
    }
    const { message, first } = item
    if (isEventLine(message.type)) return <EventLine message={message} />
    const last = message.seq === newest
    const author = authorOf(message)
    const delivery = message.seq <= readUpTo ? 'read' : message.seq <= deliveredUpTo ? 'delivered' : 'sent'
    // In the back office the other side is one person, named in the header.
    const named = first && (face === 'member' || message.is_self)
    if (message.cash)
      return (
        <CashCard
          message={message}
          cash={message.cash}
          code={code}
          face={face}
          last={last}
          delivery={delivery}
          acts={renderRequest?.(message.cash)}
        />
      )
    return isPoints(message.type) ? (
      <PointsCard message={message} code={code} face={face} author={author} last={last} delivery={delivery} />
    ) : (
      <Bubble
        message={message}
        code={code}
        author={author}
        named={named}
        first={first}
        last={last}
        delivery={delivery}
        original={message.taken_back ? renderOriginal?.(message) : undefined}
      />
    )
  }

  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return (
    <section
      className="c-room"
      {...handlers}
      data-over={over || undefined}
      data-drop={t('message.drop_image', { name: summary?.name ?? '' })}
      onDragOver={(event) => {
        if (closed || !hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (closed || !hasFiles(event)) return
        event.preventDefault()
        setDropped([...event.dataTransfer.files])
      }}
    >
      {
        // The back office has a bar over the whole app.
        face === 'member' && (
          <div className={line === 'lost' ? 'c-cut' : 'visually-hidden'} role="status">
            {line === 'lost' ? t('room.cut_off') : line === 'back' ? t('connection.back') : ''}
          </div>
        )
      }
      {messages ? (
        <>
          <MessageList
            key={looking ? `past:${looking.at}` : 'live'}
            name={summary?.name ?? ''}
            items={items}
            hasMore={hasMore}
            older={(past ?? room)?.older ?? 'ready'}
            onOlder={past?.onOlder ?? olderLive}
            mark={mark}
            goTo={goTo?.isLoaded ? goTo : undefined}
            past={looking}
            onSeen={setSeen}
            renderItem={renderItem}
          />
          {!looking && (
            <Announcer
              items={items}
              face={face}
              name={summary?.name ?? ''}
              authorOf={authorOf}
              asideSeq={summary?.aside_seq ?? 0}
              asideText={asideText}
            />
          )}
          {items.length === 0 && <p className="c-empty">{t('room.empty')}</p>}
        </>
      ) : (
        <NotLoaded
          code={code}
          outgoing={outgoing}
          error={(past ?? room)?.loading === 'failed' ? ((past ?? room)?.error ?? '') : undefined}
          onRetry={onLatest ?? (() => void rooms.openRoom({ code }))}
        />
      )}
      <p className="c-typing" role="status">
        {typing[0] && t('desk.typing', { name: typing[0].name || (summary?.name ?? '') })}
      </p>
      {alert}
      {notice}
      {closed ?? <Composer {...composer} code={code} dropped={dropped} autoFocus={autoFocus} />}
      {menu}
    </section>
  )
}
