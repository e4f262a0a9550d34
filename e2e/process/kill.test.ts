import { parsePoints } from '@tallyroom/contract/points'
import { afterAll, expect, test } from 'vitest'
import { signIn, signUp } from '../support/client.ts'
import {
  repeatTransfers,
  ledgerCheck,
  type TransferAttempt,
  killBackend,
  killPostmaster,
  transactionOf,
  transfersUntil,
} from '../support/faults/kills.ts'
import { type ServerProcess, startServer } from '../support/server.ts'

// Hundreds of kills: proofs/kills.ts.
const KILLS = ['server', 'postmaster', 'server', 'backend', 'server', 'postmaster'] as const
const CLIENTS = 32
const ANSWERED_BEFORE_KILL = 200

let server: ServerProcess | undefined
afterAll(() => server?.remove())

test('[R1] [R2] a kill during transfers loses no answered transfer and doubles none', async () => {
  server = await startServer()
  const admin = await signIn(server.url, 'admin', server.password)
  const { share_code } = await admin.call('user/view', {})
  const member = await signUp(server.url, share_code, 'survivor')
  const transfers: TransferAttempt[] = []

  for (const name of KILLS) {
    const kill =
      name === 'server' ? server.kill : name === 'postmaster' ? killPostmaster(server) : await killBackend(server)
    const terms = { clients: CLIENTS, answeredBefore: ANSWERED_BEFORE_KILL, kill }
    const ours = await transfersUntil([{ client: admin, member: member.id }], terms)
    transfers.push(...ours)
    if (name === 'server') {
      server = await startServer({ dataDir: server.dataDir, port: Number(new URL(server.url).port) })
    }
    expect(await repeatTransfers(ours, CLIENTS)).toEqual([])
  }

  const wanted = transfers.reduce((sum, { amount }) => sum + (parsePoints(amount) ?? 0n), 0n)
  const { balance } = await admin.call('member/view', { member_id: member.id })
  expect(parsePoints(balance)).toBe(wanted)
  expect(new Set(transfers.map(({ answer }) => transactionOf(answer))).size).toBe(transfers.length)
  expect(await ledgerCheck(server)).not.toContain('✗')
}, 300_000)
