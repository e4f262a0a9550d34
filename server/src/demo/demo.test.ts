import { MessageType, Role, RoomStatus } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeAccount } from '../accounts/accounts.ts'
import { many, one, sql } from '../data/sql.ts'
import { hashPassword, ofThisProcess } from '../identity/passwords.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { type Person, type TestServer, startTestServer } from '../testing/app.ts'
import { demoClient } from './client.ts'
import { startDemo } from './demo.ts'

let server: TestServer
let lines: string[]
beforeAll(async () => {
  server = await startTestServer()
  const passwordHash = await hashPassword('admin123', ofThisProcess)
  const top = {
    parent: undefined,
    role: Role.admin,
    username: 'admin',
    nickname: 'Admin',
    passwordHash,
    unlimited: true,
  } as const
  await server.services.db.transact((tx) => makeAccount(tx, top))
  const demo = await startDemo(server)
  lines = demo.lines
  return demo.stop
})

const as = async (username: string): Promise<Pick<Person, 'id' | 'call'>> => {
  const found = await one<{ id: number; role: number }>(
    server.services.db,
    sql`select id, role_id as role from accounts where username = ${username}`,
  )
  return demoClient(server, found?.id ?? 0, found?.role === Role.member ? 'member' : 'office')
}

const roomWithBot = async (who: Pick<Person, 'call'>) =>
  (await who.call('room/list', { status: RoomStatus.ai })).data[0]

describe('[FIRST-02] the demo', () => {
  test('has 30 days of transfers and bets, and the ledger’s invariants hold', async () => {
    const { db } = server.services
    expect(await checkLedger(db, 'UTC').then((found) => found.filter(({ breaches }) => breaches.length))).toEqual([])
    const [days] = await many<{ days: number; bets: number }>(
      db,
      sql`select count(distinct created_at::date)::int as days, (count(*) filter (where op = 8))::int as bets from transfers`,
    )
    expect(days?.days).toBeGreaterThanOrEqual(30)
    expect(days?.bets).toBeGreaterThan(100)
    // Today may have just begun.
    const { days: week } = await (await as('dana')).call('home/view', {})
    expect(week.slice(0, -1).filter(({ total_in }) => Number(total_in) === 0)).toEqual([])
  })

  test('[BOOK-02] has closed periods, which adjoin, and a settlement of each state', async () => {
    const admin = await as('admin')
    const { data } = await admin.call('period/list', {})
    expect(data).toHaveLength(2)
    expect(data[0]?.opening).toBe(data[1]?.closing)
    const states = (await admin.call('settlement/list', {})).data.map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['open', 'settled']))
    expect((await (await as('dana')).call('settlement/list', {})).data.length).toBeGreaterThan(0)
  })

  test('has something unread for each account of the office', async () => {
    for (const username of ['admin', 'dana', 'mika', 'omar', 'nora', 'siti', 'pavel']) {
      const { data } = await (await as(username)).call('room/list', {})
      const unread = data.filter(({ message_read, waiting_since }) => message_read === 0 && waiting_since)
      expect([username, unread.length > 0]).toEqual([username, true])
    }
  })

  test('has waiting rooms of all ages, an AI room, open envelopes, quick replies, notes and levels of agents', async () => {
    const dana = await as('dana')
    const rooms = (await dana.call('room/list', {})).data
    const minutes = rooms.flatMap(({ waiting_since }) =>
      waiting_since ? [(Date.now() - Date.parse(waiting_since)) / 60_000] : [],
    )
    expect(minutes.some((age) => age < 2) && minutes.some((age) => age > 2 && age < 5)).toBe(true)
    expect(minutes.some((age) => age > 5)).toBe(true)
    const farhan = await roomWithBot(dana)
    const answered = async () => (await dana.call('room/history', { code: farhan?.code ?? '' })).messages.at(-1)?.bot
    await expect.poll(answered, { timeout: 20_000 }).toBe(1)
    expect((await roomWithBot(dana))?.username).toBe('farhan')
    expect((await dana.call('home/view', {})).open).toMatchObject({ offers: 1, requests: 1 })
    expect((await dana.call('message-template/list', {})).data).toHaveLength(6)
    const gina = rooms.find(({ username }) => username === 'ginawong')
    expect((await dana.call('note/list', { room_id: gina?.room_id ?? 0 })).total).toBe(1)
    const sent = (await dana.call('room/history', { code: gina?.code ?? '' })).messages
    expect(sent.find(({ file }) => file)?.file).toMatchObject({ name: 'slip-22-nov.pdf' })
    expect(sent.find(({ voice }) => voice)?.voice?.ms).toBeGreaterThan(3000)
    expect((await dana.call('user/list', { menu_id: 2 })).data.map(({ username }) => username)).toEqual(['nora'])
  })

  test('[CASH-02] [CAPS-02] [CAPS-04] has open requests, and a transfer and a change that wait for approval', async () => {
    const open = async (username: string) => (await as(username)).call('approval/open', {})
    expect([await open('admin'), await open('dana')]).toEqual([{ open: 2 }, { open: 1 }])
    const admin = await as('admin')
    const [sensitiveChange] = (await admin.call('change/list', {})).data
    expect(sensitiveChange).toMatchObject({
      kind: 'credit',
      target_username: 'quinn',
      maker_username: 'erin',
      may_decide: 1,
    })
    expect((await admin.call('cash/open', {})).asked).toBeGreaterThan(0)
    for (const username of ['admin', 'dana']) {
      const menu = (await (await as(username)).call('userMenu/list', {})).map(({ name }) => name)
      expect(menu).toEqual(expect.arrayContaining(['requests', 'approvals']))
    }
  })

  test('[DESK-07] [CASH-09] has a text for later, a snoozed conversation, and a request with a slip', async () => {
    const mika = await as('mika')
    const rooms = (await mika.call('room/list', {})).data
    const emilia = rooms.find(({ username }) => username === 'emilia')
    const { data } = await mika.call('message/scheduled', { code: emilia?.code ?? '' })
    expect(data).toMatchObject([{ kind: 'send', state: 'waits' }])
    expect(rooms.flatMap(({ username, snoozed_until }) => (snoozed_until ? [username] : []))).toEqual(['jaidee'])
    const asked = (await mika.call('cash/list', {})).data.filter(({ slip }) => slip !== '')
    expect(asked.map(({ username, direction }) => [username, direction])).toEqual([['divya', 'in']])
  })

  test('[BELL-01] [BELL-02] has mentions and a decision in the bell, and a payment out that may have been made', async () => {
    const kindsOf = async (username: string) =>
      (await (await as(username)).call('bell/list', {})).data.map(({ kind }) => kind).toSorted()
    expect([await kindsOf('mika'), await kindsOf('dana')]).toEqual([['decision', 'mention'], ['mention']])
    const asked = (await (await as('mika')).call('cash/list', {})).data
    expect(asked.flatMap((row) => (row.maybe_paid ? [[row.username, row.maybe_paid.key]] : []))).toEqual([
      ['lokesh', 'Payouts'],
    ])
  })

  test('a member answers in its own language', async () => {
    const mika = await as('mika')
    const room = (await mika.call('room/list', {})).data.find(({ username }) => username === 'chanwei')
    const code = room?.code ?? ''
    await mika.call('sendMessage', { code, type: MessageType.text, content: 'Hello' })
    const answer = async () => (await mika.call('room/history', { code })).messages.at(-1)
    await expect.poll(async () => (await answer())?.is_self, { timeout: 20_000 }).toBe(false)
    expect((await answer())?.content).toMatch(/\p{Script=Han}/u)
  })

  test('says how long it took', () => {
    expect(lines.join('\n')).toMatch(/made in \d+\.\d s/)
  })
})
