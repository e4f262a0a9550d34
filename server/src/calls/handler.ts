import type { Database, Db, Tx } from '../data/sql.ts'
import type { Actor } from '../identity/actor.ts'
import type { Caller, Reply } from '../identity/caller.ts'
import type { IdempotencyKey } from '../lib/idempotency-key.ts'
import type { Services } from '../services.ts'
import type { Answer, CallName, EffectOf, Parsed } from '@tallyroom/contract'

type Base = { services: Services; caller: Caller; reply: Reply; idempotencyKey: IdempotencyKey }
/** A write runs in a transaction. A batched call begins its own transactions. */
export type Ctx = Base & { actor: Actor; db: Tx }
/** A read has no transaction. */
export type ReadCtx = Base & { actor: Actor; db: Db }
export type BatchedCtx = Base & { actor: Actor; db: Database }
/** The fields of an order of the ledger that name its call, its idempotency key, and its origin for the audit log. */
export const orderSource = (
  { actor, idempotencyKey, caller }: Pick<BatchedCtx, 'actor' | 'idempotencyKey' | 'caller'>,
  call: string,
) => ({ actor, idempotencyKey, call, from: { session: actor.session, address: caller.address } })
/** A call without a session has no actor and begins its own transactions. */
export type OpenCtx = Base & { actor: undefined; db: Db }

type CtxOf<N extends CallName> = EffectOf<N> extends 'write' ? Ctx : ReadCtx
type Handler<N extends CallName> = (ctx: CtxOf<N>, input: Parsed<N>) => Promise<Answer<N>>
type OpenHandler<N extends CallName> = { open: (ctx: OpenCtx, input: Parsed<N>) => Promise<Answer<N>> }
type BatchedHandler<N extends CallName> = { batched: (ctx: BatchedCtx, input: Parsed<N>) => Promise<Answer<N>> }

/** One handler for every call of a table, with the call's own input and answer. */
export type Handlers<Table> = {
  [N in keyof Table & CallName]: Handler<N> | OpenHandler<N> | BatchedHandler<N>
}
