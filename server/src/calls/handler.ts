import type { Database, Db, Tx } from '../data/sql.ts'
import type { Actor } from '../identity/actor.ts'
import type { Caller, Reply } from '../identity/caller.ts'
import type { Request } from '../lib/request.ts'
import type { Services } from '../services.ts'
import type { Answer, CallName, Parsed } from '@tallyroom/contract'

type Base = { services: Services; caller: Caller; reply: Reply; request: Request }
/** `db` of a read asks the pool, of a write its transaction; a batched call has its own and gets the whole database. */
export type Ctx = Base & { actor: Actor; db: Tx }
export type BatchedCtx = Base & { actor: Actor; db: Database }
/** A call that anyone may make has no actor, and begins its transactions by itself. */
export type OpenCtx = Base & { actor: undefined; db: Tx }

type Handler<N extends CallName> = (ctx: Ctx, input: Parsed<N>) => Promise<Answer<N>>
type OpenHandler<N extends CallName> = { open: (ctx: OpenCtx, input: Parsed<N>) => Promise<Answer<N>> }
type BatchedHandler<N extends CallName> = { batched: (ctx: BatchedCtx, input: Parsed<N>) => Promise<Answer<N>> }

/** One handler for every call of a table: no fewer, no more, each with the call's own input and answer. */
export type Handlers<Table> = {
  [N in keyof Table & CallName]: Handler<N> | OpenHandler<N> | BatchedHandler<N>
}
export type { Db, Tx }
