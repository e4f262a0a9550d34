import { z } from 'zod'

/**
 * Where the page before ended. Each call writes its own name before the place, so that it refuses the cursor of another
 * call instead of beginning somewhere.
 */
export const cursor = (call: string, pattern = String.raw`\d{1,15}`) =>
  z
    .string()
    .regex(new RegExp(`^${call}-${pattern}$`), 'Not a cursor of this call: send `next` of its last answer')
    .transform((text) => text.slice(call.length + 1))
    .optional()
    .describe('`next` of the answer before.')
export const next = z
  .string()
  .nullable()
  .describe('Send it as `after` to get the rows that follow. Null: there are none.')
