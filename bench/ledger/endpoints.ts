import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { makeClient } from '../../e2e/support/client.ts'
import { one, run, sql } from '../../server/src/data/sql.ts'
import { startChild } from '../lib/child.ts'
import { comparePairs } from '../lib/rounds.ts'
import { openServer } from '../lib/server.ts'
import type { LedgerClient } from './client.ts'
import { makeEverybody } from './people.ts'

// `npx tsx bench/ledger/endpoints.ts [pairs] [transfers a second]`: transfers of a platform whose events go to five endpoints,
// and of the same platform without one, in pairs of rounds that follow each other. With a rate the time of a transfer is
// compared, without one the most a second: there the sending of five events for each transfer needs its processor, too.
const CLIENTS = 64
const SECONDS = 5
const pairs = Number(process.argv[2] ?? 10)
const rate = Number(process.argv[3] ?? 0)

const server = await openServer({ env: { WEBHOOKS_INSIDE: '1' } })
const client = startChild<LedgerClient>(new URL('client.ts', import.meta.url))
const everybody = await makeEverybody(server)
const { secret } = (await (await fetch(`${server.url}/config.json`)).json()) as { secret: string }
await client.ask('know', { secret, ...everybody })

let received = 0
const receiver = createServer((request, reply) => {
  request.resume().on('end', () => {
    received++
    reply.writeHead(204).end()
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const address = receiver.address()
const port = typeof address === 'object' && address ? address.port : 0
const admin = makeClient(server.url, everybody.admin)

const add = async () => {
  for (let at = 0; at < 5; at++)
    await admin.call('endpoint/add', {
      url: `http://127.0.0.1:${port}/${randomBytes(4).toString('hex')}`,
      kinds: ['transfer.settled'],
      current_password: server.password,
    })
}
/** What is not sent yet goes with its endpoint: the round without endpoints sends nothing. */
const remove = async () => {
  await run(server.db, sql`delete from webhook_endpoints`)
  await run(server.db, sql`delete from webhook_deliveries`)
  await pause(2000)
}
let expected = 3000
const measure = async () => {
  await client.ask('prepare', {
    url: server.url,
    mix: 'deposits',
    whom: 'many',
    clients: CLIENTS,
    count: Math.ceil(expected * 1.5 * SECONDS),
  })
  const done = await client.ask('run', { url: server.url, seconds: SECONDS, ...(rate > 0 ? { rate } : {}) })
  if (rate === 0) expected = done.rate
  return rate > 0 ? 1000 / done.p50 : done.rate
}
const withFive = async () => {
  await add()
  const result = await measure()
  await remove()
  return result
}

await measure()
await withFive()
received = 0
const { first, second, ratio } = await comparePairs(pairs, withFive, measure)
const say = (value: number) =>
  rate > 0 ? `${(1000 / value).toFixed(2)} ms a transfer` : `${Math.round(value)} a second`
console.log(`${say(first)} with five endpoints, ${say(second)} without: ${ratio}; ${received} events received`)
const events = await one<{ n: number }>(server.db, sql`select count(*)::int as n from webhooks`)
console.log(`${events?.n} events written`)
await client.stop()
receiver.close()
await server.close()
process.exit()
