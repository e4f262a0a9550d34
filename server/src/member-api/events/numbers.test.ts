import { createServer } from 'node:http'
import { TransferKind } from '@tallyroom/contract/codes'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { besideTransaction, many, one, run, sql, type Tx } from '../../data/sql.ts'
import { erasePerson } from '../../retention/person.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/app.ts'
import { platform } from '../../testing/fakes/platform.ts'
import { numberEvents } from './numbers.ts'
import { sendWebhooks } from './webhooks.ts'

type Body = { id: string; event: string; seq: number; member_seq: number | null; data: Record<string, unknown> }
const received: Body[] = []
const listener = createServer((request, answer) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    received.push(JSON.parse(text) as Body)
    answer.writeHead(204).end()
  })
})
let server: TestServer
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  server = await startTestServer({ WEBHOOKS_INSIDE: '1' })
})
afterAll(() => listener.close())

type Page = { data: (Body & { at: string })[]; next_seq: number; more: boolean }
const listOf = async (api: Awaited<ReturnType<typeof platform>>, asked: object = {}) =>
  (await api.call('event/list', asked)) as Page

const add = (tx: Tx, topId: number, accountId: number | null) =>
  run(
    tx,
    sql`insert into webhooks (top_id, account_id, kind, payload) values (${topId}, ${accountId}::int, 'member.added', '{}')`,
  )
const numbersOf = (topId: number) =>
  many<{ id: bigint; account: number | null; seq: number; memberSeq: number | null }>(
    server.services.db,
    sql`select id, account_id as account, seq::int as seq, member_seq::int as "memberSeq" from webhooks
      where top_id = ${topId} order by seq`,
  )
/** The server's own task may be at it. */
const allNumbered = (topIds: number[]) =>
  vi.waitFor(async () => {
    await numberEvents(server.services.db)
    const open = await one(
      server.services.db,
      sql`select 1 as open from webhooks where top_id = any(${topIds}::int[]) and seq is null limit 1`,
    )
    expect(open).toBeUndefined()
  })
const upTo = (n: number) => Array.from({ length: n }, (_, at) => at + 1)

test('[API-09] numbers have no gap and no double, with writers that fail and numbering that is killed', async () => {
  const { db } = server.services
  const families = [await server.family(), await server.family()]
  const ids = families.map(({ top }) => top.id)
  const kept = new Map<number, number>(ids.map((id) => [id, 0]))
  const stop = new Error('rolled back')
  const write = async (n: number) => {
    const { top, member, agent } = families[n % 2] ?? families[0] ?? (await server.family())
    const fails = n % 5 === 0
    await db
      .transact(async (tx) => {
        await add(tx, top.id, n % 3 === 0 ? null : n % 4 === 0 ? agent.id : member.id)
        if (n % 7 === 0) await add(tx, top.id, member.id)
        if (fails) throw stop
      })
      .catch((error: unknown) => expect(error).toBe(stop))
    if (!fails) kept.set(top.id, (kept.get(top.id) ?? 0) + (n % 7 === 0 ? 2 : 1))
  }
  const kill = () =>
    db
      .transact(async (tx) => {
        await run(tx, sql`select pg_advisory_xact_lock(7460119243)`)
        await run(
          tx,
          sql`insert into event_numbers values (${ids[0]}, 0, 50)
            on conflict (top_id, account_id) do update set last = event_numbers.last + 50`,
        )
        await run(tx, sql`update webhooks set seq = 900000 + id where seq is null and top_id = ${ids[0]}`)
        await run(tx, sql`select pg_terminate_backend(pg_backend_pid())`)
      })
      .catch(() => 'killed')
  for (let round = 0; round < 8; round++) {
    const works = Array.from({ length: 30 }, (_, n) => write(round * 30 + n + 1))
    const [killed] = await Promise.all([kill(), numberEvents(db), ...works, numberEvents(db)])
    expect(killed).toBe('killed')
  }
  await allNumbered(ids)
  for (const id of ids) {
    const rows = await numbersOf(id)
    expect(rows.map(({ seq }) => seq)).toEqual(upTo(kept.get(id) ?? 0))
    for (const account of new Set(rows.map((row) => row.account))) {
      const own = rows.filter((row) => row.account === account).map(({ memberSeq }) => memberSeq)
      expect(own).toEqual(account === null ? own.map(() => null) : upTo(own.length))
    }
  }
})

test('[API-09] what was written after a commit has a higher number; what commits late gets a late one', async () => {
  const { db } = server.services
  const { top, member } = await server.family()
  const idOf = async () =>
    (await one<{ id: bigint }>(db, sql`select max(id) as id from webhooks where top_id = ${top.id}`))?.id
  const beside = (work: () => Promise<void>) => besideTransaction(work)
  await db.transact(async (tx) => {
    // This transaction is older than the next one, and writes its first event before it, its second one after it.
    await add(tx, top.id, member.id)
    await beside(async () => {
      await db.transact((other) => add(other, top.id, member.id))
      await allNumbered([top.id])
    })
    await add(tx, top.id, member.id)
  })
  await allNumbered([top.id])
  const rows = await numbersOf(top.id)
  const [early, first, late] = rows.map(({ id }) => id)
  expect(rows.map(({ seq, memberSeq }) => [seq, memberSeq])).toEqual([1, 2, 3].map((n) => [n, n]))
  expect([early, first, late]).toEqual([(first ?? 0n) + 1n, first, await idOf()])
})

test('[API-09] a list has the bodies of the webhooks, by number, kind and account; those of others are not in it', async () => {
  const family = await server.family()
  const { top, agent, member } = family
  const api = await platform(server, top)
  await top.call('setting/save', { api_url: url })
  const second = await server.person({ role: 4, under: agent })
  const give = (to: Person) =>
    agent.call('transaction/add', { member_id: to.id, type: TransferKind.gift, amount: '1', remark: 'for you' })
  for (const to of [member, second, member]) await give(to)
  await api.call('webhook/ping', {})
  await vi.waitFor(
    async () => {
      await sendWebhooks(server.services)
      expect((await listOf(api)).data).toHaveLength(5)
      for (const { id } of (await listOf(api)).data) expect(received.map((body) => body.id)).toContain(id)
    },
    { timeout: 15_000 },
  )
  const all = await listOf(api)
  expect(all).toMatchObject({ next_seq: 5, more: false })
  for (const body of all.data) expect(received.filter(({ id }) => id === body.id)).toEqual([body])
  const brief = ({ data }: Page) => data.map(({ event, seq, member_seq }) => [event, seq, member_seq])
  expect(brief(all)).toEqual([
    ['member.added', 1, 1],
    ['transfer.settled', 2, 1],
    ['transfer.settled', 3, 2],
    ['transfer.settled', 4, 2],
    ['ping', 5, null],
  ])
  const { username } = member
  expect(brief(await listOf(api, { username }))).toEqual([
    ['transfer.settled', 2, 1],
    ['transfer.settled', 4, 2],
  ])
  const page = await listOf(api, { kinds: ['transfer.settled'], per_page: 2, after_seq: 1 })
  expect([brief(page).map(([, seq]) => seq), page.next_seq, page.more]).toEqual([[2, 3], 3, true])
  expect(await listOf(api, { kinds: ['request.paid'], after_seq: 1 })).toEqual({ data: [], next_seq: 5, more: false })
  expect((await api.post('event/list', { kinds: ['nothing'] })).reply).toBeRefusal('request.invalid')
  const other = await platform(server, (await server.family()).top)
  expect(await listOf(other)).toEqual({ data: [], next_seq: 0, more: false })
  expect((await other.post('event/list', { username })).reply).toBeRefusal('account.not_found')
})

test('[API-09] an event of an erased person keeps its numbers and nothing else', async () => {
  const { db } = server.services
  const { top, agent, member } = await server.family()
  const api = await platform(server, top)
  await top.call('setting/save', { api_url: url })
  const gift = { member_id: member.id, type: TransferKind.gift, amount: '1', remark: 'secret words' }
  await agent.call('transaction/add', gift)
  await server.meetTurnover(member)
  await allNumbered([top.id])
  // The second event is erased before it has a number.
  await db.transact(async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(7460119243)`)
    await agent.call('transaction/add', { ...gift, type: TransferKind.receive })
    await erasePerson(tx, {}, { id: member.id, topId: top.id, name: 'someone' }, 'UTC')
  })
  await allNumbered([top.id])
  const { data } = await listOf(api)
  expect(data.map(({ event, seq, member_seq, data: facts }) => [event, seq, member_seq, facts])).toEqual([
    ['erased', 1, 1, {}],
    ['erased', 2, 2, {}],
  ])
})
