import type { Logger } from 'pino'
import { checkMediaStore } from '../doctor/media.ts'
import { startExpiring } from '../accounts/sensitive-changes.ts'
import { startBot } from '../chat/bot/responder.ts'
import { startCountingWaits } from '../chat/desk/count-waits.ts'
import { startAssigner } from '../chat/desk/assigner.ts'
import { startDue } from '../chat/desk/due.ts'
import { startStates } from '../chat/desk/states.ts'
import { startSlips } from '../chat/slips/book.ts'
import { startChaining } from '../identity/audit-chain.ts'
import { startCleaning } from '../identity/sign-in/cleaning.ts'
import { startWalking } from '../ledger/check/walk.ts'
import { startMarking } from '../ledger/read/posting-marks.ts'
import { startSumming } from '../ledger/read/report-sums.ts'
import { startSealing } from '../ledger/seal/sealer.ts'
import { startSweeper } from '../ledger/engine/sweeper.ts'
import { startWebhooks } from '../member-api/events/webhooks.ts'
import { startRetention } from '../retention/start.ts'
import type { Services } from '../services.ts'

/** Starts the tasks that run beside the calls, in one process of an installation's copy. */
export const startTasks = (services: Services, log: Logger) => {
  const { db, hub, measures, settings, outgoing } = services
  checkMediaStore(services, log)
  const stopSweeper = startSweeper(services.ledger, log)
  const stopExpiring = startExpiring(services)
  const stopCleaning = startCleaning(db, log)
  const stopRetention = startRetention(services)
  const stopBot = settings.botAnswers ? startBot({ db, hub, bot: settings.bot, log, outgoing }) : undefined
  const stopStates = startStates(db, hub, log)
  const stopAssigner = startAssigner(services)
  const stopDue = startDue(services)
  const stopSlips = startSlips(services)
  const stopCountingWaits = startCountingWaits(db, settings, log)
  const stopChaining = startChaining(db, log)
  const stopMarking = startMarking(db, log)
  const stopSumming = startSumming(db, settings, log)
  const stopSealing = settings.sealsLedger ? startSealing(db, { log, onPass: measures.sealed }) : undefined
  const stopWalking = startWalking({ db, log, measures, sealsLedger: settings.sealsLedger })
  const stopWebhooks = startWebhooks(services, log)
  return {
    /** Before the calls end. */
    async stopFirst() {
      await stopSweeper()
      await stopExpiring()
      await stopCleaning()
      await stopRetention()
    },
    /** When the calls have ended, which these may wait for or go on from. */
    async stopLast() {
      await stopBot?.()
      await stopStates()
      await stopAssigner()
      await stopDue()
      await stopSlips()
      await stopCountingWaits()
      await stopChaining()
      await stopMarking()
      await stopSumming()
      await stopSealing?.()
      await stopWalking()
      await stopWebhooks()
    },
  }
}
