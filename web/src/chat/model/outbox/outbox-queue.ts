import type { Message } from '@tallyroom/contract/events'
import { type Call, CallError, isRefusal, NO_ANSWER, refusedBy, type sendBytes } from '../../../api/call.ts'
import { t } from '../../../i18n/i18n.ts'
import type { OutboxItems } from './outbox-items.ts'
import { hasFile, type Outgoing } from './outgoing.ts'
import { FileChanged, newUpload, sendFile } from './send-file.ts'

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

/** What a message that cannot be sent becomes; undefined for an error after which it is tried again. */
const failureOf = (error: unknown, item: Outgoing): Partial<Outgoing> | undefined => {
  if (error instanceof FileChanged) return { state: 'failed', error: t('message.file_changed') }
  if (!isFinal(error)) return undefined
  const isUnquotable = isAboutQuote(error)
  const isBadFile = !isUnquotable && hasFile(item) && isAboutMessage(error)
  return { state: 'failed', error: error.message, isUnquotable, isBadFile }
}

/** Resolves after `ms`, or as soon as `kicked` does. */
const waitOr = (ms: number, kicked: Promise<void>) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    void kicked.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Files have a queue of their own: a text does not wait for minutes of upload. */
type Queue = 'words' | 'files'
const queueOf = (item: Outgoing): Queue => (item.source ? 'files' : 'words')

type Parts = {
  ask: Call
  sendBytes: typeof sendBytes
  items: OutboxItems
  /** Called when the server has stored a message. */
  onSent: (item: Outgoing, message: Message) => void
  wait?: ((ms: number, kicked: Promise<void>) => Promise<void>) | undefined
}

/** Sends the messages of each room one after the other, so that they arrive in the order they were written. */
export const makeOutboxQueue = ({ ask, sendBytes: send, items, onSent, wait = waitOr }: Parts) => {
  const running = new Set<string>()
  const aborts = new Map<string, AbortController>()
  /** Counts accounts: answers for an earlier one are dropped. */
  let generation = 0
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

  const transmit = async (item: Outgoing): Promise<Message> => {
    const { id, code, type, content, draft, quote, seen, source, upload = newUpload() } = item
    if (!source)
      return ask('sendMessage', { code, type, content, draft, quote: quote?.message_id, seen, request_id: id })
    const abort = new AbortController()
    aborts.set(id, abort)
    const onProgress = (progress: number) => items.update(item, { progress, tries: 0 })
    const { signal } = abort
    return sendFile(
      { ask, sendBytes: send },
      { code, id, source, quote: quote?.message_id, seen, upload, signal, onProgress },
    )
  }

  /** Sends the messages of one queue of a room until none is left, or the account has changed. */
  const run = async (code: string, queue: Queue): Promise<void> => {
    const key = `${queue} ${code}`
    if (running.has(key)) return
    const current = generation
    running.add(key)
    try {
      for (;;) {
        const next = items.of(code).find((item) => item.state === 'sending' && queueOf(item) === queue)
        if (!next) return
        try {
          const message = await transmit(next)
          if (current !== generation) return
          onSent(next, message)
        } catch (error) {
          if (current !== generation || isRefusal(error, 'session.dead')) return
          const now = items.now(next)
          // It was discarded meanwhile.
          if (!now) continue
          const failure = failureOf(error, next)
          items.update(next, failure ?? { tries: now.tries + 1 })
          if (failure) continue
          await wait(backoff(now.tries), kicked)
          if (current !== generation) return
        }
      }
    } finally {
      // In the same turn as the last look for a message: one that is added later must find no queue that has ended.
      if (current === generation) running.delete(key)
    }
  }

  return {
    send: (code: string) => {
      void run(code, 'words')
      void run(code, 'files')
    },
    /** Tries at once what waits for its next try. */
    endWaits,
    abort: (id: string) => aborts.get(id)?.abort(),
    stop: () => {
      generation++
      endWaits()
      running.clear()
      for (const abort of aborts.values()) abort.abort()
      aborts.clear()
    },
  }
}
