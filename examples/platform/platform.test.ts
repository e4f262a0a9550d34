import { readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { MessageType, Role } from '@tallyroom/contract/codes'
import type { TallyroomEvent } from '@tallyroom/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeAccount } from '../../server/src/accounts/accounts.ts'
import { run, sql } from '../../server/src/data/sql.ts'
import { NO_PASSWORD } from '../../server/src/identity/passwords.ts'
import { sendWebhooks } from '../../server/src/member-api/events/webhooks.ts'
import { startTestServer, type TestServer } from '../../server/src/testing/app.ts'
import { cashFamily } from '../../server/src/testing/cash.ts'
import { platform } from '../../server/src/testing/fakes/platform.ts'

// The wishes of a platform, done by the example alone: each test makes no call of its own to the member API.

let server: TestServer
let family: Awaited<ReturnType<typeof cashFamily>>
const listeners: Server[] = []
beforeAll(async () => {
  server = await startTestServer({ WEBHOOKS_INSIDE: '1', PUBLIC_URL: 'https://talk.example' })
  family = await cashFamily(server)
  const { id, secret } = await platform(server, family.top)
  Object.assign(process.env, { TALLYROOM_URL: server.address, TALLYROOM_KEY: id, TALLYROOM_SECRET: secret })
  await run(server.services.db, sql`update accounts set third_party_id = 'ann' where id = ${family.member.id}`)
})
afterAll(() => {
  for (const name of ['URL', 'KEY', 'SECRET']) delete process.env[`TALLYROOM_${name}`]
  for (const listener of listeners) listener.close()
})
/** Members with these ids, faster than one call for each. */
const makeMembers = (ids: string[]) =>
  server.services.db.transact(async (tx) => {
    const { id: topId } = family.top
    const parent = { id: topId, topId, groupId: topId, path: `/${topId}/` }
    for (const [at, thirdPartyId] of ids.entries()) {
      const names = { username: `x${topId}-${at}`, nickname: thirdPartyId, thirdPartyId }
      await makeAccount(tx, { parent, role: Role.member, passwordHash: NO_PASSWORD, ...names })
    }
  })
const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
/** The files of the example, which read their key when they are loaded. */
const files = async () => ({
  ...(await import('./members.ts')),
  ...(await import('./agents.ts')),
  ...(await import('./credit.ts')),
  ...(await import('./sign-in.ts')),
  ...(await import('./widget.ts')),
  ...(await import('./bets.ts')),
  ...(await import('./balances.ts')),
  ...(await import('./transfers.ts')),
  ...(await import('./statements.ts')),
  ...(await import('./promotion.ts')),
  ...(await import('./freeze.ts')),
  ...(await import('./notices.ts')),
  ...(await import('./messages.ts')),
  ...(await import('./requests.ts')),
  ...(await import('./webhooks.ts')),
})

test('[API-12] the example makes members and agents, signs in, gives 200 members points once, and freezes one', async () => {
  const example = await files()
  const players = Array.from({ length: 200 }, (_, at) => `player-${at}`)
  for (const id of ['player-0', 'player-1', 'player-0']) await example.addMember({ id, name: id })
  await makeMembers(players.slice(2))
  expect(await example.givePromotion('spring', players, '10')).toEqual([])
  expect(await example.givePromotion('spring', [...players.slice(0, 20), 'nobody'], '10')).toEqual([
    { player: 'nobody', error: expect.objectContaining({ refusal: 'account.not_found' }) as Error },
  ])
  expect(await example.balancesOf(players)).toEqual(new Map(players.map((id) => [id, '10.0000'])))
  const url = await example.conversationUrl('player-1')
  expect(url).toMatch(/^https:\/\/talk\.example\/WebLogin\//)
  const page = 'https://www.example.com/tallyroom-link'
  const asks = (headers: Record<string, string>) => new Request(page, { method: 'POST', headers })
  const playerOf = ({ headers }: Request) => headers.get('cookie') ?? undefined
  const own = { 'X-Tallyroom-Widget': '1' }
  const routed = await example.widgetRoute(asks({ ...own, cookie: 'player-1' }), playerOf)
  expect(await routed.json()).toEqual({ token: expect.any(String) as string })
  expect(routed.headers.get('cache-control')).toBe('no-store')
  expect((await example.widgetRoute(asks(own), playerOf)).status).toBe(401)
  expect((await example.widgetRoute(asks({ cookie: 'player-1' }), playerOf)).status).toBe(403)
  await example.freeze('player-1')
  expect(await example.givePromotion('summer', ['player-1'], '1')).toMatchObject([
    { error: { refusal: 'transfer.frozen' } },
  ])
  await example.unfreeze('player-1')
  expect(await example.givePromotion('autumn', ['player-1'], '1')).toEqual([])

  const { hasCredit } = await example.addAgent({ id: 'agent-1', name: 'North', credit: '500' })
  expect(hasCredit).toBe(true)
  expect(await example.setCredit('agent-1', '800')).toBe('done')
})

test('[API-12] the example reports bets and wins, and reads transfers and statements', async () => {
  const example = await files()
  const start = new Date(Date.now() - 60_000)
  const rounds = [
    { id: 'round-1', player: 'ann', bet: '5', win: '7' },
    { id: 'round-2', player: 'ann', bet: '3', win: '0' },
    { id: 'round-3', player: 'ann', bet: '5000', win: '1' },
  ]
  const refused = [expect.objectContaining({ bet_id: 'round-3', refusal: 'transfer.member_not_enough' })]
  expect(await example.reportRounds(rounds)).toEqual(refused)
  expect(await example.reportRounds(rounds)).toEqual(refused)
  expect(await example.balancesOf(['ann'])).toEqual(new Map([['ann', '99.0000']]))
  const rows = await example.transfersBetween(start, new Date(Date.now() + 1000))
  expect(
    rows
      .filter(({ player }) => player === 'ann')
      .map(({ kind, amount }) => [kind, amount])
      .slice(0, 3),
  ).toEqual([
    [9, '7.0000'],
    [8, '3.0000'],
    [8, '5.0000'],
  ])
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: server.services.settings.timeZone }).format(new Date())
  const book = await example.bookDay(day)
  expect(book.lines.map(({ amount }) => amount)).toEqual(expect.arrayContaining(['7.0000', '-3.0000']))
  expect(book.sums).toMatchObject({ opening: '0.0000', time_zone: server.services.settings.timeZone })
})

test('[API-03] [API-12] the example takes webhooks, pays requests once, tells the member, and answers who waits', async () => {
  const example = await files()
  const { member, agent, cs, out, room, taken } = family
  let stored: number | undefined
  const port = await freePort()
  const secret = await example.addEndpoint(`http://127.0.0.1:${port}/hooks`)
  const events: TallyroomEvent[] = []
  const { server: listener, catchUp } = example.eventServer({
    secret,
    store: { read: () => stored, write: (seq) => void (stored = seq) },
    onEvent: async (event) => {
      events.push(event)
      const paid = event.type === 'request.paid' ? event.data : undefined
      if (paid?.third_party_id)
        await example.tellPaid(paid.third_party_id, { id: String(paid.id), amount: paid.amount })
    },
  })
  listeners.push(listener)
  await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve))

  const { id } = await member.call('cash/ask', out('30'))
  const paid: string[] = []
  const atBank = async ({
    reference,
    amount,
    account_no,
  }: {
    reference: string
    amount: string
    account_no: string
  }) => {
    paid.push(`${reference} ${amount} ${account_no}`)
  }
  expect(await example.payWithdrawals(atBank)).toMatchObject([{ id, state: 'paid' }])
  expect(await example.payWithdrawals(atBank)).toEqual([])
  // One that somebody has, and one whose bank account has just changed, are left to the office.
  const other = await taken(cs, '5')
  expect(await example.payWithdrawals(atBank)).toEqual([])
  await cs.call('cash/giveBack', { id: other })
  await run(server.services.db, sql`update bank_accounts set changed_at = now() where member_id = ${member.id}`)
  expect(await example.payWithdrawals(atBank)).toMatchObject([{ id: other, state: 'asked' }])
  expect(paid).toEqual([`request-${id} 30.0000 12345678`])

  const texts = async () => (await member.call('room/enter', { code: room })).messages.map(({ content }) => content)
  await vi.waitFor(
    async () => {
      await sendWebhooks(server.services)
      expect(await texts()).toContain('Your withdrawal of 30.0000 was paid.')
    },
    { timeout: 20_000, interval: 50 },
  )
  await catchUp()
  expect(events.filter(({ type }) => type === 'request.paid')).toHaveLength(1)

  const guest = await server.person({ role: Role.member, under: agent })
  const { data } = await guest.call('room/list', {})
  const code = data[0]?.code ?? ''
  await guest.call('sendMessage', { code, type: MessageType.text, content: 'When do you open?' })
  await example.answerWaiting((asked) => (asked.includes('When do you open?') ? 'At nine.' : undefined))
  const { messages } = await guest.call('room/enter', { code })
  expect(messages.map(({ content }) => content)).toEqual(['When do you open?', 'At nine.'])
})

test('[API-12] the example has at most 300 lines, and imports nothing of ours but the client', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const sources = readdirSync(folder)
    .filter((name) => /(?<!\.test)\.ts$/.test(name))
    .map((name) => readFileSync(`${folder}${name}`, 'utf8'))
  expect(sources.length).toBeGreaterThan(10)
  expect(sources.join('').split('\n').length).toBeLessThanOrEqual(300)
  for (const source of sources)
    for (const [, from] of source.matchAll(/ from '([^']+)'/g))
      expect(from).toMatch(/^(@tallyroom\/client|node:[a-z]+|\.\/[a-z-]+\.ts)$/)
})
