import type { Logger } from 'pino'
import { repeat } from '../../lib/concurrency.ts'
import { wakeDue } from './snooze.ts'
import { remindDue, sendDue, type TimedParts } from './timed-acts.ts'

const LOOK_MS = 1000

/** DESK-07: does what its time has come for, each second in each copy. What fails keeps nothing else from it. */
export const startDue = (parts: TimedParts & { log: Pick<Logger, 'error'> }): (() => Promise<void>) => {
  const { db, hub, log } = parts
  const works = [
    async (isStopped: () => boolean) => {
      while (!isStopped() && (await wakeDue(db, hub)) > 0);
    },
    () => sendDue(parts),
    () => remindDue(parts),
  ]
  const stops = works.map((work) =>
    repeat({
      everyMs: LOOK_MS,
      work,
      onError: (error) => log.error({ err: error }, 'Could not do what is due in conversations; trying again'),
    }),
  )
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
