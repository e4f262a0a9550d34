import { MessageType } from '@tallyroom/contract/codes'
import type { Message, Quote } from '@tallyroom/contract/events'
import { type Call, newRequestId, sendBytes } from '../../../api/call.ts'
import { serverNow } from '../../../lib/clock.ts'
import type { FileStore } from './kept-files.ts'
import { makeOutboxItems } from './outbox-items.ts'
import { makeOutboxQueue } from './outbox-queue.ts'
import { makeOutboxStore, type TabStorage } from './outbox-store.ts'
import { hasFile, type Outgoing } from './outgoing.ts'
import { type FileSource, newUpload } from './send-file.ts'

type SendOptions = {
  image?: { width: number; height: number } | undefined
  source?: FileSource | undefined
  draft?: number | undefined
  quote?: Quote | undefined
  seen?: number | undefined
}
type Options = {
  ask: Call
  sendBytes?: typeof sendBytes
  /** Called when the server has stored a message. The caller resyncs the room if its event does not come. */
  delivered: (code: string, message: Message) => void
  /** The `seq` of the newest message that the screen shows of a room. */
  newestSeq?: (code: string) => number | undefined
  storage: TabStorage
  files?: FileStore
  wait?: (ms: number, kicked: Promise<void>) => Promise<void>
}

const outgoingOf = (code: string, content: string, { image, source, draft, quote, seen }: SendOptions): Outgoing => ({
  id: newRequestId(),
  code,
  type: source ? (source.voice ? MessageType.voice : MessageType.file) : image ? 2 : 1,
  content,
  source,
  upload: source && newUpload(),
  draft,
  quote,
  seen,
  // 0: a photo that only the server can decode.
  width: image?.width || null,
  height: image?.height || null,
  at: new Date(serverNow()).toISOString(),
  state: 'sending',
  tries: 0,
})

/** The messages that the server has not confirmed yet: what is written is sent until it has arrived or is refused. */
export const makeOutbox = (options: Options) => {
  const { ask, delivered, newestSeq, wait } = options
  const store = makeOutboxStore(options.storage, options.files)
  const items = makeOutboxItems(store)
  const { of, put, remove } = items
  const onSent = (item: Outgoing, message: Message) => {
    items.update(item, { state: 'sent' })
    store.forget(item)
    delivered(item.code, message)
  }
  const queue = makeOutboxQueue({ ask, sendBytes: options.sendBytes ?? sendBytes, items, onSent, wait })
  /** Counts accounts: files that were stored or read for an earlier one are dropped. */
  let generation = 0

  /** Stores the file of an item, for the next page. */
  const keep = async (item: Outgoing) => {
    const current = generation
    const isKept = await store.keep(item)
    if (current !== generation) return
    const now = items.now(item)
    if (now && now.state !== 'sent') items.update(item, { isKept })
    else store.forget(item)
  }
  /** Adds the items of an earlier page in the order in which they were written. */
  const resume = (earlier: readonly Outgoing[]) => {
    earlier.forEach(items.setPreview)
    for (const code of new Set(earlier.map((item) => item.code))) {
      const own = earlier.filter((item) => item.code === code)
      put(
        code,
        [...of(code), ...own].sort((a, b) => a.at.localeCompare(b.at)),
      )
      queue.send(code)
    }
  }

  return {
    subscribe: items.subscribe,
    of,
    /** The chosen image, shown instead of the server's copy so that it does not flicker. */
    previewOf: items.previewOf,
    add: (code: string, content: string, sent: SendOptions = {}) => {
      const item = outgoingOf(code, content, { ...sent, seen: sent.seen ?? newestSeq?.(code) })
      items.setPreview(item)
      put(code, [...of(code), item])
      if (options.files && hasFile(item)) void keep(item)
      queue.send(code)
      return item.id
    },
    /** `unquoted`: without what it quotes. Nothing of the refused try was stored, so the id stays. */
    retry: (item: Outgoing, unquoted = false) => {
      const { error: _, isUnquotable: __, quote, ...others } = item
      items.replace(item, () => ({ ...(unquoted ? others : { ...others, quote }), state: 'sending' }))
      queue.send(item.code)
    },
    /** Removes the texts that the server refused and returns them. */
    takeRefused: (code: string): string[] => {
      const refused = of(code).filter(({ type, state }) => type === MessageType.text && state === 'failed')
      remove(code, new Set(refused.map(({ id }) => id)))
      return refused.map(({ content }) => content)
    },
    discard: (item: Outgoing) => {
      remove(item.code, new Set([item.id]))
      queue.abort(item.id)
    },
    /** Removes the messages that have arrived in their room. */
    confirm: (code: string, messages: readonly Message[]) => {
      if (of(code).length) remove(code, new Set(messages.map((message) => message.message_id)))
    },
    /** Removes the sent messages of a room that is not loaded: it will contain them when it is. */
    settle: (code: string) =>
      remove(code, new Set(of(code).flatMap((item) => (item.state === 'sent' ? [item.id] : [])))),
    /** Retries at once, because the connection is back. */
    flush: () => {
      queue.endWaits()
      for (const code of items.codes()) queue.send(code)
    },
    /** The newest message that is on its way to a room. */
    onTheWay: (code: string) => of(code).findLast(({ state }) => state !== 'failed'),
    /** Number of messages that wait for the server; topic `kept`. */
    kept: () => items.all().filter(({ state }) => state === 'sending').length,
    /** Loads and sends the messages that an earlier page or session of the same account did not send. */
    start: () => {
      items.forget()
      const current = generation
      void store.load().then((earlier) => current === generation && resume(earlier))
    },
    stop: () => {
      generation++
      queue.stop()
      items.clear()
    },
  }
}
export type Outbox = ReturnType<typeof makeOutbox>
