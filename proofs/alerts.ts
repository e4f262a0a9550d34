import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { buildServer } from '../scripts/build.mjs'
import { troublesOf } from './alerts/troubles.ts'
import { rules, startWorld } from './alerts/world.ts'
import { checkDashboard } from './dashboard.ts'

// RUN-04. `npx tsx proofs/alerts.ts [--quiet MINUTES] [dashboard] [ALERT…]`: a real Prometheus reads two copies and our rules.
// First nothing but light work: no alert may be raised. Then each query of the dashboard is asked. Then each trouble is planted:
// its alert must be raised within 60 s, and must end when the trouble does. PROOF_PORTS: the first of ten ports. Needs root,
// `prometheus`, `redis-server` and `postgresql`.

const WITHIN_S = 60
const tell = (line: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
const given = process.argv.slice(2)
const quietAt = given.indexOf('--quiet')
const quietMinutes = quietAt < 0 ? 0 : Number(given.splice(quietAt, 2)[1])

await buildServer()
const world = await startWorld()
const { firing, until, query } = world.prometheus
const troubles = troublesOf(world)
const alerts = [...readFileSync(rules, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
const missing = alerts.filter((name) => !troubles.some(([alert]) => alert === name))
if (missing.length) throw new Error(`no trouble is planted for ${missing.join(', ')}`)
let failed = 0

// What some troubles change must be there.
await world.work()

if (quietMinutes > 0) {
  const raised = new Map<string, number>()
  for (const end = performance.now() + quietMinutes * 60_000; performance.now() < end; await pause(1000)) {
    await world.work()
    for (const name of await firing()) raised.set(name, (raised.get(name) ?? 0) + 1)
  }
  tell(JSON.stringify({ quietMinutes, raised: Object.fromEntries(raised) }))
  failed += raised.size
}
const wants = (name: string) => given.length === 0 || given.includes(name)
if (wants('dashboard')) failed += await checkDashboard({ query, tell, work: world.work })
for (const [alert, what, plant] of troubles.filter(([name]) => wants(name))) {
  const already = await firing()
  const end = await plant()
  const found = await until((now) => now.includes(alert), WITHIN_S)
  const others = (await firing()).filter((one) => one !== alert && !already.includes(one))
  await end()
  if (found === undefined) failed++
  const seconds = found === undefined ? 'not raised' : Math.round(found)
  tell(JSON.stringify({ alert, what, seconds, already: already.includes(alert), others }))
  await pause(2000)
}
// Those about something that has happened end some minutes or hours later.
const past = /Restarts|EventsMissed|Resyncs|Lost|Changed$/
const left = await until((now) => !now.some((name) => !past.test(name)), 150)
tell(left === undefined ? `Still raised: ${(await firing()).join(', ')}` : 'All others have ended.')
world.prometheus.stop()
await world.stop()
process.exit(failed || left === undefined ? 1 : 0)
