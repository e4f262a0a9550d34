import type { z } from 'zod'
import type { ErrorName } from './errors.ts'

/**
 * One call of the API: what goes in, what comes out, whether it writes, and what it may refuse with
 * beyond the refusals of the road itself (bad envelope, dead session, authority, throttle).
 * Who may make it stands in the server's `policy.ts`.
 */
export type Call = {
  request: z.ZodType
  response: z.ZodType
  /** A write takes an optional `request_id` beside its own fields and can be repeated safely with it. */
  effect: 'read' | 'write'
  /** Image calls may be as large as 8 MB; all others 256 KB. */
  size?: 'image'
  refuses?: readonly ErrorName[]
}

/** A table of calls. The key is the path after /api/, and the only name the call ever has. */
export const calls = <const T extends Record<string, Call>>(table: T): T => table
