import type { Logger } from 'pino'
import { repeat } from '../../lib/concurrency.ts'
import type { Ledger } from './ledger.ts'

/** Ends due envelopes every few seconds until it is stopped. Stopping waits for the one that is under way. */
export const startSweeper = (ledger: Ledger, log: Pick<Logger, 'error'>, everyMs = 3000): (() => Promise<void>) =>
  repeat({
    everyMs,
    work: () => ledger.expireDue(),
    onError: (error) => log.error({ err: error }, 'Could not expire due envelopes; trying again'),
  })
