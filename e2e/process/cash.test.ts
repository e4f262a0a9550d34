import { afterAll, expect, test } from 'vitest'
import { checkedLedger, openCashDesk, reopen, settleAndCheck, workUntil } from '../support/faults/cash-kills.ts'
import { killBackend, killPostmaster } from '../support/faults/kills.ts'
import { type ServerProcess, startServer } from '../support/server.ts'

// Two hundred kills: proofs/cash.ts.
const KILLS = ['server', 'backend', 'server', 'postmaster'] as const

let server: ServerProcess | undefined
afterAll(() => server?.remove())

test('[CASH-05] a kill while requests are asked, taken and paid: none paid twice, without its transfer, or held for ever', async () => {
  server = await startServer()
  let desk = await openCashDesk(server, 6)
  for (const name of KILLS) {
    const kill =
      name === 'server' ? server.kill : name === 'postmaster' ? killPostmaster(server) : await killBackend(server)
    await workUntil(desk, { answeredBefore: 60, kill })
    if (name === 'server') {
      server = await startServer({ dataDir: server.dataDir, port: Number(new URL(server.url).port) })
      desk = reopen(desk, server)
    }
    expect(await settleAndCheck(desk, server)).toEqual([])
  }
  expect(await checkedLedger(server)).toEqual([])
  // Everything that may happen to a request has happened.
  const { paid, refused, expired } = await desk.admin.call('cash/day', {})
  expect(Math.min(paid, refused, expired)).toBeGreaterThan(0)
}, 300_000)
