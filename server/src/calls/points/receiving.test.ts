import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { emptyPng } from '../../testing/images.ts'

const server = await startTestServer()
const { db } = server.services

const dataUrl = `data:image/png;base64,${emptyPng(300, 300).toString('base64')}`
const north = { bank: 'North Bank', account_name: 'Tally House', account_no: '12345678' }
const south = { bank: 'South Bank', account_name: 'Tally House', account_no: '87654321' }

/** A group that takes requests, with customer service and members. */
const group = async () => {
  const { agent, cs, member, ...others } = await server.family()
  await agent.call('setting/save', { name: 'Room', cash_requests: 1 })
  const second = await server.person({ role: Role.member, under: agent })
  return { ...others, agent, cs, member, second }
}
const payTo = async (member: Person, amount: string) => (await member.call('cash/payTo', { amount })).pay_to
const queue = async (cs: Person) => (await cs.call('cash/list', { states: ['asked'] })).data

test('[CASH-08] a member is shown one account to pay to, exactly as the head wrote it', async () => {
  const { agent, member } = await group()
  expect(await member.call('cash/view', {})).toMatchObject({ receiving: 0, receiving_changed: null })
  expect(await payTo(member, '100')).toBeNull()
  await agent.call('receiving/save', { ...south, position: 2 })
  await agent.call('receiving/save', { ...north, position: 1, qr: dataUrl })
  expect(await member.call('cash/view', {})).toMatchObject({ receiving: 1 })
  const shown = await payTo(member, '100.5')
  expect(shown).toMatchObject({ ...north, amount: '100.5000' })
  expect(shown?.qr).toMatch(/^\/media\/[0-9a-f]{32}$/)
  const picture = await fetch(`${server.address}${shown?.qr}`, { headers: { authorization: `Bearer ${member.token}` } })
  expect(picture.headers.get('content-type')).toBe('image/webp')
})

test('[CASH-08] an account is offered at its times, up to its limit of the day, and only while it is on', async () => {
  const { agent, cs, member, second } = await group()
  // The first minute of an hour that is not now: it is closed.
  const hour = new Date().getUTCHours()
  const at = (hours: number) => `${String((hour + hours) % 24).padStart(2, '0')}:00`
  await agent.call('receiving/save', { ...north, position: 0, times: { from: at(2), until: at(3) } })
  await agent.call('receiving/save', { ...south, position: 1, day_limit: '150' })
  expect(await payTo(member, '100')).toMatchObject(south)
  await member.call('cash/ask', { direction: 'in', amount: '100' })
  expect(await payTo(second, '60')).toBeNull()
  expect(await payTo(second, '50')).toMatchObject(south)
  const [north_, south_] = (await agent.call('receiving/list', {})).data
  await agent.call('receiving/save', { ...north, id: north_?.id, times: { from: at(23), until: at(2) } })
  expect(await payTo(second, '60')).toMatchObject(north)
  await agent.call('receiving/save', { ...north, id: north_?.id, status: 0 })
  expect(await payTo(second, '60')).toBeNull()
  // What a member was refused is room again.
  const [row] = await queue(cs)
  await cs.call('cash/take', { id: row?.id ?? 0 })
  await cs.call('cash/refuse', { id: row?.id ?? 0, reason_code: 'no_payment' })
  expect(await payTo(second, '60')).toMatchObject(south)
  expect(south_?.day_limit).toBe('150.0000')
})

test('[CASH-08] two members who pay the same at once pay other cents, and never more than the limit of the day', async () => {
  const { agent, member, second } = await group()
  const others = await Promise.all(Array.from({ length: 6 }, () => server.person({ role: Role.member, under: agent })))
  await agent.call('setting/save', { odd_cents: 1 })
  await agent.call('receiving/save', { ...north, day_limit: '500.15' })
  const shown = await Promise.all([member, second, ...others].map((who) => payTo(who, '100')))
  const amounts = shown.flatMap((one) => (one ? [one.amount] : []))
  expect(amounts.toSorted()).toEqual(['100.0100', '100.0200', '100.0300', '100.0400', '100.0500'])
  // The same again keeps its amount.
  const first = shown.findIndex((one) => one !== null)
  const who = [member, second, ...others][first]
  expect(who && (await payTo(who, '100'))).toEqual(shown[first])
})

test('[CASH-08] [CASH-10] a request names the account it was to be paid to; one that changed meanwhile is said to both sides', async () => {
  const { agent, cs, member, second } = await group()
  await agent.call('receiving/save', north)
  const [{ id } = { id: 0 }] = (await agent.call('receiving/list', {})).data
  expect(await payTo(member, '100')).toMatchObject(north)
  expect(await payTo(second, '70')).toMatchObject(north)
  await member.call('cash/ask', { direction: 'in', amount: '100' })
  const socket = await second.socket()
  const heard = new Promise((resolve) => socket.once('account', resolve))
  await agent.call('receiving/save', { ...south, id })
  await heard
  // A member who has asked already is not asked to pay again.
  expect((await member.call('cash/view', {})).receiving_changed).toBeNull()
  const view = await second.call('cash/view', {})
  expect(view.receiving_changed).toMatchObject({ pay_to: 'North Bank 12345678 · Tally House', amount: '70.0000' })
  // It has paid to the old one: the request still says where.
  await second.call('cash/ask', { direction: 'in', amount: '70' })
  expect((await queue(cs)).map(({ pay_to, warnings }) => ({ pay_to, warnings }))).toEqual(
    Array.from({ length: 2 }, () => ({
      pay_to: 'North Bank 12345678 · Tally House',
      warnings: ['receiving_changed'],
    })),
  )
  const [row] = await queue(cs)
  await cs.call('cash/take', { id: row?.id ?? 0 })
  await cs.call('cash/pay', { id: row?.id ?? 0, amount: row?.amount ?? '' })
  const { accounts } = await cs.call('cash/day', {})
  expect(accounts).toEqual([
    {
      id,
      name: 'South Bank 87654321',
      asked: 2,
      open: '70.0000',
      paid: '100.0000',
      day_limit: null,
      changed_at: expect.any(String),
      changed_name: `Nick ${agent.username}`,
    },
  ])
})

test('[CASH-08] with two people for receiving accounts a change waits for the second, and is made as it was shown', async () => {
  const { top, agent, member } = await group()
  // Without a second admin the rules cannot be set.
  await server.person({ role: Role.admin, under: top })
  await top.call('change/saveRules', { kinds: ['receiving'] })
  expect(await agent.call('receiving/save', north)).toEqual({ approval: 1 })
  expect((await agent.call('receiving/list', {})).data).toEqual([])
  expect(await payTo(member, '100')).toBeNull()
  const [waiting] = (await top.call('change/list', {})).data
  expect(waiting).toMatchObject({ kind: 'receiving', target_id: agent.id })
  expect(waiting?.facts).toContainEqual(expect.objectContaining({ field: 'account_no', after: '12345678' }))
  expect(waiting?.qr).toBeNull()
  await top.call('change/approve', { id: waiting?.id ?? 0 })
  expect(await payTo(member, '100')).toMatchObject(north)

  const { id = 0 } = (await agent.call('receiving/list', {})).data[0] ?? {}
  const changed = async (qr: string) => {
    await agent.call('receiving/save', { ...north, id, qr })
    const [edit] = (await top.call('change/list', {})).data
    await top.call('change/approve', { id: edit?.id ?? 0 })
    const [{ qr: now } = { qr: '' }] = (await agent.call('receiving/list', {})).data
    expect((await top.call('change/list', { id: edit?.id ?? 0 })).data[0]?.qr).toBeNull()
    return [edit?.qr, now] as const
  }
  const [first, picture] = await changed(dataUrl)
  expect(first).toEqual({ before: '', after: picture })
  expect((await changed(''))[0]).toEqual({ before: picture, after: '' })
})

test('[CASH-08] a change needs a fresh sign-in, a group has at most twenty, and another group is not touched', async () => {
  const { agent } = await group()
  await agent.call('receiving/save', north)
  const [{ id } = { id: 0 }] = (await agent.call('receiving/list', {})).data
  const stranger = (await group()).agent
  expect(await stranger.ask('receiving/save', { ...south, id })).toBeRefusal('receiving.not_found')
  expect((await stranger.call('receiving/list', {})).data).toEqual([])
  for (let n = 1; n < 20; n++) await agent.call('receiving/save', { ...north, account_no: `${n}` })
  expect(await agent.ask('receiving/save', south)).toBeRefusal('receiving.too_many')
  await run(db, sql`update sessions set created_at = now() - interval '11 minutes' where account_id = ${agent.id}`)
  // Nothing changes, so nothing is asked.
  expect(await agent.call('receiving/save', { ...north, id })).toEqual({ approval: 0 })
  expect(await agent.ask('receiving/save', { ...south, id })).toBeRefusal('session.needs_password')
})
