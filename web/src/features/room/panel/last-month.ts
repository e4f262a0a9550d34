import { serverNow } from '../../../lib/clock.ts'
import { lastRange, rangeToSend } from '../../../ui/form/range.ts'

const DAY = 24 * 3_600_000

/** The last 30 days and the next one, so that new entries are included. Constant all day, because it is the cache key. */
export const lastMonth = () => rangeToSend(lastRange(32 * DAY, (Math.ceil(serverNow() / DAY) + 1) * DAY))

/** A refused part shows the error in its place, and the rest of the page works. */
export const meta = { optional: true }
