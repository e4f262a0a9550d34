import type { Quote } from '@tallyroom/contract/events'
import { useSyncExternalStore, useCallback } from 'react'
import type { Translate } from '../../../i18n/i18n.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { currentFace } from '../../../lib/storage.ts'
import { Icon } from '../../../ui/icon.tsx'
import { attachmentText, isText, transferText } from '../../model/message-kinds.ts'
import { quotes, rooms } from '../../model/chat-session.ts'
import './quote.css'

/** What a quote says of its original, in one line. */
const quoteText = (quote: Quote, t: Translate): string => {
  if (quote.taken_back) return t('message.taken_back')
  if (isText(quote.type)) return quote.content
  const attached = attachmentText(quote.type, quote.content, t)
  if (attached !== undefined) return attached
  return transferText({ ...quote, transaction_status: null }, quote.content, t)
}

/** The writer of the original. A member knows its group by the room's name when a colleague has no nickname. */
const authorOf = (quote: Quote, code: string, t: Translate): string => {
  if (quote.bot) return t('message.bot')
  if (quote.is_self && currentFace() === 'member') return t('message.you')
  return quote.nickname || rooms.summary(code)?.name || ''
}

/** In a bubble, above its text. A press leads to the original (use-message-actions.tsx). */
export const QuoteBlock = ({ quote, code }: { quote: Quote; code: string }) => {
  const { t } = useWords()
  return (
    <button type="button" className="c-quote" data-to-seq={quote.seq} title={t('message.to_quoted')}>
      <b dir="auto">{authorOf(quote, code, t)}</b>
      <span dir="auto">{quoteText(quote, t)}</span>
    </button>
  )
}

export const useQuote = (code: string) =>
  useSyncExternalStore(
    useCallback((listener) => quotes.subscribe(code, listener), [code]),
    () => quotes.of(code),
  )

/** Above the text box: what the next message answers. */
export const QuoteBar = ({ code, quote }: { code: string; quote: Quote }) => {
  const { t } = useWords()
  const name = authorOf(quote, code, t)
  const own = quote.is_self && currentFace() === 'member'
  return (
    <div className="c-quote-bar" role="status">
      <div className="c-quote">
        <b dir="auto">{own ? t('message.quoting_own') : t('message.quoting', { name })}</b>
        <span dir="auto">{quoteText(quote, t)}</span>
      </div>
      <button
        type="button"
        className="c-round"
        aria-label={t('message.unquote')}
        title={t('message.unquote')}
        onClick={() => quotes.set(code, undefined)}
      >
        <Icon name="close" size={18} />
      </button>
    </div>
  )
}
