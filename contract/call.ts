import type { z } from 'zod'
import type { ErrorName } from './errors.ts'

/** One call of the API: its request, its response, whether it writes, and its refusals. The server's `policy.ts` says who may make it. */
export type Call = {
  request: z.ZodType
  response: z.ZodType
  /** A write takes an optional `request_id` beside its own fields and can be repeated safely with it. */
  effect: 'read' | 'write'
  /** Image calls may be as large as 8 MB; all others 256 KB. */
  size?: 'image'
  /** Its refusals beside `commonRefusals`. A handler that refuses with any other name fails its tests. */
  refuses?: readonly ErrorName[]
}

/** A table of calls. The key is the path after /api/, and the call's name everywhere else. */
export const calls = <const T extends Record<string, Call>>(table: T): T => table
