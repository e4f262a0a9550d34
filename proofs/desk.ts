import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { MessageType, Role } from '@tallyroom/contract/codes'
import { differencesIn } from '@tallyroom/contract/desk/hours-oracle'
import { defaultRules, type DeskRules } from '@tallyroom/contract/desk/rules'
import { io } from 'socket.io-client'
import { makePeople, type Made, topAccount } from '../bench/lib/people.ts'
import { connectionOf } from '../bench/lib/server.ts'
import { makeClient } from '../e2e/support/client.ts'
import { startServer } from '../e2e/support/server.ts'
import { buildServer } from '../scripts/build.mjs'
import { startAssigner } from '../server/src/chat/desk/assigner.ts'
import { loadsOf } from '../server/src/chat/desk/load.ts'
import { connect, many, one, sql } from '../server/src/data/sql.ts'
import { silentHub } from '../server/src/testing/no-sockets.ts'
import { verdictTo } from './lib/verdict.ts'

// DESK-02 to DESK-05, DESK-09. `npx tsx proofs/desk.ts [--kills 20] [--hours 10000] [--histories 200] [--keep FILE]`: 500 members write to 20 colleagues while two
// processes assign; a colleague's page is closed; the server is killed while members write and colleagues come and go. Before that, opening hours are recounted
// minute by minute, which is some minutes of work (`--hours 0` leaves it out),
// and the report of work is compared with a recount of random histories (`proofs/work.test.ts`; `--histories 0` leaves it out).
const PEOPLE = 20
const ARRIVALS = 500
const CAPACITY = 25
const GONE_S = 30
/** A restart, the first look, and the work itself. */
const FREE_MS = 3000
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    hours: { type: 'string', default: '10000' },
    histories: { type: 'string', default: '200' },
    keep: { type: 'string' },
  },
})
const kills = Number(values.kills)
const say = verdictTo(values.keep)

const wrongHours = differencesIn(Number(values.hours), 7)
say(
  wrongHours.length === 0,
  `${values.hours} random hours in 12 zones: ${wrongHours.length} differences from a recount`,
)

if (Number(values.histories) > 0) {
  const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'proofs/vitest.config.ts', 'proofs/work.test.ts'], {
    stdio: 'inherit',
    env: { ...process.env, HISTORIES: values.histories },
  })
  say(status === 0, `${values.histories} random histories: the report of work is that of a recount`)
}

await buildServer()
let server = await startServer()
const port = Number(new URL(server.url).port)
const db = connect({ ...connectionOf(server.dataDir).connection, max: 4 })
const log = { error: (...said: unknown[]) => process.stderr.write(`${JSON.stringify(said)}\n`) }
/** Another process that assigns, beside the server. */
const another = () =>
  startAssigner({ db, hub: silentHub, push: { roomChanged: () => {} }, settings: { timeZone: 'UTC' }, log })

const people = async (
  role: 2 | 3 | 4,
  under: Parameters<typeof makePeople>[1]['under'],
  each: number,
  prefix: string,
) => makePeople(db, { role, under, each, prefix })
const clientOf = ({ token }: Made) => makeClient(server.url, token)
const write = (member: Made) =>
  clientOf(member).call('sendMessage', { code: member.room, type: MessageType.text, content: 'hello' })
const desk = async (prefix: string, size: number, members: number, rules: Partial<DeskRules> = {}) => {
  const [agent] = await people(Role.agent, [await topAccount(db)], 1, `${prefix}a`)
  if (!agent) throw new Error('No agent was made')
  const colleagues = await people(Role.customerService, [agent], size, `${prefix}c`)
  const waiting = await people(Role.member, [agent], members, `${prefix}m`)
  await clientOf(agent).call('deskSetting/save', { ...defaultRules, assign: 'least', gone_s: 600, ...rules })
  for (const one of colleagues) await clientOf(one).call('desk/state', { state: 'on' })
  return { agent, colleagues, members: waiting }
}
const queueOf = async (groupId: number) =>
  (
    await one<{ n: number }>(
      db,
      sql`select count(*)::int as n from rooms where group_id = ${groupId} and waiting_since is not null and owner_id is null`,
    )
  )?.n ?? 0
const until = async (isDone: () => Promise<boolean>, ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end) {
    if (await isDone()) return true
    await pause(50)
  }
  return isDone()
}
/** Rooms that were assigned once more without having been given back. */
const assignedTwice = async (groupId: number) =>
  (
    await one<{ n: number }>(
      db,
      sql`select count(*)::int as n from (select d.kind, lag(d.kind) over (partition by d.room_id order by d.seq) as before
        from asides d join rooms r on r.id = d.room_id where r.group_id = ${groupId}
          and d.kind in ('assigned', 'returned', 'released')) k where kind = 'assigned' and before = 'assigned'`,
    )
  )?.n ?? 0

const arrive = async () => {
  const { agent, members } = await desk('q', PEOPLE, ARRIVALS, { capacity: CAPACITY })
  const stop = another()
  let above = 0
  let isOver = false
  const watch = (async () => {
    while (!isOver) {
      for (const { load } of (await loadsOf(db, agent.id)).values()) above = Math.max(above, load - CAPACITY)
      await pause(100)
    }
  })()
  const left = [...members]
  const writers = Array.from({ length: 8 }, async () => {
    for (let member = left.pop(); member; member = left.pop()) await write(member)
  })
  await Promise.all(writers)
  await until(async () => (await queueOf(agent.id)) === 0, 10_000)
  isOver = true
  await Promise.all([watch, stop()])
  const loads = [...(await loadsOf(db, agent.id)).values()].map(({ load }) => load)
  const rows = await many<{ waited: number; since: number; at: number }>(
    db,
    sql`select extract(epoch from d.created_at - r.waiting_since)::float8 as waited,
        extract(epoch from r.waiting_since)::float8 as since, extract(epoch from r.assigned_at)::float8 as at
      from rooms r join asides d on d.room_id = r.id and d.kind = 'assigned' where r.group_id = ${agent.id}`,
  )
  const waits = rows.map(({ waited }) => waited).toSorted((a, b) => a - b)
  const p99 = waits[Math.floor(waits.length * 0.99)] ?? Infinity
  // A message that was written well before a decision was in the queue of that decision.
  const inversions = rows.filter((a) =>
    rows.some((b) => b.since > a.since && b.at > a.since + 0.1 && b.at < a.at),
  ).length
  const spread = Math.max(...loads) - Math.min(...loads)
  say(rows.length === ARRIVALS && loads.length === PEOPLE, `${rows.length} of ${ARRIVALS} assigned to ${loads.length}`)
  say(spread <= 1, `loads differ by ${spread} at most`)
  say(above <= 0, `${Math.max(0, above)} above the capacity of ${CAPACITY}`)
  say(p99 <= 2, `p99 of the wait for an owner: ${p99.toFixed(2)} s`)
  say(inversions === 0, `${inversions} in another order than they wrote`)
  const twice = await assignedTwice(agent.id)
  say(twice === 0, `${twice} assigned twice by two processes`)
}

const closePage = async () => {
  const { agent, colleagues, members } = await desk('g', 2, 6, { gone_s: GONE_S })
  const [first, second] = colleagues as [Made, Made]
  await clientOf(second).call('desk/state', { state: 'busy' })
  const [open, kept] = [first, second].map(({ token }) =>
    io(server.url, { path: '/socket', auth: { token }, transports: ['websocket'] }),
  )
  await until(async () => open?.connected === true && kept?.connected === true, 5000)
  await Promise.all(members.map(write))
  await until(async () => (await queueOf(agent.id)) === 0, 5000)
  await clientOf(second).call('desk/state', { state: 'on' })
  open?.close()
  const began = performance.now()
  const owned = async () =>
    (await one<{ n: number }>(db, sql`select count(*)::int as n from rooms where owner_id = ${first.id}`))?.n ?? 0
  const isBack = await until(async () => (await owned()) === 0 && (await queueOf(agent.id)) === 0, 90_000)
  kept?.close()
  const seconds = (performance.now() - began) / 1000
  const atMost = GONE_S + 15
  say(
    isBack && seconds <= atMost,
    `6 members are with a colleague ${seconds.toFixed(1)} s after the page closed (${atMost})`,
  )
}

const killWhileWriting = async () => {
  const { agent, colleagues, members } = await desk('k', 5, 40, { capacity: 50, answer_s: 0 })
  let forgotten = 0
  let answered = 0
  for (let round = 0; round < kills; round++) {
    let isKilled = false
    const member = () => members[Math.floor(Math.random() * members.length)] as Made
    const works = [
      ...Array.from({ length: 6 }, () => () => write(member())),
      () => {
        const one = colleagues[1 + Math.floor(Math.random() * 4)] as Made
        const state = Math.random() < 0.5 ? ('away' as const) : ('on' as const)
        return clientOf(one).call('desk/state', { state })
      },
    ].map(async (work) => {
      while (!isKilled) {
        await work().then(
          () => answered++,
          () => undefined,
        )
        await pause(20)
      }
    })
    await pause(300 + Math.random() * 1200)
    await server.kill()
    isKilled = true
    await Promise.all(works)
    server = await startServer({ dataDir: server.dataDir, port })
    // The first colleague is always on, and has room: neither answers that it lets pass nor a page that it has not make it
    // away.
    await clientOf(colleagues[0] as Made).call('desk/state', { state: 'on' })
    await pause(FREE_MS)
    forgotten += await queueOf(agent.id)
    for (const one of colleagues) {
      const { data } = await clientOf(one).call('room/list', {})
      const own = data.filter(({ owner_id, waiting_since }) => owner_id === one.id && waiting_since !== null)
      for (const { code } of own.slice(0, 4))
        await clientOf(one).ask('sendMessage', { code, type: MessageType.text, content: 'yes' })
    }
    process.stdout.write(`${round + 1} ${answered} ${forgotten}\n`)
  }
  say(forgotten === 0, `${kills} kills, ${answered} answered calls: ${forgotten} wait without an owner after 3 s`)
  const twice = await assignedTwice(agent.id)
  say(twice === 0, `${twice} assigned twice`)
  const away = await one<{ n: number }>(
    db,
    sql`select count(*)::int as n from rooms r join desk_people p on p.account_id = r.owner_id
      where r.group_id = ${agent.id} and r.waiting_since is not null and (p.state = 'away' or not p.is_here)`,
  )
  say(away?.n === 0, `${away?.n} left with a colleague who is away`)
}

try {
  await arrive()
  await closePage()
  await killWhileWriting()
} finally {
  await db.end().catch(() => undefined)
  await server.remove()
}
