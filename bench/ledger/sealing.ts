import { startSealing } from '../../server/src/ledger/seal/sealer.ts'
import { startChild } from '../lib/child.ts'
import { comparePairs } from '../lib/rounds.ts'
import { openServer } from '../lib/server.ts'
import type { LedgerClient } from './client.ts'
import { makeEverybody } from './people.ts'

// `npx tsx bench/ledger/sealing.ts [pairs]`: deposits with and without the seal, in pairs of rounds that follow each
// other on one server. In `bench:ledger` other rounds are between the two, and a disturbance meets only one of them.
const SECONDS = 6
const CLIENTS = 64
const pairs = Number(process.argv[2] ?? 15)

// The sealer runs in this process: a server cannot be told to rest.
const server = await openServer({ env: { SEAL_LEDGER: '0' } })
const client = startChild<LedgerClient>(new URL('client.ts', import.meta.url))
const { secret } = (await (await fetch(`${server.url}/config.json`)).json()) as { secret: string }
await client.ask('know', { secret, ...(await makeEverybody(server)) })
for (const whom of ['hot', 'many'] as const) {
  await client.ask('prepare', { url: server.url, mix: 'funds', whom, clients: CLIENTS, count: 0 })
  await client.ask('run', { url: server.url, seconds: 300 })
}
await server.db.query('vacuum analyze', [])
await server.db.query('checkpoint', [])

const rateOf = async (whom: 'hot' | 'many', isSealed: boolean) => {
  await client.ask('prepare', { url: server.url, mix: 'deposits', whom, clients: CLIENTS, count: 8000 * SECONDS })
  const stop = isSealed ? startSealing(server.db, { log: console, everyMs: 1 }) : undefined
  const { rate } = await client.ask('run', { url: server.url, seconds: SECONDS })
  await stop?.()
  return rate
}

for (const whom of ['hot', 'many'] as const) {
  await rateOf(whom, true)
  const { ratio } = await comparePairs(
    pairs,
    () => rateOf(whom, true),
    () => rateOf(whom, false),
  )
  console.log(`${whom}: sealed / not sealed ${ratio}`)
}
await client.stop()
await server.close()
process.exit()
