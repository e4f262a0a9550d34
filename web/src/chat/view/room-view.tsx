import type { Aside, Message } from '@tallyroom/contract/events'
import { type DragEvent, type ReactNode, useEffect, useState } from 'react'
import type { CallError } from '../../api/call.ts'
import { useLine } from '../../api/connection.ts'
import { join, leave } from '../../api/live.ts'
import { useWords } from '../../i18n/i18n.ts'
import type { Face } from '../../lib/storage.ts'
import { rooms } from '../model/chat-session.ts'
import { useTyping } from '../model/presence.ts'
import { setVisibleRoom } from '../model/tab-leader.ts'
import { Composer, type ComposerProps } from './composer/composer.tsx'
import { Announcer } from './messages/announcer.tsx'
import { MessageList } from './messages/message-list.tsx'
import { NotLoaded } from './messages/not-loaded.tsx'
import { type OfficeParts, RoomItem } from './messages/room-item.tsx'
import { useMessageActions } from './messages/use-message-actions.tsx'
import { useShownMessages } from './messages/use-shown-messages.ts'
import { useSummary } from './use-chat.ts'
import { useRead } from './use-read.ts'

type Props = OfficeParts & {
  code: string
  face: Face
  /** Shows the names of colleagues; the user's own messages have none. */
  ownUsername: string
  onReadFailed: (error: CallError) => void
  /** The composer's own props of the back office. */
  composer?: Pick<ComposerProps, 'extra' | 'mode' | 'framed' | 'placeholder' | 'hint' | 'onSentNext' | 'plugin'>
  /** Shown above the composer, and above what is there instead. */
  notice?: ReactNode
  /** Shown while there are no messages. */
  empty?: string | undefined
  /** Shown instead of the composer. */
  closed?: ReactNode
  autoFocus?: boolean
  /** An internal note as screen readers read it out; empty for one that they do not. */
  asideText?: (aside: Aside) => string
  /** Seq of a message to show instead of the end; `onAtOver` is called when the user has scrolled on to the end. */
  at?: number | undefined
  onAtOver?: () => void
}

/** Opens the room while it is on the screen. */
const useOpenRoom = (code: string) =>
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

/** Files that are dropped on the room, unless it `isClosed`. `props` belong to its element. */
const useDrop = (isClosed: boolean) => {
  const [dropped, setDropped] = useState<readonly File[]>([])
  const [over, setOver] = useState(false)
  const takes = (event: DragEvent) => !isClosed && event.dataTransfer.types.includes('Files')
  const props = {
    'data-over': over || undefined,
    onDragOver: (event: DragEvent) => {
      if (!takes(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) =>
      event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false)
      if (!takes(event)) return
      event.preventDefault()
      setDropped([...event.dataTransfer.files])
    },
  }
  return { dropped, props }
}

/** One room: its messages and the composer. Give it the room's code as its key. */
export const RoomView = (props: Props) => {
  const { code, face, ownUsername, onReadFailed, composer, notice, empty, closed, autoFocus = false } = props
  const { at, onAtOver, asideText, renderAside, renderOriginal, renderCashRequest } = props
  const { t } = useWords()
  const summary = useSummary(code)
  const name = summary?.name ?? ''
  const typing = useTyping(code)
  const [seen, setSeen] = useState(0)
  const { messages, items, past, isPast, onGoTo, ...shown } = useShownMessages(code, at, onAtOver)
  useRead(code, isPast ? 0 : seen, onReadFailed)
  useOpenRoom(code)
  const drop = useDrop(Boolean(closed))

  const isMine = ({ is_self, bot, user_username }: Message) =>
    is_self && bot === 0 && (face === 'member' || user_username === ownUsername)
  const authorOf = (message: Message) =>
    message.bot === 1 ? t('message.bot') : isMine(message) ? '' : message.nickname
  const { handlers, menu, alert } = useMessageActions({
    code,
    messages: messages ?? [],
    isMine,
    canQuote: !closed,
    onGoTo,
  })
  const newest = messages?.at(-1)?.seq

  return (
    <section className="c-room" {...handlers} {...drop.props} data-drop={t('message.drop_image', { name })}>
      {
        // The back office has a bar over the whole app.
        face === 'member' && <CutOff />
      }
      {messages ? (
        <>
          <MessageList
            key={past ? `past:${past.at}` : 'live'}
            name={name}
            items={items}
            hasMore={shown.hasMore}
            older={shown.older}
            onOlder={shown.onOlder}
            mark={shown.mark}
            goTo={shown.goTo}
            farNew={shown.farNew}
            past={past}
            onSeen={setSeen}
            renderItem={(item) => (
              <RoomItem
                item={item}
                code={code}
                face={face}
                summary={summary}
                authorOf={authorOf}
                newest={newest}
                renderAside={renderAside}
                renderOriginal={renderOriginal}
                renderCashRequest={renderCashRequest}
              />
            )}
          />
          {!past && (
            <Announcer
              items={items}
              face={face}
              authorOf={authorOf}
              asideSeq={summary?.aside_seq ?? 0}
              asideText={asideText}
            />
          )}
          {items.length === 0 && <p className="c-empty">{empty || t('room.empty')}</p>}
        </>
      ) : (
        <NotLoaded code={code} outgoing={shown.outgoing} error={shown.error} onRetry={shown.onRetry} />
      )}
      <p className="c-typing" role="status">
        {typing[0] && t('desk.typing', { name: typing[0].name || name })}
      </p>
      {alert}
      {notice}
      {closed ?? <Composer {...composer} code={code} dropped={drop.dropped} autoFocus={autoFocus} />}
      {menu}
    </section>
  )
}

/** Says that the connection is lost, and that it is back. */
const CutOff = () => {
  const { t } = useWords()
  const line = useLine()
  return (
    <div className={line === 'lost' ? 'c-cut' : 'visually-hidden'} role="status">
      {line === 'lost' ? t('room.cut_off') : line === 'back' ? t('connection.back') : ''}
    </div>
  )
}
