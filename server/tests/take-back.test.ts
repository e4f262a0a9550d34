import { randomUUID } from 'node:crypto'
import { MessageType } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { startTestServer } from '../src/testing/app.ts'
import { takeBackRaces } from '../src/testing/ledger/take-back-races.ts'

// 1,000 of them: proofs/unsend.test.ts.
test('[CONV-10] 50 races of taking back against reading, searching and quoting have one outcome on both sides', async () => {
  const found = await takeBackRaces(await startTestServer(), await startTestServer(), 50)
  expect(found.faults).toEqual([])
}, 60_000)

test('[CONV-10] a frozen member, or one who left the room, takes nothing back', async () => {
  const server = await startTestServer()
  const { agent, cs, room } = await server.family()
  const { message_id } = await cs.call('sendMessage', { code: room, type: MessageType.text, content: 'x' })
  await agent.call('user/delete', { id: cs.id })
  expect(await cs.ask('message/takeBack', { code: room, message_id, request_id: randomUUID() })).toBeRefusal(
    'session.dead',
  )
})
