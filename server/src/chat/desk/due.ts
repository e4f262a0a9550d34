import type { Logger } from 'pino'
import type { Database } from '../../data/sql.ts'
import { repeat } from '../../lib/concurrency.ts'
import type { Hub } from '../../live/hub.ts'
import { wakeDue } from './snooze.ts'

const LOOK_MS = 1000

/** DESK-07: does what its time has come for, each second in each copy. */
export const startDue = (parts: { db: Database; hub: Hub; log: Pick<Logger, 'error'> }): (() => Promise<void>) =>
  repeat({
    everyMs: LOOK_MS,
    work: async (isStopped) => {
      while (!isStopped() && (await wakeDue(parts.db, parts.hub)) > 0);
    },
    onError: (error) => parts.log.error({ err: error }, 'Could not bring back snoozed conversations; trying again'),
  })
