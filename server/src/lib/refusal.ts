import type { ErrorName } from '@tallyroom/contract'

/** Refuses a call by name: the transaction rolls back, and the caller gets the name's code and words. */
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

/** Returns the row, or refuses when there is none. */
export const ensure = <T>(row: T | undefined | null, refusal: ErrorName): T => row ?? refuse(refusal)

/** Goes into `catch`: a refusal gives this value; any other error, such as a database that is away, goes on. */
export const ifRefused =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof Refused) return value
    throw error
  }
