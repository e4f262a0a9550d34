import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openRedis } from '../server/src/data/redis.ts'
import { makeLog } from '../server/src/lib/log.ts'
import { openRelay } from '../server/src/live/relay.ts'

// RUN-10. `npx tsx proofs/sentinel.ts [KILLS]`: two copies' relays on Redis with a replica and three Sentinels. The master is
// killed again and again; each copy must be on the new one, and receive what the other one sends on a topic.
const kills = Number(process.argv[2] ?? 5)
const TOPIC = 'user:7'
const servers = [25_701, 25_702]
const sentinels = [25_703, 25_704, 25_705]
const say = (line: string) => process.stdout.write(`${line}\n`)
const directory = mkdtempSync(join(tmpdir(), 'tallyroom-sentinel-'))
const running = new Map<number, ChildProcess>()
process.once('exit', () => {
  for (const child of running.values()) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

const start = (port: number, args: string[]) => {
  mkdirSync(join(directory, String(port)), { recursive: true })
  const child = spawn('redis-server', args, { stdio: 'ignore', cwd: join(directory, String(port)) })
  running.set(port, child)
}
const startServer = (port: number, of?: number) =>
  start(port, [
    ...Object.entries({ port: String(port), bind: '127.0.0.1', save: '', 'repl-diskless-sync-delay': '0' }).flatMap(
      ([name, value]) => [`--${name}`, value],
    ),
    ...(of ? ['--replicaof', '127.0.0.1', String(of)] : []),
  ])
const [first = 0, second = 0] = servers
startServer(first)
await pause(500)
startServer(second, first)
await pause(1500)
for (const port of sentinels) {
  const file = join(directory, `${port}.conf`)
  writeFileSync(
    file,
    `port ${port}
bind 127.0.0.1
sentinel monitor rooms 127.0.0.1 ${first} 2
sentinel down-after-milliseconds rooms 1000
sentinel failover-timeout rooms 5000
`,
  )
  start(port, [file, '--sentinel'])
}
await pause(3000)

const url = `redis+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/rooms`
const log = makeLog('silent')
const openCopy = async () => {
  const redis = await openRedis(url, log)
  const received: string[] = []
  let gaps = 0
  const relay = openRelay(
    redis,
    { channel: 'proof', key: Buffer.alloc(32), log },
    {
      perform: (action) => action.do === 'say' && received.push(...action.said.map(({ event }) => event)),
      onGap: () => gaps++,
      onDark: () => undefined,
      isNeeded: () => true,
    },
  )
  await relay.subscribed
  await relay.want([TOPIC])
  return { relay, redis, received, gaps: () => gaps }
}
const [one, two] = [await openCopy(), await openCopy()]
let sent = 0
/** Until what one copy sends arrives at the other one. */
const arrives = async () => {
  for (const began = performance.now(); ; await pause(50)) {
    const event = String(++sent)
    one.relay.say(new Map([[TOPIC, [{ event, to: [TOPIC], except: [], payload: {} }]]]))
    await pause(20)
    if (two.received.includes(event)) return (performance.now() - began) / 1000
    if (performance.now() - began > 60_000) throw new Error('nothing arrives')
  }
}
await arrives()
let master = first
const times: number[] = []
for (let n = 1; n <= kills; n++) {
  const before = two.gaps()
  running.get(master)?.kill('SIGKILL')
  await pause(200)
  const seconds = await arrives()
  times.push(seconds)
  say(
    `kill ${n}: events arrive again after ${seconds.toFixed(1)} s; the other copy saw the gap ${two.gaps() - before} times`,
  )
  if (two.gaps() === before) process.exitCode = 1
  const other = servers.find((port) => port !== master) ?? 0
  startServer(master, other)
  master = other
  // Sentinel takes it in as a replica, and the replica must have synced before the next kill.
  await pause(12_000)
}
say(`${kills} kills: at most ${Math.max(...times).toFixed(1)} s`)
for (const copy of [one, two]) {
  await copy.relay.close()
  copy.redis.destroy()
}
process.exit()
