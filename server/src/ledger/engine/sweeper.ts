import type { Logger } from 'pino'
import type { Ledger } from './ledger.ts'

/** Ends due envelopes every few seconds until it is stopped. Stopping waits for the one that is under way. */
export const startSweeper = (ledger: Ledger, log: Pick<Logger, 'error'>, everyMs = 3000): (() => Promise<void>) => {
  let running: Promise<void> | undefined
  const sweep = async () => {
    try {
      await ledger.expireDue()
    } catch (error) {
      log.error({ err: error }, 'Could not expire due envelopes; trying again')
    } finally {
      running = undefined
    }
  }
  const timer = setInterval(() => {
    running ??= sweep()
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    // Otherwise its query fails when the database stops, and the log ends with an error that is none.
    await running
  }
}
