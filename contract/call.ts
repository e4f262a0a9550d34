import type { z } from 'zod'
import type { ErrorName } from './errors.ts'

/**
 * One call of the API: its request, its response, whether it writes, and its refusals. The server's `policy.ts` says
 * who may make it.
 */
export type Call = {
  request: z.ZodType
  response: z.ZodType
  /** A write takes an optional `request_id` beside its own fields, which makes repeating it safe. */
  effect: 'read' | 'write'
  /** Image calls may have a body of 8 MB, all others 256 KB. */
  size?: 'image'
  /** Its refusals beside `commonRefusals`. A test fails when the handler refuses with any other name. */
  refuses?: readonly ErrorName[]
}

/** A table of calls. A key is the path after /api/ and the call's name everywhere else. */
export const calls = <const T extends Record<string, Call>>(table: T): T => table
