import { createServer, type Server as Listener } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Role } from '@tallyroom/contract/codes'
import { Webhook } from 'standardwebhooks'
import { makePeople, topAccount } from '../../bench/lib/people.ts'
import { connectionOf } from '../../bench/lib/server.ts'
import { signIn } from '../../e2e/support/client.ts'
import { startServer } from '../../e2e/support/server.ts'
import { buildServer } from '../../scripts/build.mjs'
import { connect, many, one, run, sql } from '../../server/src/data/sql.ts'
import { verdictTo } from '../lib/verdict.ts'
import { addKey, platformAt } from '../../e2e/support/platform.ts'

// API-08, API-09. `npx tsx proofs/api/events.ts [--events 4000] [--away 30] [--kills 5] [--keep FILE]`: writers, of whom some
// roll back, write events of 50 members to two endpoints, one of them in order. The secrets are rotated. The receiver goes
// away, answers late and asks for events twice, and the server is killed. After its return the receiver must know what `event/list` has.
const MEMBERS = 50
const WRITERS = 8
const DOUBLED = 0.05
const DELAYED = 0.2
/** After its return, until everything has arrived. */
const MOST_S = 60
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '4000' },
    away: { type: 'string', default: '30' },
    kills: { type: 'string', default: '5' },
    keep: { type: 'string' },
  },
})
const wanted = Number(values.events)
const say = verdictTo(values.keep)

type Body = {
  id: string
  seq: number
  member_seq: number | null
  data: { n: number; username: string }
  after_gap?: true
}
/** A receiver whose state is what its bodies say, whatever their order. */
const startReceiver = async (secretsOf: (path: string, at: number) => string[]) => {
  const got = new Map<string, Map<number, Body>>()
  const counts = { attempts: 0, doubles: 0, forged: 0, inversions: 0, gaps: 0 }
  const newest = new Map<string, number>()
  let listener: Listener | undefined
  const take = (path: string, body: Body) => {
    const known = got.get(path) ?? new Map<number, Body>()
    got.set(path, known)
    if (known.has(body.seq)) counts.doubles++
    else if (path === '/ordered' && body.member_seq !== null) {
      const before = newest.get(body.data.username) ?? 0
      if (body.after_gap) counts.gaps++
      else if (body.member_seq < before) counts.inversions++
      newest.set(body.data.username, Math.max(before, body.member_seq))
    }
    known.set(body.seq, body)
  }
  const open = (port: number) =>
    new Promise<number>((resolve) => {
      listener = createServer((request, reply) => {
        let text = ''
        request.on('data', (part: Buffer) => (text += part.toString()))
        request.on('end', () => {
          counts.attempts++
          const path = request.url ?? ''
          const headers = request.headers as Record<string, string>
          try {
            for (const secret of secretsOf(path, Number(headers['webhook-timestamp'])))
              new Webhook(secret).verify(text, headers)
          } catch {
            counts.forged++
          }
          take(path, JSON.parse(text) as Body)
          // It has the event, and asks for it once more.
          const answer = () => reply.writeHead(Math.random() < DOUBLED ? 503 : 204).end()
          if (Math.random() < DELAYED) setTimeout(answer, 200 + Math.random() * 800)
          else answer()
        })
      }).listen(port, '127.0.0.1', () => {
        const address = listener?.address()
        resolve(typeof address === 'object' && address ? address.port : 0)
      })
    })
  const port = await open(0)
  return {
    url: `http://127.0.0.1:${port}`,
    got: (path: string) => got.get(path) ?? new Map<number, Body>(),
    counts,
    leave: () => {
      listener?.closeAllConnections()
      return new Promise<void>((resolve) => listener?.close(() => resolve()))
    },
    comeBack: () => open(port),
  }
}

await buildServer()
let server = await startServer({ env: { WEBHOOKS_INSIDE: '1' } })
const { dataDir, password } = server
const port = Number(new URL(server.url).port)
const db = connect({ ...connectionOf(dataDir).connection, max: WRITERS + 2 })
const top = await topAccount(db)
const [agent] = await makePeople(db, { role: Role.agent, under: [top], each: 1, prefix: 'evagent' })
if (!agent) throw new Error('No agent was made')
const members = await makePeople(db, { role: Role.member, under: [agent], each: MEMBERS, prefix: 'evm' })

/** The secrets of each endpoint, and since which second it signs with them: with the one before beside the newest. */
const secrets = new Map<string, { secret: string; since: number }[]>()
const receiver = await startReceiver((path, at) =>
  (secrets.get(path) ?? []).filter(({ since }) => at >= since).map(({ secret }) => secret),
)
const admin = await signIn(server.url, 'admin', password)
const ids = new Map<string, string>()
for (const path of ['/ordered', '/free']) {
  const made = (await admin.call('endpoint/add', {
    url: receiver.url + path,
    kinds: ['member.changed'],
    ordered: path === '/ordered',
    current_password: password,
  })) as { id: string; secret: string }
  secrets.set(path, [{ secret: made.secret, since: 0 }])
  ids.set(path, made.id)
}
const { call: ask } = platformAt(server.url, await addKey(admin, password, ['webhooks']))

/** Each transaction writes up to three events of one member, holding its row as the ledger does; some roll back. */
let written = 0
const rollBack = new Error('rolled back')
const write = async () => {
  while (written < wanted) {
    const member = members[Math.floor(Math.random() * members.length)]
    if (!member) return
    const [times, fails] = [1 + Math.floor(Math.random() * 3), Math.random() < 0.15]
    if (!fails) written += times
    await db
      .transact(async (tx) => {
        await run(tx, sql`select 1 from accounts where id = ${member.id} for no key update`)
        for (let n = 0; n < times; n++)
          await run(
            tx,
            sql`insert into webhooks (top_id, account_id, kind, payload)
              select ${top.id}, ${member.id}, 'member.changed', jsonb_build_object('n', ${n}::int, 'username', username)
              from accounts where id = ${member.id}`,
          )
        if (fails) throw rollBack
      })
      .catch((error: unknown) => {
        if (error !== rollBack) throw error
      })
    await pause(WRITERS)
  }
}
const writing = Promise.all(Array.from({ length: WRITERS }, write))
await pause(3000)
for (const [path, id] of ids) {
  const { secret } = await admin.call('endpoint/rotate', {
    id,
    current_password: password,
  })
  secrets.get(path)?.push({ secret, since: Math.floor(Date.now() / 1000) + 1 })
}
await receiver.leave()
for (let kill = 0; kill < Number(values.kills); kill++) {
  await pause(Math.random() * 1500)
  await server.kill()
  server = await startServer({ dataDir, port, password, env: { WEBHOOKS_INSIDE: '1' } })
}
await writing
await pause(Number(values.away) * 1000)
await receiver.comeBack()

const began = performance.now()
const from = new Date(Date.now() - 86_400_000).toISOString()
for (const id of ids.values()) await ask('endpoint/resend', { id, from, request_id: crypto.randomUUID() })
const open = async () =>
  (
    await one<{ n: number }>(
      db,
      sql`select count(*)::int as n from webhook_deliveries where top_id = ${top.id} and delivered_at is null`,
    )
  )?.n
while (((await open()) ?? 0) > 0 && performance.now() - began < 10 * MOST_S * 1000) {
  await pause(500)
  // What it has asked for once more is not waited for: the schedule begins at 5 s.
  await run(
    db,
    sql`update webhook_deliveries set due_at = now() where top_id = ${top.id} and due_at > now() and lease_until is null`,
  )
}
const seconds = (performance.now() - began) / 1000

const listed: (Omit<Body, 'data'> & { data: unknown })[] = []
for (let after_seq = 0, more = true; more; ) {
  const page = await ask('event/list', { after_seq, per_page: 500 })
  listed.push(...page.data)
  ;({ next_seq: after_seq, more } = page)
}
const seqs = listed.map(({ seq }) => seq)
const gaps = seqs.filter((seq, at) => seq !== at + 1).length
say(
  listed.length === written && gaps === 0,
  `${listed.length} of ${written} events listed, ${gaps} gaps or doubles of their numbers (0 allowed), ${values.kills} kills`,
)
const rows = await many<{ account: number; id: bigint; memberSeq: number }>(
  db,
  sql`select account_id as account, id, member_seq::int as "memberSeq" from webhooks where top_id = ${top.id} order by account_id, id`,
)
const counted = new Map<number, number>()
let wrong = 0
for (const { account, memberSeq } of rows) {
  const expected = (counted.get(account) ?? 0) + 1
  if (memberSeq !== expected) wrong++
  counted.set(account, expected)
}
say(wrong === 0, `${wrong} numbers of ${counted.size} members out of the order in which they were written (0 allowed)`)
for (const path of ['/ordered', '/free']) {
  const known = receiver.got(path)
  const missing = listed.filter(({ id, seq, data }) => {
    const body = known.get(seq)
    return body?.id !== id || JSON.stringify(body.data) !== JSON.stringify(data)
  }).length
  say(
    missing === 0 && known.size === listed.length,
    `${path}: ${known.size} events, ${missing} differences from event/list (0 allowed)`,
  )
}
const { counts } = receiver
say(
  counts.inversions === 0,
  `${counts.inversions} inversions of a member at the ordered endpoint (0 allowed), ${counts.gaps} said to be after a gap`,
)
say(
  counts.forged === 0,
  `${counts.attempts} attempts, ${counts.doubles} doubled, ${counts.forged} that the standardwebhooks package refuses with the secret from before or the new one (0 allowed)`,
)
say(seconds <= MOST_S, `equal ${seconds.toFixed(1)} s after its return (${MOST_S} allowed)`)
await receiver.leave()
await db.end()
await server.remove()
