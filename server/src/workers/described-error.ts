import { DatabaseAway, UnsureCommit } from '../data/faults.ts'
import type { ErrorName } from '@tallyroom/contract'
import { Refused } from '../lib/refusal.ts'
import { StartError } from '../lib/start-error.ts'

/** An error on its way to another process, where calls answer by its kind as if it had been thrown there. */
export type Described =
  | { kind: 'refused'; refusal: ErrorName; data: Record<string, unknown> }
  | {
      kind: 'away' | 'unsure' | 'start' | 'other'
      message: string
      stack: string | undefined
      code: string | undefined
    }

export const describe = (error: unknown): Described => {
  if (error instanceof Refused) return { kind: 'refused', refusal: error.refusal, data: error.data }
  if (error instanceof DatabaseAway) return { kind: 'away', ...wordsOf(error.cause) }
  if (error instanceof UnsureCommit) return { kind: 'unsure', ...wordsOf(error.cause) }
  return { kind: error instanceof StartError ? 'start' : 'other', ...wordsOf(error) }
}

const wordsOf = (error: unknown) => {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined, code: undefined }
  return { message: error.message, stack: error.stack, code: 'code' in error ? String(error.code) : undefined }
}

export const asError = (described: Described): Error => {
  if (described.kind === 'refused') return new Refused(described.refusal, described.data)
  const { kind, message, stack, code } = described
  if (kind === 'start') return new StartError(message)
  const error = Object.assign(new Error(message), stack ? { stack } : {}, code ? { code } : {})
  if (kind === 'away') return new DatabaseAway(error)
  return kind === 'unsure' ? new UnsureCommit(error) : error
}
