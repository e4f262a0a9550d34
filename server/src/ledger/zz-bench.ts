import { randomUUID, createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { connect, many, one, sql } from '../db.ts'
import { silentHub } from '../hub.ts'
import { migrate } from '../migrate.ts'
import { startPostgres } from '../postgres.ts'
import { makeLedger } from './ledger.ts'
import { openWallets } from './wallets.ts'

import pgm from 'pg'
const spent = new Map<string, [number, number]>()
let seen = 0
const orig = pgm.Client.prototype.query as any
;(pgm.Client.prototype as any).query = function (q: any, ...rest: any[]) {
  const key = (typeof q === 'string' ? q : q.text).slice(0, 40).replace(/\s+/g, ' ')
  if (process.env.EXPLAIN && typeof q !== 'string' && key.startsWith(process.env.EXPLAIN) && ++seen === 500) {
    const r = orig.call(
      this,
      { text: 'explain (analyze, buffers, wal, timing on) ' + q.text, values: q.values },
      ...rest,
    )
    void r.then((x: any) => {
      console.log(x.rows.map((y: any) => y['QUERY PLAN']).join('\n'))
      x.rows = []
    })
    return r
  }
  const t = performance.now()
  const r = orig.call(this, q, ...rest)
  if (r && r.then)
    r.then(
      () => {
        const e = spent.get(key) ?? [0, 0]
        e[0]++
        e[1] += performance.now() - t
        spent.set(key, e)
      },
      () => {},
    )
  return r
}
const pg = await startPostgres({ dataDir: process.env.DIR ?? mkdtempSync('/tmp/lb/d-') })
await migrate(pg.config)
const db = connect({ ...pg.config, max: 12 })
const add = async (parent: any, role: 1 | 2 | 3 | 4, unlimited = false) =>
  db.transact(async (tx) => {
    const r = await one<any>(
      tx,
      sql`with made as (select nextval(pg_get_serial_sequence('accounts','id'))::int as id)
      insert into accounts (id, top_id, parent_id, group_id, path, role_id, username, password_hash, share_code)
      select id, coalesce(${parent?.topId ?? null}::int, id), ${parent?.id ?? null}, case when ${role <= 2} then id else ${parent?.groupId ?? null}::int end, ${parent?.path ?? '/'}::text || id || '/', ${role}, 'u'||id, 'x', 'u'||id from made
      returning id, top_id as "topId", group_id as "groupId", path, username, nickname`,
    )
    await openWallets(tx, { accountId: r.id, topId: r.topId, role, unlimited })
    return { ...r, role, funderId: r.id, groupPath: r.path }
  })
const top = await add(undefined, 1, true)
const N = Number(process.env.AGENTS ?? 1),
  M = 200
const agents: any[] = []
for (let i = 0; i < N; i++) agents.push(await add(top, 2))
const members: any[] = []
for (let i = 0; i < Math.max(M, N); i++) members.push(await add(agents[i % N], 4))
const ledger = makeLedger({ db, hub: silentHub, settings: { timeZone: 'UTC', envelopeHours: 24 } })
const order = (actor: any, targetId: number, amount = 10000n, room?: any) => ({
  call: 'user/transaction',
  actor,
  targetId,
  op: 1 as const,
  wallet: 1 as const,
  amount,
  remark: 'hi',
  room,
  request: { id: randomUUID(), hash: createHash('sha256').update('x').digest() },
})
for (const a of agents) await ledger.move(order(top, a.id, 10n ** 15n))
const room = process.env.ROOM ? { code: undefined, auditAmount: undefined } : undefined
const secs = Number(process.env.SECS ?? 5)
if (process.env.DROP) await db.query(process.env.DROP, [])
for (let round = 0; round < 3; round++) {
  let done = 0
  const lat: number[] = []
  const end = Date.now() + secs * 1000
  const cpu0 = process.cpuUsage()
  await Promise.all(
    Array.from({ length: 64 }, async (_, c) => {
      while (Date.now() < end) {
        const m = members[Math.floor(Math.random() * members.length)]
        const a = agents.find((x) => x.id === m.groupId)
        const t = performance.now()
        await ledger.move(order(a, m.id, 10000n, room))
        lat.push(performance.now() - t)
        done++
      }
    }),
  )
  const cpu = process.cpuUsage(cpu0)
  if (round === 2) for (const [k, [n, ms]] of spent) if (n > 100) console.log(k, n, (ms / n).toFixed(3))
  spent.clear()
  lat.sort((x, y) => x - y)
  console.log(
    `${Math.round(done / secs)}/s p50 ${lat[lat.length >> 1]!.toFixed(1)} p99 ${lat[Math.floor(lat.length * 0.99)]!.toFixed(1)} node cpu ${((cpu.user + cpu.system) / 1e4 / secs).toFixed(0)}%`,
  )
}
console.log(await many(db, sql`select sum(balance)::text from wallets`))
await db.end()
await pg.stop()
