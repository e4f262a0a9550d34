import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MessageType } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { many, sql } from '../../data/sql.ts'
import { startTestServer } from '../../testing/app.ts'
import { cashFamily } from '../../testing/cash.ts'

const server = await startTestServer()
const slip =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('[CASH-01] a request that is refused leaves no slip behind, and takes none that is in use', async () => {
  const { member, out } = await cashFamily(server)
  const slips = async () =>
    (
      await many<{ id: string }>(
        server.services.db,
        sql`select m.id from media m join rooms r on r.id = m.room_id where r.partner_id = ${member.id}`,
      )
    ).map(({ id }) => id)
  const isStored = (id: string) => existsSync(join(server.services.settings.dataDir, 'media', id.slice(0, 2), id))
  const poor = { ...out('1000'), slip, request_id: randomUUID() }
  for (let n = 0; n < 3; n++) expect((await member.ask('cash/ask', poor)).refusal).toBe('transfer.not_enough')
  expect(await slips()).toEqual([])
  const asked = { ...out('30'), slip, request_id: randomUUID() }
  await member.call('cash/ask', asked)
  const [id = ''] = await slips()
  expect(isStored(id)).toBe(true)
  // The same image under the same id, for something else; then one more request at a time.
  expect((await member.ask('cash/ask', { ...asked, amount: '31' })).refusal).toBe('request.id_reused')
  const more = { ...asked, request_id: randomUUID() }
  expect((await member.ask('cash/ask', more)).refusal).toBe('cash.one_at_a_time')
  expect(await slips()).toEqual([id])
  expect(isStored(id)).toBe(true)
  const room = (await member.call('room/list', {})).data[0]?.code ?? ''
  const sent = { code: room, type: MessageType.image, content: slip, request_id: randomUUID() }
  await member.call('sendMessage', sent)
  expect((await member.ask('cash/ask', { ...asked, request_id: sent.request_id })).refusal).toBe('request.id_reused')
  expect(await slips()).toHaveLength(2)
})
