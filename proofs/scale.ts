import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Role } from '@tallyroom/contract/codes'
import type { ChatClient } from '../bench/chat/client.ts'
import { startChild } from '../bench/lib/child.ts'
import { coresDuring, familySeconds, ownSeconds } from '../bench/lib/cpu.ts'
import { type Made, makePeople, topAccount } from '../bench/lib/people.ts'
import { openServer } from '../bench/lib/server.ts'
import { type FrameSocket, openLive } from '../bench/lib/socket.ts'
import { one, sql } from '../server/src/data/sql.ts'

// The measured points of docs/scale.md. `npx tsx proofs/scale.ts [--sockets 2000,8000] [--members 8000]`: what a socket that only
// listens costs, and what a message costs the processor, the disk and the log, each at two sizes.
const { values } = parseArgs({
  options: { sockets: { type: 'string', default: '2000,8000' }, members: { type: 'string', default: '8000' } },
})
const SOCKETS = values.sockets.split(',').map(Number)
const MEMBERS = Math.max(Number(values.members), ...SOCKETS)
const CONVERSATIONS = 100
const SECONDS = 10
const say = (line: string) => process.stdout.write(`${line}\n`)

const server = await openServer({ env: { CONNECTIONS: '20000', CONNECTIONS_OF_ADDRESS: '20000' } })
const { db, pid, url } = server
const top = await topAccount(db)
const agents = await makePeople(db, { role: Role.agent, under: [top], each: CONVERSATIONS, prefix: 'a' })
const members = await makePeople(db, {
  role: Role.member,
  under: agents,
  each: MEMBERS / CONVERSATIONS,
  prefix: 'm',
})
const meters = { server: () => ownSeconds(pid), database: () => familySeconds(server.postmaster) }
const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
const ms = (cores: number) => (cores * 1000).toFixed(1)

const open: FrameSocket[] = []
const listen = async (of: Made[]) => {
  for (let from = 0; from < of.length; from += 200)
    open.push(
      ...(await Promise.all(of.slice(from, from + 200).map(({ token }) => openLive(url, { token }, () => undefined)))),
    )
}
const describeIdle = async (sockets: number) => {
  await pause(10_000)
  const idle = await coresDuring(meters, () => pause(SECONDS * 1000).then(() => ({})))
  say(`${sockets} sockets: ${residentMb().toFixed(0)} MB resident, ${ms(idle.server)} ms of processor a second`)
}
await describeIdle(0)
for (const [at, sockets] of SOCKETS.entries()) {
  await listen(members.slice(SOCKETS[at - 1] ?? 0, sockets))
  await describeIdle(sockets)
}

const sizes = () =>
  one<{ messages: bigint; table: bigint; requests: bigint; log: bigint }>(
    db,
    sql`select (select count(*) from messages) as messages, pg_total_relation_size('messages') as "table",
      (select sum(pg_total_relation_size(inhrelid))::bigint from pg_inherits where inhparent = 'requests'::regclass) as requests,
      (pg_current_wal_lsn() - '0/0')::bigint as log`,
  )
const client = startChild<ChatClient>(new URL('../bench/chat/client.ts', import.meta.url))
const { secret } = (await (await fetch(`${url}/config.json`)).json()) as { secret: string }
const users = agents.flatMap(({ token, groupId }) => {
  const member = members.find((one) => one.groupId === groupId)
  const rooms = [member?.room ?? '']
  return [
    { token, rooms },
    { token: member?.token ?? '', rooms },
  ]
})
await client.ask('open', { who: 'ours', url, secret, users, listeners: 2 })
for (const socket of open) socket.close()
await pause(2000)
for (const rate of [200, 1000]) {
  const before = await sizes()
  await client.ask('prepare', rate * SECONDS)
  const done = await coresDuring(meters, () => client.ask('run', { seconds: SECONDS, rate }))
  const after = await sizes()
  if (!before || !after) throw new Error('The database does not say how large it is')
  const count = Number(after.messages - before.messages)
  const each = (of: 'table' | 'requests' | 'log') => Math.round(Number(after[of] - before[of]) / count)
  const cost = (cores: number) => ((cores / done.rate) * 1000).toFixed(2)
  say(
    `${Math.round(done.rate)} messages a second, p99 ${done.p99.toFixed(0)} ms: each ${cost(done.server)} ms of the server and ` +
      `${cost(done.database)} of the database; ${count} messages, each ${each('table')} bytes of messages, ` +
      `${each('requests')} of outcomes and ${each('log')} of log`,
  )
}
await client.stop()
await server.close()
process.exit(0)
