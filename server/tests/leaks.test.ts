import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { MessageType } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { many, sql } from '../src/data/sql.ts'
import { makeLog } from '../src/lib/log.ts'
import { startTestServer } from '../src/testing/app.ts'
import { asSuperuser } from '../src/testing/postgres.ts'

/** Secrets that people type or get, each unique. */
const plant = (count: number) => Array.from({ length: count }, () => `Zq${randomBytes(6).toString('hex').slice(0, 12)}`)

test('[S12] fifty planted secrets are in no log line, no table, no line of the audit log and no answer', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const tested = await startTestServer({}, makeLog('trace', stream))
  const { services, wire } = tested
  const { agent, cs, member, room } = await tested.family()
  const secrets = plant(50)
  const next = () => secrets[at++] ?? ''
  let at = 0
  const answers: unknown[] = []
  const bearer = { authorization: `Bearer ${agent.token}` }
  const say = async (name: string, body: unknown, headers: Record<string, string> = {}) =>
    answers.push((await tested.post(name, wire.seal(name, body), headers)).reply)

  for (let n = 0; n < 8; n++) {
    const password = next()
    await say(
      'user/add',
      { username: `leak${n}${agent.id}`.slice(0, 10), password, password_confirmation: password },
      bearer,
    )
    await say('user/edit', { id: cs.id, password, password_confirmation: password }, bearer)
    const wrong = next()
    await say('login', { username: agent.username, password: wrong, auth_done: wrong })
    await say('login', { username: wrong, password: wrong })
    const pay = next()
    const set = { password: 'secret123', payment_password: pay, payment_password_confirmation: pay }
    await say('user/paymentPassword', set, bearer)
    const guess = next()
    await say('user/transaction', { id: member.id, amount: '1', payment_password: guess }, bearer)
    await say('user/paymentPassword', { ...set, password: next() }, bearer)
  }
  for (let n = 0; n < 5; n++) {
    const token = next()
    await say(
      'user/list',
      {},
      { authorization: `Bearer ${token}${'x'.repeat(30)}`, cookie: `tallyroom_office=${next()}` },
    )
  }
  expect(at).toBe(50)
  // Errors of ours and of the database, whose details contain whole rows.
  await asSuperuser((tx) => tx.query('alter table accounts add constraint broken check (nickname <> $$broken$$)', []))
  const password = secrets[0] ?? ''
  await say('user/edit', { id: cs.id, nickname: 'broken', password, password_confirmation: password }, bearer)
  await say('sendMessage', { code: room, type: MessageType.text, content: '\u0000' }, bearer)
  expect(lines.some((line) => line.includes('A call failed'))).toBe(true)
  // Issued tokens appear once and never again.
  const planted = [...secrets, agent.token, cs.token, member.token]

  const tables = await many<{ name: string }>(
    services.db,
    sql`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const dump = await Promise.all(
    tables.map(({ name }) =>
      many<{ row: string }>(services.db, { text: `select t::text as row from "${name}" t`, values: [] }),
    ),
  )
  const everywhere = { log: lines.join(''), dump: JSON.stringify(dump), answers: JSON.stringify(answers) }
  for (const [where, text] of Object.entries(everywhere)) {
    expect([where, planted.filter((secret) => text.includes(secret))]).toEqual([where, []])
  }
  expect(everywhere.log).not.toContain('argon2id')
  expect(everywhere.answers).not.toContain('argon2id')
})
