import { z } from 'zod'

/** The request of every write. */
export const Write = z.object({
  request_id: z
    .uuid()
    .describe('A new UUID for each write. Sending the same one again within 30 days repeats the call safely.'),
})
