import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parsePoints } from '@tallyroom/contract/points'
import { afterAll, expect, test } from 'vitest'
import { type Client, type Reply, signIn, signUp } from './client.ts'
import { type Server, startServer } from './server.ts'

const ROUNDS = 10
const CLIENTS = 32
const ANSWERED_BEFORE_KILL = 200
const check = fileURLToPath(new URL('../server/dist/ledger-check.js', import.meta.url))

let server: Server | undefined
afterAll(() => server?.remove())

type Deed = { request_id: string; amount: string; answer?: Reply }

test('[R1] [R2] a kill in the middle of transfers loses no answered one and doubles none', async () => {
  server = await startServer()
  let admin = await signIn(server.url, 'admin', server.password)
  const { share_code } = await admin.call('user/view', {})
  const member = await signUp(server.url, share_code, 'survivor')
  const deeds: Deed[] = []

  for (let round = 0; round < ROUNDS; round++) {
    const ours = await transfersUntilKilled(admin, member.id, round % 2 ? databaseOf(server) : server)
    deeds.push(...ours)
    if (round % 2 === 0) {
      server = await startServer({ dataDir: server.dataDir })
      admin = await signIn(server.url, 'admin', server.password)
    }
    // Whoever got no answer asks again with the same id, as our browser does.
    for (const deed of ours) {
      const answer = await untilAnswered(() => admin.ask('user/transaction', ask(member.id, deed)))
      expect(answer.code).toBe(1000)
      if (deed.answer) expect(answer.data).toEqual(deed.answer.data)
      else deed.answer = answer
    }
  }

  const wanted = deeds.reduce((sum, { amount }) => sum + (parsePoints(amount) ?? 0n), 0n)
  const { balance } = await admin.call('member/view', { member_id: member.id })
  expect(parsePoints(balance)).toBe(wanted)
  expect(new Set(deeds.map(({ answer }) => idOf(answer))).size).toBe(deeds.length)
  const { stdout } = await promisify(execFile)(process.execPath, [check], {
    env: { ...process.env, DATA_DIR: server.dataDir },
  })
  expect(stdout).not.toContain('✗')
}, 300_000)

const idOf = (answer: Reply | undefined) => (answer?.data as { transaction_id?: string } | undefined)?.transaction_id
const ask = (id: number, { request_id, amount }: Deed) => ({ id, amount, remark: 'kill', request_id })

/** Many clients at once, until enough were answered; then the blow, and whatever still comes back. */
const transfersUntilKilled = async (
  admin: Client,
  member: number,
  victim: { kill: () => Promise<void> },
): Promise<Deed[]> => {
  const deeds: Deed[] = []
  let answered = 0
  let killed: Promise<void> | undefined
  const client = async () => {
    while (!killed) {
      const deed: Deed = { request_id: randomUUID(), amount: `${deeds.length + 1}.0001` }
      deeds.push(deed)
      const answer = await admin.ask('user/transaction', ask(member, deed)).catch(() => undefined)
      if (answer?.code !== 1000) return
      deed.answer = answer
      if (++answered === ANSWERED_BEFORE_KILL) killed = victim.kill()
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  await killed
  return deeds
}

const databaseOf = ({ dataDir }: Server) => ({
  kill: () => {
    process.kill(Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
    return Promise.resolve()
  },
})

/** Asks until there is a definite answer: while the database comes back there is none. */
const untilAnswered = async (make: () => Promise<Reply>): Promise<Reply> => {
  for (;;) {
    const answer = await make().catch(() => undefined)
    if (answer && answer.code < 1500) return answer
    if (answer && answer.code > 1503) return answer
  }
}
