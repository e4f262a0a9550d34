import { TAKE_BACK_MINUTES } from '@tallyroom/contract/take-back'
import { isLine } from '@tallyroom/contract/codes'
import type { Message } from '@tallyroom/contract/events'
import { type KeyboardEvent, lazy, type MouseEvent, Suspense, useEffect, useRef, useState } from 'react'
import { call, newRequestId, refusedBy } from '../../../api/call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { serverNow } from '../../../lib/clock.ts'
import { copyText } from '../../../lib/clipboard.ts'
import { notify } from '../../../ui/overlay/message.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { isMac } from '../../../ui/keyboard/is-mac.ts'
import { quotes, rooms } from '../../model/chat-session.ts'
import { isPoints, isText } from '../../model/message-kinds.ts'
import { onQuoteKey, quoteOf } from '../../model/quotes.ts'
import type { MessageAction } from './message-menu.tsx'
import { rowOf, useGestures } from './use-gestures.ts'

const MessageMenu = lazy(async () => ({ default: (await import('./message-menu.tsx')).MessageMenu }))

type Options = {
  code: string
  messages: readonly Message[]
  /** Whether the user wrote it, and not a colleague. */
  isMine: (message: Message) => boolean
  canQuote: boolean
  /** Shows the message with this seq. */
  onGoTo: (seq: number) => void
}
type Open = { message: Message; anchor: DOMRect }

const isQuotable = (message: Message) => !message.taken_back && !isLine(message.type)
const isFresh = ({ created_at }: Message) => serverNow() - Date.parse(created_at) < TAKE_BACK_MINUTES * 60_000

/** Quoting, copying and taking back the messages of a room, by mouse, finger and key. `handlers` belong to the room's element. */
export const useMessageActions = ({ code, messages, isMine, canQuote, onGoTo }: Options) => {
  const { t } = useWords()
  const [open, setOpen] = useState<Open>()
  const [refused, setRefused] = useState('')
  const messageOf = (row: HTMLElement | null) => messages.find(({ seq }) => String(seq) === row?.dataset.seq)

  const quote = (message: Message | undefined) => {
    if (canQuote && message && isQuotable(message)) quotes.set(code, quoteOf(message))
  }
  const takeBack = async ({ message_id }: Message) => {
    setRefused('')
    try {
      await call('message/takeBack', { code, message_id, request_id: newRequestId() })
      notify.said(t('message.taken_back'))
    } catch (error) {
      // In another tab, or by a request whose answer was lost: it is taken back.
      if (!refusedBy('message/takeBack', error, 'message.already_taken_back'))
        setRefused(error instanceof Error ? error.message : String(error))
    }
    void rooms.sync(code)
  }
  const copy = async (text: string) => {
    if (await copyText(text)) notify.done(t('message.copied'))
  }
  const actionsOf = (message: Message): MessageAction[] => {
    const actions: MessageAction[] = []
    if (message.taken_back) return actions
    if (canQuote && isQuotable(message))
      actions.push({
        icon: 'reply',
        word: t('message.quote'),
        keys: isMac ? '⌥ Q' : 'Alt + Q',
        press: () => quote(message),
      })
    if (isText(message.type))
      actions.push({ icon: 'copy', word: t('message.copy'), press: () => void copy(message.content) })
    if (isMine(message) && !isPoints(message.type) && isFresh(message))
      actions.push({ icon: 'takenBack', word: t('message.take_back'), press: () => void takeBack(message) })
    return actions
  }
  const openMenu = (row: HTMLElement | null, at: Element | null = row) => {
    const message = messageOf(row)
    if (message && at && actionsOf(message).length) setOpen({ message, anchor: at.getBoundingClientRect() })
  }

  const byKey = useRef(() => {})
  byKey.current = () => {
    const focused = messageOf(rowOf(document.activeElement))
    const candidates = messages.filter(isQuotable)
    // Pressed again, the one before.
    const quoted = quotes.of(code)?.seq
    const earlier = quoted === undefined ? candidates : candidates.filter(({ seq }) => seq < quoted)
    const others = quoted === undefined ? earlier.filter(({ is_self }) => !is_self) : earlier
    quote(focused ?? others.at(-1) ?? earlier.at(-1))
  }
  useEffect(() => onQuoteKey(() => byKey.current()), [])

  const gestures = useGestures({
    onSwipe: canQuote ? (row) => quote(messageOf(row)) : undefined,
    onLongPress: (row) => openMenu(row, row.querySelector('.c-bubble, .c-card')),
  })
  const handlers = {
    ...gestures,
    onClick: ({ target }: MouseEvent) => {
      if (!(target instanceof Element)) return
      const more = target.closest('.c-more')
      if (more) openMenu(rowOf(more), more)
      const to = target.closest<HTMLElement>('[data-to-seq]')?.dataset.toSeq
      if (to) onGoTo(Number(to))
    },
    // From one message to the next, on the buttons beside them.
    onKeyDown: (event: KeyboardEvent) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (!by || !(event.target instanceof Element) || !event.target.matches('.c-more')) return
      event.preventDefault()
      const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.c-more')]
      all[all.findIndex((one) => one === event.target) + by]?.focus()
    },
  }
  const menu = open && (
    <Suspense>
      <MessageMenu anchor={open.anchor} actions={actionsOf(open.message)} onClose={() => setOpen(undefined)} />
    </Suspense>
  )
  const alert = refused && (
    <div className="c-refused" role="alert">
      <span>{refused}</span>
      <button type="button" className="c-plain" aria-label={t('action.close')} onClick={() => setRefused('')}>
        <Icon name="close" size={16} />
      </button>
    </div>
  )
  return { handlers, menu, alert }
}
