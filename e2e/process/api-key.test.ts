import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../support/client.ts'
import { consoleOf, programOf } from '../support/console.ts'
import { startOnCopy } from '../support/on-copy.ts'
import { type ApiKey, platformAt } from '../support/platform.ts'
import type { Server } from '../support/server.ts'

let server: Server
beforeAll(async () => {
  server = await startOnCopy()
}, 30_000)
afterAll(() => server.remove())

const apiKey = (...words: string[]) => consoleOf(server, 'api-key', words)
const OUTPUT = /^Key: (tks?_[0-9a-f]{24})\nSecret \(shown this once\): (\S+)$/m
/** The new key, from the program's output. */
const made = async (...words: string[]) => {
  const { code, output } = await apiKey(...words)
  const [, id = '', secret = ''] = OUTPUT.exec(output) ?? []
  expect([code, output]).toEqual([0, expect.stringMatching(OUTPUT)])
  return { id, secret }
}

/** The member API's HTTP status for a call signed with this key. */
const callWithKey = async (key: ApiKey): Promise<number> =>
  (await platformAt(server.url, key).post('balance/list', { usernames: ['nobody'] })).status

test('[S28] an operator adds, rotates and revokes keys of the member API from the command line', async () => {
  const first = await made('add', 'ADMIN', `Game server ${'x'.repeat(60)}`, '--rights', 'accounts:read,webhooks')
  expect(await callWithKey(first)).toBe(200)
  expect(await callWithKey({ ...first, secret: `${first.secret}x` })).toBe(401)
  expect((await apiKey('list', 'admin')).output).toContain(
    `${first.id}  active   Game server ${'x'.repeat(38)}  (signs webhooks)\n    accounts:read, webhooks\n    last used 20`,
  )

  // The old key stays valid for a day.
  const second = await made('rotate', 'admin', first.id)
  expect([await callWithKey(first), await callWithKey(second)]).toEqual([200, 200])
  expect(await apiKey('revoke', 'admin', first.id)).toEqual({ code: 0, output: `${first.id} is revoked.` })
  expect([await callWithKey(first), await callWithKey(second)]).toEqual([401, 200])
  const { output } = await apiKey('list', 'admin')
  // [RUN-12] For programs.
  const asJson = JSON.parse((await apiKey('list', 'admin', '--json')).output) as { id: string; active: boolean }[]
  expect(asJson.map(({ id, active }) => [id, active])).toEqual(
    expect.arrayContaining([
      [first.id, false],
      [second.id, true],
    ]),
  )
  expect(output).toContain(`${first.id}  revoked`)
  expect(output).toContain(`${second.id}  active`)
  const receiver = await made('add', 'admin', 'Receiver', '--rights', 'webhooks')
  expect(await callWithKey(receiver)).toBe(403)
  expect((await apiKey('list', 'admin')).output).toContain(`${receiver.id}  active   Receiver  (signs webhooks)`)

  // [API-01] A new key may do nothing until it has rights.
  const none = await apiKey('add', 'admin', 'Later')
  expect(none.output).toContain('It may do nothing yet: npm run api-key -- set admin tk_')
  const [, id = ''] = OUTPUT.exec(none.output) ?? []
  const terms = ['--rights', 'bets accounts:read', '--addresses', '10.0.0.0/8,192.0.2.7', '--expires', '2999-12-31']
  expect((await apiKey('set', 'admin', id, ...terms, '--per-second', '5')).output).toBe(
    `${id}: bets, accounts:read; from 10.0.0.0/8, 192.0.2.7; until 2999-12-31; 5 a second`,
  )
  expect(
    (await apiKey('set', 'admin', id, '--addresses', 'none', '--expires', 'none', '--per-second', 'none')).output,
  ).toBe(`${id}: bets, accounts:read`)
  const admin = await signIn(server.url, 'admin', server.password)
  const { data } = await admin.call('audit/list', { kind: 'api_key_changed' })
  expect(data).toHaveLength(9)
  for (const { actor_id, facts } of data) {
    expect(actor_id).toBeNull()
    expect(facts).toContainEqual({ field: 'by', before: null, after: 'console' })
  }
  const shown = JSON.stringify(data) + server.output()
  for (const { secret } of [first, second, receiver]) expect(shown).not.toContain(secret)
})

test('[API-11] an operator makes a key of the sandbox with the date of its form, and empties it', async () => {
  expect((await apiKey('empty', 'admin')).output).toContain('admin has no sandbox.')
  const key = await made('add', 'admin', 'Tests', '--sandbox', '--rights', 'accounts:read', '--form', '2026-12-01')
  expect(key.id).toMatch(/^tks_/)
  expect((await apiKey('list', 'admin')).output).toContain(
    `${key.id}  active   Tests  SANDBOX\n    accounts:read; form 2026-12-01`,
  )
  expect(await callWithKey(key)).toBe(200)
  expect(await apiKey('empty', 'admin')).toEqual({ code: 0, output: 'The sandbox of admin is empty.' })
  expect(await callWithKey(key)).toBe(200)
})

test.each([
  [['add', 'nobody'], 'There is no top account "nobody".'],
  [['rotate', 'admin', 'tk_none'], '"tk_none" is not a valid key of admin'],
  [['set', 'admin', 'tk_none', '--rights', 'bets'], '"tk_none" is not a valid key of admin'],
  [['add', 'admin', 'x', '--rights', 'all'], 'The rights are accounts:read, accounts:write,'],
  [['add', 'admin', 'x', '--addresses', '10.0.0.0/40'], '"10.0.0.0/40" is not an address or a network'],
  [['add', 'admin', 'x', '--per-second', 'many'], '"many" is not right for --per-second.'],
  [['add', 'admin', 'x', '--form', '2020-01-01'], 'The dates are 2026-12-01.'],
  [['add', 'admin', 'x', '--expires', 'soon'], '"soon" is not right for --expires.'],
])('%j is refused in one line', async (words, line) => {
  expect(await apiKey(...words)).toEqual({ code: 1, output: expect.stringContaining(line) as string })
})

test('without a command it lists its commands', async () => {
  const { code, output } = await programOf(server, 'api-key', [])
  expect(code).toBe(2)
  for (const command of ['list', 'add', 'set', 'rotate', 'revoke', 'empty'])
    expect(output).toContain(`  ${command} TOP`)
})
