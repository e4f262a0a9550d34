import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { MessageType } from '@tallyroom/contract/codes'
import { makeClient, signIn, signUp } from '../../e2e/support/client.ts'
import { databaseOf } from '../../e2e/support/faults/kills.ts'
import { startServer } from '../../e2e/support/server.ts'
import { buildServer } from '../../scripts/build.mjs'

// RUN-05. `npx tsx proofs/operation/growth.ts [--rows N]`: N old rows (2,000,000) in the tables that grow with time, then a start: how long
// until the server has deleted them, and how long transfers wait meanwhile.
const { values } = parseArgs({ options: { rows: { type: 'string', default: '2000000' } } })
const ROWS = Number(values.rows)
const say = (line: string) => process.stdout.write(`${line}\n`)

await buildServer()
const env = { MESSAGE_DAYS: '40' }
const first = await startServer({ env })
const admin = await signIn(first.url, 'admin', first.password)
const { share_code, id: top } = await admin.call('user/view', {})
const member = await signUp(first.url, share_code, 'growth')
const code = (await member.call('room/list', {})).data[0]?.code ?? ''
await member.call('sendMessage', { code, type: MessageType.text, content: 'hello' })

/** What is planted, as a share of all rows, and which rows are old. */
const tables: Record<string, { share: number; old: string; plant: string }> = {
  sessions: {
    share: 0.25,
    old: `ended_at < now() - interval '365 days'`,
    plant: `insert into sessions (account_id, token_hash, face, idle_minutes, expires_at, ended_at, end_reason)
      select ${member.id}, sha256(('s' || n)::bytea), 'member', 60, now() - interval '399 days', now() - interval '400 days', 'ended'
      from generate_series(1, $1::int) n`,
  },
  api_nonces: {
    share: 0.25,
    old: `seen_at < now() - interval '1 hour'`,
    plant: `insert into api_nonces select 'tk_1', n::text, now() - interval '2 hours' from generate_series(1, $1::int) n`,
  },
  webhooks: {
    share: 0.2,
    old: `created_at < now() - interval '30 days'`,
    plant: `insert into webhooks (top_id, kind, payload, created_at, seq)
      select ${top}, 'transfer.settled', '{"username": "growth", "amount": "1.0000", "remark": "a year ago"}', now() - interval '40 days',
        n from generate_series(1, $1::int) n`,
  },
  known_devices: {
    share: 0.1,
    old: `seen_at < now() - interval '1 year'`,
    plant: `insert into known_devices select sha256(('d' || n)::bytea), ${member.id}, ${top}, now() - interval '400 days'
      from generate_series(1, $1::int) n`,
  },
  messages: {
    share: 0.2,
    old: `created_at < now() - interval '40 days'`,
    plant: `insert into messages select r.* from (select * from messages limit 1) m, generate_series(1, $1::int) n,
      lateral jsonb_populate_record(null::messages, to_jsonb(m) || jsonb_build_object('seq', -n, 'message_id', gen_random_uuid(),
          'created_at', now() - interval '60 days')) r`,
  },
}
const database = await databaseOf(first)
await database.query('set session_replication_role = replica')
const sizeOf = async (table: string) =>
  Number((await database.query(`select pg_total_relation_size('${table}') as n`)).rows[0].n) / 1024 / 1024
for (const [table, { share, plant }] of Object.entries(tables)) {
  await database.query(plant, [Math.round(ROWS * share)])
  say(`${table}: ${Math.round(ROWS * share)} old rows, ${(await sizeOf(table)).toFixed(0)} MB`)
}
await database.query('vacuum analyze')
await database.end()

/** Milliseconds of transfers, one after another. */
const measure = async (url: string, until: () => boolean) => {
  const client = makeClient(url, admin.token)
  const times: number[] = []
  while (!until()) {
    const began = performance.now()
    await client.call('user/transaction', { id: member.id, amount: '1', remark: 'growth' })
    times.push(performance.now() - began)
    await pause(20)
  }
  times.sort((a, b) => a - b)
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? Number.NaN).toFixed(0)
  return `${times.length} transfers, median ${at(0.5)} ms, 99 of 100 below ${at(0.99)} ms, at most ${(times.at(-1) ?? 0).toFixed(0)} ms`
}

await first.stop()
const server = await startServer({ dataDir: first.dataDir, env })
const began = performance.now()
const look = await databaseOf(server)
const left = new Set(Object.keys(tables))
const transfers = measure(server.url, () => left.size === 0)
while (left.size > 0 && performance.now() - began < 900_000) {
  for (const table of left) {
    const { rows } = await look.query(`select 1 from ${table} where ${tables[table]?.old} limit 1`)
    if (rows.length > 0) continue
    left.delete(table)
    say(`${table}: all deleted ${((performance.now() - began) / 1000).toFixed(1)} s after the start`)
  }
  await pause(500)
}
for (const table of left) say(`✗ ${table} still has old rows`)
if (left.size > 0) process.exitCode = 1
left.clear()
say(`meanwhile ${await transfers}`)
let isOver = false
const calm = measure(server.url, () => isOver)
await pause(10_000)
isOver = true
say(`afterwards ${await calm}`)
await look.end()
await server.remove()
process.exit()
