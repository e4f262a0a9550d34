import type { Logger } from 'pino'
import type { Db } from '../data/sql.ts'
import { masksNames } from '../identity/actor.ts'
import type { RelayAction } from './frames.ts'

type Performer = { perform: (action: RelayAction) => void }

/** Performs the actions of other copies. Who sees names masked is read from the database: such an action may come late, or again. */
export const performAsStored =
  (db: Db, hub: () => Performer, log: Pick<Logger, 'error'>) =>
  (action: RelayAction): void =>
    action.do === 'mask' ? maskAsStored(db, hub(), action.accounts, log) : hub().perform(action)

const maskAsStored = (db: Db, { perform }: Performer, ids: number[], log: Pick<Logger, 'error'>): void => {
  masksNames(db, ids).then(
    (rows) => {
      for (const masks of [true, false]) {
        const accounts = rows.flatMap((row) => (row.masks === masks ? row.id : []))
        if (accounts.length > 0) perform({ do: 'mask', accounts, masks })
      }
    },
    (error: unknown) => {
      log.error({ err: error }, 'Could not read who sees usernames masked, so all of these do')
      perform({ do: 'mask', accounts: ids, masks: true })
    },
  )
}
