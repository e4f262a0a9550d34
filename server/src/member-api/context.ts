import type { ApiRight } from '@tallyroom/contract/api/rights'
import type { Database, Tx } from '../data/sql.ts'
import type { Caller } from '../identity/caller.ts'
import type { RepeatableWrite } from '../lib/idempotency-key.ts'
import type { Services } from '../services.ts'
import type { FindMember } from './named-account.ts'

/** The caller: an API key, the account that it acts as, and the top account below which it acts. */
export type ApiCtx = {
  services: Services
  db: Tx
  caller: Caller
  topId: number
  keyId: string
  /** The rights of the key. */
  rights: readonly ApiRight[]
  actor: { id: number; topId: number }
  /** The zone of the times that its answer shows, and of those that it asks for; days are the installation's. */
  timesIn: string
  /** The write, if the call is one. */
  report: RepeatableWrite | undefined
}
/** The context of calls with a transaction of their own or a shared one. They store their outcome themselves. */
export type BatchedApiCtx = Omit<ApiCtx, 'db'> & {
  db: Database
  findMember: FindMember
  /** Locks the right to the call until the end of a transaction that it begins. */
  keepRight: (tx: Tx) => Promise<void>
}
