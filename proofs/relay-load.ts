import { frameSeal } from '../server/src/live/sealed-frames.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startChild } from '../bench/lib/child.ts'
import { openRedis } from '../server/src/data/redis.ts'
import { makeLog } from '../server/src/lib/log.ts'
import { startRedis } from '../server/src/testing/redis.ts'
import type { CopyQuestions, World } from './relay-copy.ts'

// RUN-10. `npx tsx proofs/relay-load.ts [--copies 20] [--rate 100] [--seconds 20]`: the sockets of many copies on one Redis, each copy
// a process with hub and relay. The processor time of a copy, with everything over the common channel (as while a copy of
// before topics runs) and with topics.
const { values } = parseArgs({
  options: {
    copies: { type: 'string', default: '20' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
  },
})
const [copies, rate, seconds] = [values.copies, values.rate, values.seconds].map(Number) as [number, number, number]
const people = { groups: 200, colleagues: 4, members: 20 }
const say = (line: string) => process.stdout.write(`${line}\n`)

const redis = await startRedis()
const children = Array.from({ length: copies }, () =>
  startChild<CopyQuestions>(new URL('relay-copy.ts', import.meta.url)),
)
const started = await Promise.all(
  children.map((child, copy) => child.ask('begin', { url: redis.url, copy, copies, ...people } satisfies World)),
)
const sockets = started.reduce((sum, one) => sum + one.sockets, 0)
say(`${copies} copies, ${sockets} sockets (${people.groups} groups), ${rate} messages a second for ${seconds} s`)

const client = await openRedis(redis.url, makeLog('silent'))
/** Seconds of processor that Redis has used. */
const redisSeconds = async () => {
  const told = String(await client.eval(`return redis.call('INFO', 'cpu')`, { keys: [], arguments: [] }))
  return [...told.matchAll(/used_cpu_(?:sys|user):([\d.]+)/g)].reduce((sum, [, part]) => sum + Number(part), 0)
}
const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

const measure = async (name: string, messages: number) => {
  const before = await redisSeconds()
  const found = await Promise.all(children.map((child) => child.ask('run', { messages, seconds })))
  const cpu = found.map(({ cpuMs }) => cpuMs)
  const row = {
    name,
    'ms of processor a second, a copy': Number(mean(cpu).toFixed(1)),
    'at most': Number(Math.max(...cpu).toFixed(1)),
    'frames a second, a copy': Math.round(mean(found.map(({ frames }) => frames))),
    'Redis, ms a second': Math.round((((await redisSeconds()) - before) * 1000) / (seconds + 2)),
    delivered: found.reduce((sum, one) => sum + one.delivered, 0),
    gaps: found.reduce((sum, one) => sum + one.gaps, 0),
  }
  say(JSON.stringify(row))
  return row
}

while (!client.isReady) await pause(50)
await pause(2000)
// For the compiler of JavaScript.
await measure('warm-up', Math.round((rate * seconds) / copies / 2))
await measure('idle', 0)
const topics = await measure('topics', Math.round((rate * seconds) / copies))
// A copy of before topics, to which everything must be sent over the common channel.
const old = (more: object) =>
  client.publish('load', frameSeal(Buffer.alloc(32)).write('load', { from: 'old', n: 0, ...more }))
await old({})
const beats = setInterval(() => void old({}), 1000)
await pause(1000)
const common = await measure('common channel', Math.round((rate * seconds) / copies))
clearInterval(beats)
await old({ bye: true })

const isSound = topics.delivered === common.delivered && topics.gaps + common.gaps === 0
if (!isSound) say('✗ not the same was delivered, or events were missed')
for (const child of children) await child.stop()
client.destroy()
await redis.kill()
process.exit(isSound ? 0 : 1)
