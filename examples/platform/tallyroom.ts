import { createTallyroom } from '@tallyroom/client'

/** One client for all calls of this server. Its key has only the rights that this server needs. */
export const tallyroom = createTallyroom({
  url: process.env['TALLYROOM_URL'] ?? '',
  key: process.env['TALLYROOM_KEY'] ?? '',
  secret: process.env['TALLYROOM_SECRET'] ?? '',
})
