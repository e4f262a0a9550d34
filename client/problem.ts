import type { Facts, Refusal } from './calls.ts'

type FactsOf<R extends Refusal> = R extends keyof Facts ? Facts[R] : Record<never, never>
/** The body of a refusal: problem details (RFC 9457). */
export type ProblemBody = {
  title: string
  status: number
  detail: string
  instance: string
  refusal: Refusal
  code: number
}
/** The call that failed. */
export type FailedCall = {
  /** Its name, such as `points/give`. */
  call: string
  /** Of a write: the key to repeat it with. */
  idempotencyKey: string | undefined
}

/**
 * A refusal. Decide by `refusal`; `isRefused` tells which one it is. A newer server may have names that this client does
 * not know.
 */
export class TallyroomProblem<R extends Refusal = Refusal> extends Error implements FailedCall {
  override readonly name = 'TallyroomProblem'
  readonly call: string
  readonly idempotencyKey: string | undefined
  /** Why it was refused. */
  readonly refusal: R
  /** The code of the refusal in the form without a date. */
  readonly code: number
  /** The HTTP status. */
  readonly status: number
  /** The same for each refusal of this name, in English; `message` is in the `language` of the client. */
  readonly title: string
  /** This call in the log of the server. */
  readonly instance: string
  /** Of `request.invalid`: all fields that are not as the document says. */
  readonly errors: readonly { pointer: string; reason: string }[]
  /** What the refusal says beside its name, such as `{ right }` of `api.not_allowed`. */
  readonly facts: FactsOf<R>
  /** Seconds to wait before another attempt, if the server has named them. */
  readonly retryAfter: number | undefined

  constructor(body: ProblemBody, { call, idempotencyKey }: FailedCall, retryAfter: number | undefined) {
    const { title, status, detail, instance, refusal, code, ...facts } = body
    const { errors = [] } = facts as { errors?: { pointer: string; reason: string }[] }
    const fields = errors.map(({ pointer, reason }) => ` ${pointer}: ${reason}.`)
    super(`${call} was refused with ${refusal}: ${detail}${fields.join('')}`)
    this.call = call
    this.idempotencyKey = idempotencyKey
    this.refusal = refusal as R
    this.code = code
    this.status = status
    this.title = title
    this.instance = instance
    this.errors = errors
    this.facts = facts as unknown as FactsOf<R>
    this.retryAfter = retryAfter
  }
}

/**
 * No attempt has got an answer that can be read, so a write may or may not have taken effect. Repeat it with the same
 * `idempotencyKey`: it takes effect once.
 */
export class TallyroomUnanswered extends Error implements FailedCall {
  override readonly name = 'TallyroomUnanswered'
  readonly call: string
  readonly idempotencyKey: string | undefined
  /** The HTTP status of the last answer, of a proxy for example. */
  readonly status: number | undefined

  constructor({ call, idempotencyKey }: FailedCall, { cause, status }: { cause?: unknown; status?: number }) {
    const why = status === undefined ? String(cause) : `HTTP status ${status}`
    super(`${call} has no answer (${why})`, { cause })
    this.call = call
    this.idempotencyKey = idempotencyKey
    this.status = status
  }
}

/** Whether an error is a refusal with one of these names; without names, whether it is a refusal. */
export const isRefused = <R extends Refusal = Refusal>(error: unknown, ...names: R[]): error is TallyroomProblem<R> =>
  error instanceof TallyroomProblem && (names.length === 0 || (names as string[]).includes(error.refusal))
