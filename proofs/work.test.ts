import { expect, test } from 'vitest'
import { startTestServer } from '../server/src/testing/app.ts'
import { compareHistories } from '../server/src/testing/work/histories.ts'

const count = Number(process.env.HISTORIES ?? 200)

test(`[DESK-09] ${count} random histories: the report of work against a plain recount`, {
  timeout: 1_800_000,
}, async () => {
  const server = await startTestServer({ AI_ANSWERS: '0' })
  const { differences, counted } = await compareHistories(server, count, Number(process.env.SEED ?? 7))
  process.stdout.write(`${[...counted].map(([name, n]) => `${name} ${n}`).join(', ')}\n`)
  expect(differences).toEqual([])
})
