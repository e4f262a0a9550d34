import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type ErrorName, OK } from '@tallyroom/contract'
import { Role } from '@tallyroom/contract/codes'
import { makePeople, topAccount } from '../../bench/lib/people.ts'
import { connectionOf, SERVER_ENV } from '../../bench/lib/server.ts'
import { makeClient, type Reply, signIn } from '../../e2e/support/client.ts'
import { ledgerCheck } from '../../e2e/support/faults/kills.ts'
import { startServer } from '../../e2e/support/server.ts'
import { buildServer } from '../../scripts/build.mjs'
import { connect, one, sql } from '../../server/src/data/sql.ts'
import { dice } from '../../server/src/testing/ledger/dice.ts'
import { verdictTo } from '../lib/verdict.ts'
import { addKey, platformAt } from '../../e2e/support/platform.ts'

// API-03. `npx tsx proofs/api/contested.ts [--requests 200] [--keep FILE]`: 50 keys and 50 people take each request at once;
// who has it pays it twice at once, and everybody else tries to pay it, too.
const EACH = 50
const { values } = parseArgs({ options: { requests: { type: 'string', default: '200' }, keep: { type: 'string' } } })
const requests = Number(values.requests)
const say = verdictTo(values.keep)

await buildServer()
const server = await startServer({ env: SERVER_ENV })
const db = connect({ ...connectionOf(server.dataDir).connection, max: 2 })
const top = await topAccount(db)
const people = await makePeople(db, { role: Role.customerService, under: [top], each: EACH, prefix: 'cs' })
const members = await makePeople(db, { role: Role.member, under: [top], each: requests, prefix: 'm' })
const admin = await signIn(server.url, 'admin', server.password)
await admin.call('setting/save', { name: 'Proof', cash_requests: 1, request_id: randomUUID() })

type Taker = { who: 'keys' | 'people'; take(id: number): Promise<Reply>; pay(id: number): Promise<Reply> }
const takers: Taker[] = people.map(({ token }) => {
  const client = makeClient(server.url, token)
  return {
    who: 'people',
    take: (id) => client.ask('cash/take', { id, request_id: randomUUID() }),
    pay: (id) => client.ask('cash/pay', { id, amount: '1', request_id: randomUUID() }),
  }
})
for (let n = 0; n < EACH; n++) {
  const { post } = platformAt(server.url, await addKey(admin, server.password, ['cash:fulfil']))
  takers.push({
    who: 'keys',
    take: async (id) => (await post('cash/take', { id, request_id: randomUUID() })).reply,
    pay: async (id) => (await post('cash/pay', { id, amount: '1', request_id: randomUUID() })).reply,
  })
}

const winners = { keys: 0, people: 0 }
let [takenOnce, paidOnce] = [0, 0]
const strange = new Set<string>()
const random = dice(1)
/** In another order each time: who is asked first would win always. */
const shuffle = () => {
  for (let at = takers.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const [one, two] = [takers[at], takers[other]]
    if (one && two) [takers[at], takers[other]] = [two, one]
  }
}
const isExpected = ({ code, refusal }: Reply, names: ErrorName[]) =>
  code === OK || (refusal !== undefined && names.includes(refusal))
for (const { token } of members) {
  const { id } = await makeClient(server.url, token).call('cash/ask', {
    direction: 'in',
    amount: '1',
    request_id: randomUUID(),
  })
  shuffle()
  const taken = await Promise.all(takers.map((taker) => taker.take(id)))
  for (const reply of taken) if (!isExpected(reply, ['cash.taken'])) strange.add(`take: ${JSON.stringify(reply)}`)
  const won = taken.flatMap(({ code }, at) => (code === OK ? [at] : []))
  if (won.length === 1) takenOnce++
  const winner = takers[won[0] ?? 0]
  if (winner) winners[winner.who]++
  const paid = await Promise.all([...takers, ...(winner ? [winner] : [])].map((taker) => taker.pay(id)))
  for (const reply of paid)
    if (!isExpected(reply, ['cash.taken', 'cash.ended'])) strange.add(`pay: ${JSON.stringify(reply)}`)
  if (paid.filter(({ code }) => code === OK).length === 1) paidOnce++
}
const found = await one<{ paid: number; transfers: number; points: string }>(
  db,
  sql`select count(*) filter (where c.state = 'paid')::int as paid, count(distinct c.transfer_id)::int as transfers,
      (select sum(w.balance)::text from wallets w where w.kind = 1 and w.account_id = any(${members.map(({ id }) => id)}::int[])) as points
    from cash_requests c`,
)
say(takenOnce === requests, `${takenOnce} of ${requests} requests taken by one of ${EACH} keys and ${EACH} people`)
process.stdout.write(`  ${winners.keys} by a key, ${winners.people} by a person\n`)
say(
  paidOnce === requests && found?.paid === requests && found.transfers === requests,
  `${paidOnce} of ${requests} paid once, ${found?.transfers} transfers`,
)
say(
  found?.points === String(requests * 10_000),
  `${found?.points} of ${requests * 10_000} ten-thousandths with the members`,
)
say(strange.size === 0, `${strange.size} other refusals than that of a colleague ${[...strange].slice(0, 5).join(' ')}`)
const broken = (await ledgerCheck(server)).split('\n').filter((line) => line.includes('✗'))
say(broken.length === 0, `${broken.length} breaches of the ledger ${broken.join(' ')}`)
await db.end()
await server.remove()
