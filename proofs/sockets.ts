import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { addressOf } from '../server/src/testing/template.ts'
import { startRedis } from '../server/src/testing/redis.ts'
import { startPostgres } from '@tallyroom/postgres'
import type { RoomChange } from '@tallyroom/contract/events'
import { MessageType, RoomStatus } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { io, type Socket } from 'socket.io-client'
import { type Client, makeClient, signIn, signUp } from '../e2e/support/client.ts'
import { startServer } from '../e2e/support/server.ts'
import { buildServer } from '../scripts/build.mjs'

// RUN-09. `npx tsx proofs/sockets.ts [--members 50] [--each 20]`: by default 1,000 sockets on three copies. One copy is killed
// while messages are written, then Redis is killed and comes back empty.
const { values } = parseArgs({
  options: { members: { type: 'string', default: '50' }, each: { type: 'string', default: '20' } },
})
const MEMBERS = Number(values.members)
const SOCKETS_OF_EACH = Number(values.each)
const say = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

await buildServer()
const directory = mkdtempSync(join(tmpdir(), 'tallyroom-sockets-'))
const postgres = await startPostgres({ dataDir: join(directory, 'database') })
const redis = await startRedis()
const env = {
  DATABASE_URL: addressOf(postgres.app),
  DATABASE_OWNER_URL: addressOf(postgres.owner),
  REDIS_URL: redis.url,
  TALLYROOM_KEY: '5e'.repeat(32),
  CONNECTIONS: '20000',
  CONNECTIONS_OF_ADDRESS: '20000',
}
const copies = [await startServer({ env }), await startServer({ env }), await startServer({ env })] as const
const [first, second, victim] = copies
const admin = await signIn(first.url, 'admin', first.password)
const { share_code } = await admin.call('user/view', {})

type Page = { socket: Socket; copy: number; code: string; version: number; cuts: number; missed: number }
const pages: Page[] = []
const rooms: { code: string; member: Client }[] = []
const open = (copy: number, token: string | undefined, code: string): Page => {
  const socket = io(copies[copy]?.url ?? '', {
    path: '/socket',
    auth: { token },
    transports: ['websocket'],
    forceNew: true,
  })
  const page: Page = { socket, copy, code, version: 0, cuts: 0, missed: 0 }
  socket.on('disconnect', () => page.cuts++)
  socket.on('missed', () => page.missed++)
  socket.on('room', (change: RoomChange) => {
    page.version = Math.max(page.version, change.version)
  })
  pages.push(page)
  return page
}
for (let n = 0; n < MEMBERS; n++) {
  const member = await signUp(first.url, share_code, `page${n}`)
  const { data } = await member.call('room/list', {})
  const code = data[0]?.code ?? ''
  rooms.push({ code, member })
  for (let of = 0; of < SOCKETS_OF_EACH; of++) open(of % 3, member.token, code)
}
while (pages.some(({ socket }) => !socket.connected)) await pause(50)
say(`${pages.length} sockets on three copies`)

let going = true
let written = 0
/** Each copy writes: what the victim has just committed it can no longer tell the others. */
const load = Promise.all(
  copies.map(async ({ url }) => {
    const client = makeClient(url, admin.token)
    for (let n = 0; going; n++) {
      const { code } = rooms[n % rooms.length] ?? { code: '' }
      const message = { code, type: MessageType.text, content: randomUUID(), request_id: randomUUID() }
      const answer = await client.ask('sendMessage', message).catch(() => undefined)
      if (answer?.code === OK) written++
      await pause(10)
    }
  }),
)
const versions = async () => {
  const { data } = await admin.call('room/list', { status: RoomStatus.shown })
  return new Map(data.map((room) => [room.code, room.version]))
}
const survivors = () => pages.filter(({ copy }) => copy !== 2)
/** The time until every page that stayed has the newest version of its room, from events alone. */
const upToDate = async () => {
  const began = performance.now()
  for (;;) {
    const wanted = await versions()
    if (survivors().every(({ code, version }) => version >= (wanted.get(code) ?? 0))) return seconds(began)
    await pause(50)
  }
}

await pause(3000)
await victim.kill()
await pause(6000)
going = false
await load
const afterKill = await upToDate()
const cutsOfKill = survivors().filter(({ cuts }) => cuts).length
say(
  `${written} messages; a copy was killed: ${cutsOfKill} of ${survivors().length} sockets of the others cut, all up to date after ${afterKill}`,
)
while (survivors().some(({ missed }) => missed === 0)) await pause(50)
say('each of their pages got `missed`')

await redis.kill()
await Promise.all(
  rooms.map(async ({ code }, n) => {
    const client = makeClient(n % 2 ? first.url : second.url, admin.token)
    await client.call('sendMessage', {
      code,
      type: MessageType.text,
      content: 'without Redis',
      request_id: randomUUID(),
    })
  }),
)
await pause(3000)
await redis.start()
const back = await upToDate()
const cuts = survivors().filter((page) => page.cuts).length
say(`Redis was away for 3 s: ${cuts} of ${survivors().length} sockets cut, all up to date ${back} after its return`)
if (cuts || cutsOfKill) process.exitCode = 1

for (const { socket } of pages) socket.disconnect()
for (const copy of [first, second]) await copy.remove()
await redis.kill()
await postgres.stop()
rmSync(directory, { recursive: true, force: true })
process.exit()
