import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { errors, OK } from '@tallyroom/contract'
import { Role } from '@tallyroom/contract/codes'
import { makePeople, topAccount } from '../../bench/lib/people.ts'
import { connectionOf, SERVER_ENV } from '../../bench/lib/server.ts'
import { makeClient, type Reply, signIn } from '../../e2e/support/client.ts'
import { ledgerCheck } from '../../e2e/support/faults/kills.ts'
import { startServer } from '../../e2e/support/server.ts'
import { buildServer } from '../../scripts/build.mjs'
import { connect, many, sql } from '../../server/src/data/sql.ts'
import { verdictTo } from '../lib/verdict.ts'
import { addKey, platformAt } from '../../e2e/support/platform.ts'

// API-02, API-03. `npx tsx proofs/api/kills.ts [--kills 200] [--keep FILE]`: a platform gives points and pays requests while the
// server is killed with kill -9. Each call is repeated as the guide says, and must have happened once.
const CLIENTS = 8
const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' }, keep: { type: 'string' } } })
const kills = Number(values.kills)
const say = verdictTo(values.keep)

await buildServer()
let server = await startServer({ env: SERVER_ENV })
const { dataDir, password, url } = server
const port = Number(new URL(url).port)
const db = connect({ ...connectionOf(dataDir).connection, max: 2 })
const top = await topAccount(db)
const admin = await signIn(url, 'admin', password)
await admin.call('setting/save', { name: 'Proof', cash_requests: 1, request_id: randomUUID() })
const { post } = platformAt(url, await addKey(admin, password, ['points:give', 'cash:fulfil']))
const members = await makePeople(db, { role: Role.member, under: [top], each: CLIENTS, prefix: 'm' })

/** A write of the platform, and the answer that it got at last. */
type Write = {
  name: 'points/give' | 'cash/take' | 'cash/pay'
  body: Record<string, unknown>
  answer?: Reply
  tries: number
}
const writes: Write[] = []
let answered = 0
const isFinal = ({ code }: Reply) => code < errors['server.failed'] || code > errors['server.busy']
/** Sends it until there is an answer that is final, as the guide says. */
const send = async (write: Write): Promise<Reply> => {
  for (;;) {
    write.tries++
    const answer = await post(write.name, write.body).catch(() => undefined)
    if (answer && isFinal(answer.reply)) {
      answered++
      write.answer ??= answer.reply
      return answer.reply
    }
    await pause(20)
  }
}
const made = (name: Write['name'], body: object): Write => {
  const write = { name, body: { request_id: randomUUID(), ...body }, tries: 0 }
  writes.push(write)
  return write
}

let isOver = false
const strange: string[] = []
const work = async (member: (typeof members)[number]) => {
  const client = makeClient(url, member.token)
  /** A member's own browser repeats, too. */
  const ask = async (request_id: string): Promise<number> => {
    for (;;) {
      const answer = await client.ask('cash/ask', { direction: 'in', amount: '2', request_id }).catch(() => undefined)
      if (answer?.code === OK) return (answer.data as { id: number }).id
      await pause(20)
    }
  }
  while (!isOver) {
    const id = await ask(randomUUID())
    for (const write of [
      made('points/give', { username: member.username, amount: '1' }),
      made('cash/take', { id }),
      made('cash/pay', { id, amount: '2' }),
    ]) {
      const reply = await send(write)
      if (reply.code !== OK) strange.push(`${write.name}: ${JSON.stringify(reply)}`)
    }
  }
}
const working = Promise.all(members.map(work))
for (let kill = 0; kill < kills; kill++) {
  const until = answered + 1 + Math.floor(Math.random() * 60)
  while (answered < until) await pause(1)
  await server.kill()
  server = await startServer({ dataDir, port, password, env: SERVER_ENV })
}
isOver = true
await working

const again = writes.filter(({ tries }) => tries > 1).length
let changed = 0
for (const write of writes) {
  const { answer } = write
  const repeated = await send(write)
  if (JSON.stringify(repeated.data) !== JSON.stringify(answer?.data)) changed++
}
const gave = writes.filter(({ name }) => name === 'points/give').length
const paid = writes.filter(({ name }) => name === 'cash/pay').length
const rows = await many<{ kind: number; n: number; points: string }>(
  db,
  sql`select (c.id is not null)::int as kind, count(*)::int as n, sum(t.amount)::text as points
    from transfers t left join cash_requests c on c.transfer_id = t.id
    where t.target_id = any(${members.map(({ id }) => id)}::int[]) group by 1`,
)
const of = (kind: number) => rows.find((row) => row.kind === kind)
say(strange.length === 0, `${strange.length} writes refused after a repeat ${strange.slice(0, 5).join(' ')}`)
say(
  of(0)?.n === gave && of(0)?.points === String(gave * 10_000),
  `${kills} kills, ${gave} times points given, ${of(0)?.n} transfers`,
)
say(
  of(1)?.n === paid && of(1)?.points === String(paid * 20_000),
  `${paid} requests paid, ${of(1)?.n} transfers; ${again} of ${writes.length} writes were sent more than once`,
)
say(changed === 0, `${changed} of ${writes.length} answers that a later repeat changed`)
const broken = (await ledgerCheck(server)).split('\n').filter((line) => line.includes('✗'))
say(broken.length === 0, `${broken.length} breaches of the ledger ${broken.join(' ')}`)
await db.end()
await server.remove()
