import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleOf } from '../support/console.ts'
import { startOnCopy } from '../support/on-copy.ts'
import { type Family, scenarios } from '../support/scenarios.ts'
import type { Server } from '../support/server.ts'

let server: Server
beforeAll(async () => {
  server = await startOnCopy()
}, 30_000)
afterAll(() => server.remove())

let made = 0
const seed = async (name: string): Promise<Family> => {
  const account = async (...words: string[]) => {
    const { code, output } = await consoleOf(server, 'account', words)
    expect([code, output]).toEqual([0, expect.any(String)])
  }
  const scenario = scenarios[name]
  if (!scenario) throw new Error(`there is no scenario ${name}`)
  return scenario({ url: server.url, account, name: `seed${++made}`, password: 'secret1' })
}

test('npm run seed: each scenario creates its data beside the others', async () => {
  const empty = await seed('empty')
  expect((await empty.cs.call('room/list', {})).data).toHaveLength(0)
  const waiting = await seed('waiting-rooms')
  expect((await waiting.cs.call('room/list', {})).data).toHaveLength(5)
  expect(waiting.members).toEqual(['seed2m1', 'seed2m2', 'seed2m3', 'seed2m4', 'seed2m5'])
  const { agent } = await seed('envelopes')
  const { data } = await agent.call('room/list', {})
  expect(data).toHaveLength(3)
  const masked = await seed('masked')
  const seen = (await masked.cs.call('room/list', {})).data
  expect(seen).toHaveLength(2)
  expect(JSON.stringify(seen)).not.toContain('seed4m1')
}, 120_000)
