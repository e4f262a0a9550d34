import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import type { Database } from '../../data/sql.ts'
import { batcher } from '../../lib/batcher.ts'
import { attempt, type AttemptDeps } from './attempt.ts'
import { type DueDelivery, finish, type Finished, PER_ENDPOINT, takeDue } from './due.ts'
import { noteOutcome } from './failing.ts'
import { numberEvents } from './numbers.ts'

const POLL_MS = 1000

/** Sends due deliveries, at most PER_ENDPOINT for each endpoint. Any number of processes may call it at once. */
export const sendWebhooks = async (deps: AttemptDeps): Promise<void> => {
  await numberEvents(deps.db)
  const due = await takeDue(deps.db, new Map())
  const finished = finishing(deps.db)
  await Promise.all(due.map((delivery) => sendOne(deps, delivery, finished)))
}

type Finish = (attempt: Finished) => Promise<void>
/** Attempts that end while others are written are written together. */
const finishing = (db: Database): Finish =>
  batcher(async (attempts: Finished[]) => {
    await finish(db, attempts)
    return attempts.map(() => undefined)
  })

const sendOne = async (deps: AttemptDeps, due: DueDelivery, finished: Finish, stops?: AbortSignal) => {
  const outcome = await attempt(deps, due, stops)
  // No answer for another reason than the receiver's.
  const isCut = stops?.aborted === true && !/^\d+$/.test(outcome.answer)
  await finished({ due, outcome, isCut })
  if (!isCut) await noteOutcome(deps.db, due, outcome)
}

/** Sends webhooks until it is stopped. What has no answer by then is left to the next process. */
export const startWebhooks = (deps: AttemptDeps, log: Pick<Logger, 'error'>): (() => Promise<void>) => {
  const stopping = new AbortController()
  const { signal: stops } = stopping
  // One for each attempt; more than ten would be warned of.
  setMaxListeners(0, stops)
  const finished = finishing(deps.db)
  const busy = new Map<string, number>()
  /** Endpoints of which more may be due than was taken. */
  const full = new Set<string>()
  const sending = new Set<Promise<void>>()
  let polling: Promise<void> | undefined
  let isAgain = false

  const count = (id: string, difference: number) => {
    const now = (busy.get(id) ?? 0) + difference
    busy.set(id, now)
    return now
  }
  const fail = (error: unknown) => {
    if (!stops.aborted) log.error({ err: error }, 'Could not send webhooks; trying again')
  }
  const send = async (due: DueDelivery) => {
    const { endpointId: id, ordered } = due
    if (count(id, 1) === PER_ENDPOINT) full.add(id)
    await sendOne(deps, due, finished, stops).catch(fail)
    // The queue is filled again when half of it is sent: a query for each event would cost more than the sending. The next
    // one of an account in order may go now.
    const left = count(id, -1)
    if ((left === PER_ENDPOINT / 2 && full.delete(id)) || ordered) begin()
  }
  const poll = async () => {
    await numberEvents(deps.db)
    do {
      isAgain = false
      for (const due of await takeDue(deps.db, busy)) {
        const sent = send(due).finally(() => sending.delete(sent))
        sending.add(sent)
      }
    } while (isAgain && !stops.aborted)
  }
  const begin = () => {
    if (stops.aborted) return
    isAgain = true
    polling ??= poll()
      .catch((error: unknown) => {
        isAgain = false
        fail(error)
      })
      .finally(() => {
        polling = undefined
        // One has ended since the last look.
        if (isAgain) begin()
      })
  }
  const timer = setInterval(begin, POLL_MS).unref()
  return async () => {
    stopping.abort()
    clearInterval(timer)
    await polling
    await Promise.all(sending)
  }
}
