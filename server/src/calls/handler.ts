import type { Answer, CallName, ErrorName, Parsed } from '@tallyroom/contract'
import type { Language } from '@tallyroom/locales'
import type { Actor } from '../identity/actor.ts'
import type { Database, Db, Tx } from '../data/sql.ts'
import type { House } from '../services.ts'

/** Refuses a call by name: the transaction rolls back and the caller gets the name's number and words. */
export class Refused extends Error {
  readonly refusal: ErrorName
  readonly data: Record<string, unknown>
  constructor(refusal: ErrorName, data: Record<string, unknown> = {}) {
    super(refusal)
    this.refusal = refusal
    this.data = data
  }
}
export const refuse = (refusal: ErrorName, data?: Record<string, unknown>): never => {
  throw new Refused(refusal, data)
}
/** Hands the row back, or refuses when there is none. */
export const ensure = <T>(row: T | undefined | null, refusal: ErrorName): T => row ?? refuse(refusal)

/** Where a call comes from: for sessions, throttles and the log. */
export type Caller = {
  address: string
  userAgent: string
  language: Language
  secure: boolean
  wantsBound: boolean
  cookies?: string | undefined
}
/** What makes a write repeatable: unique for an actor, with a hash of what was asked. */
export type Request = { id: string; hash: Buffer }
/** Cookies and the like that an answer sets beside its body. */
export type Reply = { setCookie(name: string, value: string, maxAge: number): void }

type Base = { house: House; caller: Caller; reply: Reply; request: Request }
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
