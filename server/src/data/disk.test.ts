import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OK } from '@tallyroom/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { restrictDataDir, watchDisk } from './disk.ts'
import { PASSWORD, startTestServer } from '../testing/app.ts'
import { prepareDataDir } from '@tallyroom/postgres/data-dir'
import { MessageType } from '@tallyroom/contract/codes'
import { bare } from '../testing/sign-in.ts'
import { outcomeOf } from '../testing/outcome.ts'

test('[R5] on a full disk every write is refused, reads and sign-ins work, and once there is space the same write is done once', async () => {
  const server = await startTestServer()
  const { agent, member, room } = await server.family()
  let isFull = true
  server.services.disk = { isFull: () => isFull, isScarce: () => isFull, stop: () => {} }
  const write = { code: room, type: MessageType.text, content: 'kept', request_id: randomUUID() }
  const give = { id: member.id, amount: '5', remark: 'full', request_id: randomUUID() }
  const all = async () => [
    outcomeOf(await agent.ask('sendMessage', write)),
    outcomeOf(await agent.ask('user/transaction', give)),
  ]
  expect(await all()).toEqual(['server.full', 'server.full'])
  expect((await agent.ask('room/history', { code: room })).code).toBe(OK)
  expect((await agent.ask('room/list', {})).code).toBe(OK)
  expect((await bare(server)('login', { username: agent.username, password: PASSWORD })).code).toBe(OK)
  expect(await (await fetch(`${server.address}/readyz`)).json()).toEqual({ ok: true, disk: 'full' })
  isFull = false
  expect(await all()).toEqual(['done', 'done'])
  expect(await all()).toEqual(['done', 'done'])
  const { messages } = await member.call('room/history', { code: room })
  expect(messages.filter(({ content }) => content === 'kept')).toHaveLength(1)
  expect((await member.call('user/view', {})).balance).toBe('5.0000')
  expect(await (await fetch(`${server.address}/readyz`)).json()).toEqual({ ok: true })
})

test.each([
  ['our own database', undefined, 'disk', [true, false]],
  ['a database elsewhere', 'postgresql://elsewhere', 'disk', [true, false]],
  ['a database and files elsewhere', 'postgresql://elsewhere', 's3', [false, false]],
] as const)('[R5] with %s, files are refused long before all writes are', async (_, databaseUrl, newGoTo, expected) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let free = 10_000_000_000
  const log = { warn: vi.fn(), error: vi.fn() }
  const disk = watchDisk({ dataDir: 'data', databaseUrl, media: { newGoTo } as never }, log, () =>
    Promise.resolve(free),
  )
  onTestFinished(() => disk.stop())
  const after = async (bytes: number) => {
    free = bytes
    await vi.advanceTimersByTimeAsync(1000)
    return [disk.isScarce(), disk.isFull()]
  }
  expect(await after(600_000_000)).toEqual([false, false])
  expect(await after(400_000_000)).toEqual(expected)
  expect(await after(10_000_000)).toEqual([expected[0], databaseUrl === undefined])
  expect(await after(600_000_000)).toEqual([false, false])
})

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

test('[S17] other users of the machine cannot read images, also in a DATA_DIR that was readable before', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tallyroom-modes-'))
  const media = join(dataDir, 'media')
  mkdirSync(join(media, 'old'), { recursive: true })
  writeFileSync(join(media, 'old', 'old1'), 'old image', { mode: 0o644 })
  for (const path of [dataDir, media, join(media, 'old')]) chmodSync(path, 0o755)
  const server = await startTestServer({ DATA_DIR: dataDir, DATABASE_URL: 'postgresql://elsewhere' })
  expect([dataDir, media, join(media, 'old')].map(modeOf)).toEqual(['700', '700', '700'])
  const { member, room } = await server.family()
  const content = `data:image/png;base64,${PIXEL}`
  await member.call('sendMessage', { code: room, type: MessageType.image, content, request_id: randomUUID() })
  const made = readdirSync(media).filter((name) => name !== 'old')
  expect(made).toHaveLength(1)
  const within = join(media, made[0] ?? '')
  expect([within, join(within, readdirSync(within)[0] ?? '')].map(modeOf)).toEqual(['700', '600'])
})

test('[S17] others may at most pass through the directory of our own database; a directory of another owner stays as it is', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tallyroom-modes-'))
  chmodSync(dataDir, 0o755)
  prepareDataDir(dataDir)
  expect(modeOf(dataDir)).toBe(process.getuid?.() === 0 ? '711' : '700')
  if (process.getuid?.() === 0) {
    // As in npm run dev, where the server has only the address of that database.
    mkdirSync(join(dataDir, 'postgres'))
    chownSync(join(dataDir, 'postgres'), 65_534, 65_534)
    restrictDataDir({ dataDir, databaseUrl: 'postgresql://elsewhere' })
    expect(modeOf(dataDir)).toBe('711')
  }
  const shared = mkdtempSync(join(tmpdir(), 'tallyroom-modes-'))
  chmodSync(shared, 0o1777)
  prepareDataDir(shared)
  restrictDataDir({ dataDir: shared, databaseUrl: 'postgresql://elsewhere' })
  expect(modeOf(shared)).toBe('777')
})
