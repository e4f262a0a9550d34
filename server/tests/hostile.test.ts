import { randomBytes } from 'node:crypto'
import { MessageType, RoomStatus } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { expect, test } from 'vitest'
import { makeLog } from '../src/lib/log.ts'
import { startTestServer } from '../src/testing/app.ts'
import { strangeArguments } from '../src/testing/hostile.ts'
import { attackFields } from '../src/testing/hostile-run.ts'
import { platform } from '../src/testing/fakes/platform.ts'
import { outcomeOf } from '../src/testing/outcome.ts'

// All values in all fields take longer than a test may: `proofs/hostile.test.ts`.
test('[S5] hostile values in every field of every call are refused, and nothing fails', {
  timeout: 120_000,
}, async () => {
  const { cases, fields, wrong, logged } = await attackFields(3)
  expect(wrong).toEqual([])
  expect(logged).toEqual([])
  expect(cases).toBe(fields * 3)
  expect(fields).toBeGreaterThan(200)
})

const watched = async () => {
  const logged: string[] = []
  return {
    logged,
    server: await startTestServer({}, makeLog('error', { write: (line: string) => void logged.push(line) })),
  }
}

test('[S5] a refused nested text, number or date is named', async () => {
  const { server, logged } = await watched()
  const { top, agent, room, member } = await server.family()
  const cases: [name: string, body: object, field: string][] = [
    ['desk/bulk', { deed: 'show', filter: { status: RoomStatus.shown, text: 'a\0' } }, 'filter.text'],
    ['desk/bulk', { deed: 'show', codes: ['a', '\0'] }, 'codes.1'],
    [
      'members/bank-card/create',
      { member_id: member.id, accounts: [{ bank_id: 1, account_name: '\0', account_no: '1' }] },
      'accounts.0.account_name',
    ],
    ['draft/save', { code: room, content: 'x', upon: 2 ** 31 }, 'upon'],
    ['room/list', { since: '18446744073709551616' }, 'since'],
    ['room/list', { since: '99999999999999999999' }, 'since'],
    ['room/list', { since: 'x' }, 'since'],
    ['search/messages', { text: 'x', before: '0000-01-01T00:00:00.000000Z/1/1' }, 'before'],
    ['transaction/list', { start_time: '0000-01-01 00:00:00', end_time: '2026-01-01 00:00:00' }, 'start_time'],
    ['report/sr02', { start_date: '2026-02-31', end_date: '2026-03-01' }, 'start_date'],
    ['sendMessage', { code: room, type: 2 ** 31, content: 'x' }, 'type'],
  ]
  for (const [name, body, field] of cases) {
    const sealed = server.wire.seal(name, body)
    // Agents may not change bank accounts.
    const { token } = name.startsWith('members/') ? top : agent
    const { reply } = await server.post(name, sealed, { authorization: `Bearer ${token}` })
    expect([name, outcomeOf(reply), reply.data]).toEqual([name, 'request.invalid', { field }])
  }
  // The largest number, and half a surrogate pair, which becomes U+FFFD.
  expect((await agent.ask('room/list', { since: '18446744073709551615' })).code).toBe(OK)
  const sent = await agent.call('sendMessage', { code: room, type: MessageType.text, content: 'cut \ud83d' })
  expect(sent.content).toBe('cut \ufffd')
  expect(logged).toEqual([])
})

test('[S5] the member API refuses invalid UTF-8 and half surrogate pairs, and does not change signed text', async () => {
  const { server, logged } = await watched()
  const { top } = await server.family()
  const api = await platform(server, top)
  for (const [body, field] of [
    ['{"usernames":["a","\\ud800"]}', 'usernames.1'],
    ['{"usernames":["\\u0000"]}', 'usernames.0'],
    ['{"usernames":[["x"]]}', 'usernames.0'],
  ])
    expect((await api.post('balance/list', body)).reply).toMatchObject({ refusal: 'request.invalid', data: { field } })
  const bytes = Buffer.concat([
    Buffer.from('{"usernames":["'),
    Buffer.from([0xed, 0xa0, 0x80, 0xff]),
    Buffer.from('"]}'),
  ])
  expect((await api.post('balance/list', bytes)).reply).toBeRefusal('request.bad_envelope')
  expect(logged).toEqual([])
})

test('[S5] socket events with hostile arguments are answered or ignored, and nothing is logged', async () => {
  const { server, logged } = await watched()
  const { agent, cs, member, room } = await server.family()
  const joined = async (socket: Awaited<ReturnType<typeof agent.socket>>, code: unknown) =>
    (await socket.timeout(5000).emitWithAck('join', code as string)) as { ok: boolean }
  for (const person of [agent, member]) {
    const socket = await person.socket()
    for (const code of ['\0', `${room}\0`, '\ud800', 'x'.repeat(15_000), `${room}:partner`, '', 7, null, {}, [room]])
      expect([code, await joined(socket, code)]).toEqual([code, { ok: false }])
    expect(await joined(socket, room)).toEqual({ ok: true })
    let sent = 0
    for (const name of ['typing', 'looking', 'received', 'join', 'leave', 'nothing'] as const)
      for (const args of strangeArguments(room)) {
        // The server closes a socket that sends too much at once.
        if (++sent > 700) break
        ;(socket.emit as (name: string, ...args: unknown[]) => unknown)(name, ...args)
      }
    // After everything above, on the same socket.
    expect(await joined(socket, room)).toEqual({ ok: true })
    expect(socket.connected).toBe(true)
  }
  // Marks of others in the same batch are stored.
  const [one, two] = [await cs.socket(), await agent.socket()]
  await agent.call('sendMessage', { code: room, type: MessageType.text, content: 'x' })
  const delivered = new Promise<number>((resolve) => two.on('delivered', ({ seq }) => resolve(seq)))
  const other = await member.socket()
  one.emit('received', [['\0', 1]])
  other.emit('received', [
    [`${randomBytes(4).toString('hex')}\0`, 1],
    [room, 1],
  ])
  expect(await delivered).toBe(1)
  expect(logged).toEqual([])
})
