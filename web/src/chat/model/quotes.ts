import { MessageType } from '@tallyroom/contract/codes'
import { QUOTE_LENGTH, shortText } from '@tallyroom/contract/text/cut-text'
import type { Message, Quote } from '@tallyroom/contract/events'
import { makeEmitter } from './emitter.ts'

const contentOf = ({ type, voice, file, content }: Message) => {
  if (voice) return String(voice.ms)
  return file ? file.name : type === MessageType.image ? '' : content
}

export const quoteOf = (message: Message): Quote => ({
  message_id: message.message_id,
  seq: message.seq,
  type: message.type,
  content: shortText(contentOf(message), QUOTE_LENGTH),
  is_self: message.is_self,
  nickname: message.nickname,
  bot: message.bot,
  transaction_type: message.transaction_type,
  taken_back: message.taken_back ?? 0,
})

type Storage = { read: () => string | undefined; write: (text: string) => void }

/** What the next message of a room will quote, by room. Kept in the tab like the draft beside it. */
export const makeQuotes = (storage: () => Storage) => {
  let all: Record<string, Quote> | undefined
  const { emit, subscribe } = makeEmitter()
  const known = () => (all ??= parse(storage().read()))
  const set = (code: string, quote: Quote | undefined) => {
    const { [code]: _, ...others } = known()
    all = quote ? { ...others, [code]: quote } : others
    storage().write(JSON.stringify(all))
    emit(code)
  }
  return {
    subscribe,
    of: (code: string): Quote | undefined => known()[code],
    set,
    /** Returns the quote for a message that is being sent; the next one has none. */
    take: (code: string): Quote | undefined => {
      const quote = known()[code]
      if (quote) set(code, undefined)
      return quote
    },
    /** Removes the words of a quoted message that was taken back meanwhile. */
    hear: (code: string, messages: readonly Message[]) => {
      const quote = known()[code]
      if (!quote || quote.taken_back) return
      const now = messages.find(({ message_id }) => message_id === quote.message_id)
      if (now?.taken_back) set(code, { ...quote, content: '', taken_back: 1 })
    },
    stop: () => {
      all = undefined
    },
  }
}

const parse = (text: string | undefined): Record<string, Quote> => {
  try {
    const found: unknown = JSON.parse(text ?? '{}')
    return typeof found === 'object' && found !== null ? (found as Record<string, Quote>) : {}
  } catch {
    return {}
  }
}

let quoteInView: (() => void) | undefined

/** Registers how the shown room quotes by key. @returns the function that ends it */
export const onQuoteKey = (quote: () => void) => {
  quoteInView = quote
  return () => {
    if (quoteInView === quote) quoteInView = undefined
  }
}
/** Quotes the focused message of the shown room, or else the last one. */
export const quoteByKey = () => quoteInView?.()
