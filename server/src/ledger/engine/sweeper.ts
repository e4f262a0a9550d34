import type { Logger } from 'pino'
import type { Ledger } from './ledger.ts'

/** Ends due envelopes every few seconds until it is stopped. */
export const startSweeper = (ledger: Ledger, log: Pick<Logger, 'error'>, everyMs = 3000): (() => void) => {
  let isBusy = false
  const sweep = async () => {
    if (isBusy) return
    isBusy = true
    try {
      await ledger.expireDue()
    } catch (error) {
      log.error({ err: error }, 'Could not expire due envelopes; trying again')
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(() => void sweep(), everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
