import type { Calls, EventListRequest } from './calls.ts'
import { eventOf, type TallyroomEvent, verify, type WebhookHeaders, WebhookNotSigned } from './verify.ts'

/** Keeps the number up to which all events were handled. */
export type EventStore = {
  /** The number; undefined before the first event. */
  read: () => Promise<number | undefined> | number | undefined
  /** Keeps the number. Each event is handled exactly once if `onEvent` has kept its `seq` in its own transaction before. */
  write: (seq: number) => Promise<void> | void
}
export type ReceiveOptions = {
  /** The secrets of the endpoint, or of the key in the older form. */
  secret: string | readonly string[]
  store: EventStore
  /**
   * Handles an event. One is handled after the other, in the order of `seq`; none follows one that has failed. After a
   * crash between `onEvent` and the store an event comes again, with the same `id`.
   */
  onEvent: (event: TallyroomEvent) => Promise<void> | void
  /** The kinds of the endpoint. Without them, those of all endpoints of your platform are handled. */
  kinds?: NonNullable<EventListRequest['kinds']>
}
export type Receiver = {
  /**
   * Takes a webhook: its headers, its body as it was sent, and in the older form the path. Answer it with the `status`:
   * 204, 401 if nobody has signed it, or 503 to get it again; `error` says why.
   */
  take: (
    headers: WebhookHeaders,
    body: string | Uint8Array,
    path?: string,
  ) => Promise<{ status: 204 | 401 | 503; error?: unknown }>
  /** Handles what has happened while nothing arrived. Call it at the start. */
  catchUp: () => Promise<void>
}

/**
 * Takes webhooks of one platform. The next number is handled at once; a number that is known is a double; before a higher
 * one, `event.list` returns what is missing. Let one process take them, or lock the stored number while it handles one.
 */
export const receiver = (calls: Calls, { secret, store, onEvent, kinds }: ReceiveOptions): Receiver => {
  // Each endpoint gets these two.
  const listed = kinds ? { kinds: [...kinds, 'erased' as const, 'ping' as const] } : {}
  let last: Promise<unknown> = Promise.resolve()
  const afterLast = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  const known = async () => (await store.read()) ?? 0
  const handle = async (event: TallyroomEvent) => {
    await onEvent(event)
    await store.write(event.seq)
  }
  /** Handles all events after the known number. `own` may have a text that the list has not. */
  const repair = async (own?: TallyroomEvent) => {
    for (let more = true; more; ) {
      const page = await calls.event.list({ after_seq: await known(), ...listed })
      for (const row of page.data) await handle(own?.id === row.id ? own : eventOf(row))
      // Numbers of other kinds are passed by.
      if (page.next_seq > (await known())) await store.write(page.next_seq)
      more = page.more
    }
  }
  const accept = async (event: TallyroomEvent) => {
    if (event.seq > (await known()) + 1) await repair(event)
    const next = (await known()) + 1
    // A copy of the database that is read from may lag behind.
    if (event.seq > next) throw new Error(`Event ${event.seq} has come before ${next} can be read`)
    if (event.seq === next) await handle(event)
  }
  return {
    catchUp: () => afterLast(() => repair()),
    take: async (headers, body, path) => {
      try {
        const event = await verify(headers, body, secret, path === undefined ? {} : { path })
        await afterLast(() => accept(event))
        return { status: 204 }
      } catch (error) {
        return { status: error instanceof WebhookNotSigned ? 401 : 503, error }
      }
    },
  }
}
