import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkedLedger, openCashDesk, reopen, settleAndCheck, workUntil } from '../e2e/support/faults/cash-kills.ts'
import { startServer } from '../e2e/support/server.ts'
import { buildServer } from '../scripts/build.mjs'

// CASH-05. `npx tsx proofs/cash.ts [--kills 200] [--keep FILE]`: kill -9 of the server at 200 points of time while 8 members
// ask for points in and out, and the desk takes, pays (twice at once), refuses and forgets their requests.
const MEMBERS = 8
const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, keep: { type: 'string' } },
})
const say = (line: string) => {
  process.stdout.write(`${line}\n`)
  if (values.keep) appendFileSync(values.keep, `${line}\n`)
}

await buildServer()
let server = await startServer()
const port = Number(new URL(server.url).port)
const kills = Number(values.kills)
try {
  let desk = await openCashDesk(server, MEMBERS)
  let answered = 0
  const broken: string[] = []
  for (let round = 1; round <= kills; round++) {
    answered += await workUntil(desk, { answeredBefore: 1 + Math.floor(Math.random() * 120), kill: server.kill })
    server = await startServer({ dataDir: server.dataDir, port })
    desk = reopen(desk, server)
    // Leases and deadlines pass every tenth time; between them the work goes on with what was left open.
    if (round % 10 === 0 || round === kills) broken.push(...(await settleAndCheck(desk, server)))
    process.stdout.write(`${round} ${answered} ${broken.join(' ')}\n`)
  }
  broken.push(...(await checkedLedger(server)))
  for (const line of broken) say(`✗ ${line}`)
  const counted = await desk.admin.call('cash/day', {})
  const { paid, refused, expired, asked } = counted
  say(
    `${broken.length ? '✗' : '✓'} ${kills} kills, ${answered} answered calls, ${asked} requests: ${paid} paid, ${refused} refused, ` +
      `${expired} expired; ${broken.length} paid twice, without its transfer, or held for ever`,
  )
  if (broken.length) process.exitCode = 1
} finally {
  await server.remove()
}
