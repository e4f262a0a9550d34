import { randomUUID } from 'node:crypto'
import { MessageType } from '@tallyroom/contract/codes'
import type { Message } from '@tallyroom/contract/events'
import { expect } from 'vitest'
import type { Person } from './app.ts'

/** A text for a room, as `sendMessage` takes it. */
export const text = (code: string, content: string, request_id: string = randomUUID()) => ({
  code,
  type: MessageType.text,
  content,
  request_id,
})

export const contents = (messages: Message[]) => messages.map(({ content }) => content)

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
