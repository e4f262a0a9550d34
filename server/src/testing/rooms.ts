import { expect } from 'vitest'
import type { Person } from './app.ts'

/**
 * A cursor of the room list after which nothing has changed yet. A transaction that runs beside the test, also in another
 * database, holds the cursor back for a while, and with it come rooms that changed before.
 */
export const settledCursor = async (who: Person): Promise<string> => {
  let cursor = ''
  await expect
    .poll(async () => {
      ;({ cursor } = await who.call('room/list', {}))
      return (await who.call('room/list', { since: cursor })).data
    })
    .toEqual([])
  return cursor
}
