import { errors } from '@tallyroom/contract'
import { expect, test } from 'vitest'
import { run, sql } from '../server/src/data/sql.ts'
import { startTestServer } from '../server/src/testing/app.ts'

// S10: unknown, wrong and frozen take the same time. `npx vitest run --config proofs/vitest.config.ts`, on a quiet machine.
const ROUNDS = 150
const APART_MS = 5

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

test('[S10] the medians of unknown, wrong, frozen and wrong face are within 5 ms', async () => {
  const server = await startTestServer()
  const { agent, cs, member } = await server.family()
  await agent.call('user/delete', { id: cs.id })
  const names = { unknown: 'nobody77', wrong: agent.username, frozen: cs.username, otherFace: member.username }
  const times: Record<string, number[]> = { unknown: [], wrong: [], frozen: [], otherFace: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, username] of Object.entries(names)) {
      const body = server.wire.seal('login', { username, password: 'wrong-one' })
      const begun = performance.now()
      const { reply } = await server.post('login', body)
      if (round >= 10) times[kind]?.push(performance.now() - begun)
      expect(reply.code).toBe(errors['access.denied'])
    }
    await run(server.services.db, sql`delete from sign_in_tries`)
  }
  const medians = Object.values(times).map(median)
  process.stdout.write(
    `${JSON.stringify(Object.fromEntries(Object.keys(times).map((kind, n) => [kind, medians[n]])))}\n`,
  )
  expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(APART_MS)
}, 120_000)
