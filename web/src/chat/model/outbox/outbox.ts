import { MessageType } from '@tallyroom/contract/codes'
import type { Message, Quote } from '@tallyroom/contract/events'
import { t } from '../../../i18n/i18n.ts'
import { CallError, type call, isRefusal, newRequestId, refusedBy, sendBytes, NO_ANSWER } from '../../../api/call.ts'
import { serverNow } from '../../../lib/clock.ts'
import { makeEmitter } from '../emitter.ts'
import type { FileStore } from './kept-files.ts'
import { makeOutboxStore, type TabStorage } from './outbox-store.ts'
import { hasFile, type Outgoing } from './outgoing.ts'
import { FileChanged, type FileSource, newUpload, sendFile } from './send-file.ts'

type SendOptions = {
  image?: { width: number; height: number } | undefined
  source?: FileSource | undefined
  draft?: number | undefined
  quote?: Quote | undefined
  seen?: number | undefined
}
type Options = {
  ask: typeof call
  sendBytes?: typeof sendBytes
  /** Called when the server has stored a message. The caller resyncs the room if its event does not come. */
  delivered: (code: string, message: Message) => void
  /** The `seq` of the newest message that the screen shows of a room. */
  newestSeq?: (code: string) => number | undefined
  storage: TabStorage
  files?: FileStore
  wait?: (ms: number, kicked: Promise<void>) => Promise<void>
}

/** Temporary refusals: the message is sent again later. */
const TEMPORARY = ['request.too_often', 'server.starting', 'server.busy', 'server.full', 'server.media_away'] as const
const isFinal = (error: unknown): error is CallError =>
  error instanceof CallError && error.code !== NO_ANSWER && !TEMPORARY.some((name) => isRefusal(error, name))
const backoff = (tries: number) => Math.min(30_000, 1000 * 2 ** Math.min(tries, 5))
/** What it quotes is gone. */
const isAboutQuote = (error: CallError) =>
  (['message.quote_taken_back', 'message.quote_not_found'] as const).some((name) =>
    refusedBy('sendMessage', error, name),
  )
/** All that the server says of a message is of its content or its quote, except that the day is full. */
const isAboutMessage = (error: CallError) =>
  error.refusal?.startsWith('message.') === true && !refusedBy('sendMessage', error, 'message.too_many_files')
const none: readonly Outgoing[] = []

const waitOr = (ms: number, kicked: Promise<void>) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    void kicked.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Files have a queue of their own: a text does not wait for minutes of upload. */
type Lane = 'words' | 'files'
const laneOf = (item: Outgoing): Lane => (item.source ? 'files' : 'words')

export const makeOutbox = (options: Options) => {
  const { ask, sendBytes: send = sendBytes, delivered, newestSeq, wait = waitOr } = options
  const store = makeOutboxStore(options.storage, options.files)
  let all = new Map<string, readonly Outgoing[]>()
  const previews = new Map<string, string>()
  const pumping = new Set<string>()
  const aborts = new Map<string, AbortController>()
  const { emit, subscribe } = makeEmitter()
  let kick = () => {}
  let kicked: Promise<void>
  /** Ends all waits for the next try; those that begin later wait again. */
  const endWaits = () => {
    kick()
    kicked = new Promise((resolve) => {
      kick = resolve
    })
  }
  endWaits()
  /** Counts accounts: answers for an earlier one are dropped. */
  let generation = 0

  const put = (code: string, items: readonly Outgoing[]) => {
    if (items.length) all.set(code, items)
    else all.delete(code)
    store.save([...all.values()].flat())
    emit(code)
    emit('kept')
  }
  const change = (item: Outgoing, to: Partial<Outgoing>) => {
    put(
      item.code,
      of(item.code).map((other) => (other.id === item.id ? { ...other, ...to } : other)),
    )
  }
  const of = (code: string): readonly Outgoing[] => all.get(code) ?? none
  const remove = (code: string, ids: ReadonlySet<string>) => {
    const items = of(code)
    const removed = items.filter((item) => ids.has(item.id))
    if (removed.length)
      put(
        code,
        items.filter((item) => !ids.has(item.id)),
      )
    removed.forEach(store.forget)
  }
  /** Stores the file of an item, for the next page. */
  const keep = async (item: Outgoing) => {
    const current = generation
    const isKept = await store.keep(item)
    const now = of(item.code).find(({ id }) => id === item.id)
    if (current === generation && now && now.state !== 'sent') change(item, { isKept })
    else if (current === generation) store.forget(item)
  }

  const transmit = async (item: Outgoing): Promise<Message> => {
    const { id, code, type, content, draft, quote, seen, source, upload = newUpload() } = item
    if (!source)
      return ask('sendMessage', { code, type, content, draft, quote: quote?.message_id, seen, request_id: id })
    const abort = new AbortController()
    aborts.set(id, abort)
    const onProgress = (progress: number) => change(item, { progress, tries: 0 })
    const { signal } = abort
    return sendFile(
      { ask, sendBytes: send },
      { code, id, source, quote: quote?.message_id, seen, upload, signal, onProgress },
    )
  }

  /** Sends a room's messages one after the other, so that they arrive in the order they were written. */
  const pump = async (code: string, lane: Lane): Promise<void> => {
    const key = `${lane} ${code}`
    if (pumping.has(key)) return
    const current = generation
    pumping.add(key)
    try {
      for (;;) {
        const next = of(code).find((item) => item.state === 'sending' && laneOf(item) === lane)
        if (!next) break
        const { id } = next
        try {
          const message = await transmit(next)
          if (current !== generation) return
          change(next, { state: 'sent' })
          store.forget(next)
          delivered(code, message)
        } catch (error) {
          if (current !== generation || isRefusal(error, 'session.dead')) return
          // It was discarded meanwhile.
          if (!of(code).some((item) => item.id === id)) continue
          if (error instanceof FileChanged) {
            change(next, { state: 'failed', error: t('message.file_changed') })
            continue
          }
          if (isFinal(error)) {
            const isUnquotable = isAboutQuote(error)
            const isBadFile = !isUnquotable && hasFile(next) && isAboutMessage(error)
            change(next, { state: 'failed', error: error.message, isUnquotable, isBadFile })
            continue
          }
          const tries = (of(code).find((item) => item.id === id)?.tries ?? 0) + 1
          change(next, { tries })
          await wait(backoff(tries - 1), kicked)
          if (current !== generation) return
        }
      }
    } finally {
      if (current === generation) pumping.delete(key)
    }
  }
  const pumpBoth = (code: string) => {
    void pump(code, 'words')
    void pump(code, 'files')
  }

  const setPreview = ({ id, type, content, source }: Outgoing) => {
    if (type === MessageType.image) previews.set(id, content)
    if (source?.voice) previews.set(id, URL.createObjectURL(source.blob))
  }
  /** Adds the items of an earlier page in the order in which they were written. */
  const resume = (items: readonly Outgoing[]) => {
    items.forEach(setPreview)
    for (const code of new Set(items.map((item) => item.code))) {
      const own = items.filter((item) => item.code === code)
      put(
        code,
        [...of(code), ...own].sort((a, b) => a.at.localeCompare(b.at)),
      )
      pumpBoth(code)
    }
  }

  return {
    subscribe,
    of,
    /** The chosen image, shown instead of the server's copy so that it does not flicker. */
    previewOf: (id: string) => previews.get(id),
    add: (
      code: string,
      content: string,
      { image, source, draft, quote, seen = newestSeq?.(code) }: SendOptions = {},
    ) => {
      const id = newRequestId()
      const item: Outgoing = {
        id,
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
      }
      setPreview(item)
      put(code, [...of(code), item])
      if (options.files && hasFile(item)) void keep(item)
      pumpBoth(code)
      return id
    },
    /** `unquoted`: without what it quotes. Nothing of the refused try was stored, so the id stays. */
    retry: (item: Outgoing, unquoted = false) => {
      const { error: _, isUnquotable: __, quote, ...others } = item
      const rest = unquoted ? others : { ...others, quote }
      put(
        item.code,
        of(item.code).map((other) => (other.id === item.id ? { ...rest, state: 'sending' } : other)),
      )
      pumpBoth(item.code)
    },
    /** Removes the texts that the server refused and returns them. */
    takeRefused: (code: string): string[] => {
      const refused = of(code).filter(({ type, state }) => type === MessageType.text && state === 'failed')
      remove(code, new Set(refused.map(({ id }) => id)))
      return refused.map(({ content }) => content)
    },
    discard: (item: Outgoing) => {
      remove(item.code, new Set([item.id]))
      aborts.get(item.id)?.abort()
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
      endWaits()
      for (const code of all.keys()) pumpBoth(code)
    },
    /** The newest message that is on its way to a room. */
    onTheWay: (code: string) => of(code).findLast(({ state }) => state !== 'failed'),
    /** Number of messages that wait for the server; topic `kept`. */
    kept: () => [...all.values()].flat().filter(({ state }) => state === 'sending').length,
    /** Whether something is being sent that ends with the page. */
    hasFiles: () => [...all.values()].flat().some((item) => hasFile(item) && !item.isKept && item.state === 'sending'),
    /** Loads and sends the messages that an earlier page or session of the same account did not send. */
    start: () => {
      all = new Map()
      const current = generation
      void store.load().then((items) => current === generation && resume(items))
    },
    stop: () => {
      generation++
      endWaits()
      pumping.clear()
      for (const abort of aborts.values()) abort.abort()
      aborts.clear()
      const codes = [...all.keys()]
      all = new Map()
      for (const src of previews.values()) if (src.startsWith('blob:')) URL.revokeObjectURL(src)
      previews.clear()
      for (const code of codes) emit(code)
    },
  }
}
export type Outbox = ReturnType<typeof makeOutbox>
