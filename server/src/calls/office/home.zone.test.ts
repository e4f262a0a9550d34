import { Role, WalletKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { one, sql } from '../../data/sql.ts'
import { adoptZone, noteZone } from '../../ledger/check/time-zone.ts'
import { startTestServer } from '../../testing/app.ts'

const server = await startTestServer()
const copy = await startTestServer()
const { db, settings } = server.services
const zoneOfPage = async ({ address }: { address: string }) =>
  ((await (await fetch(`${address}/config.json`)).json()) as { time_zone: string }).time_zone
const ask = (zone: string) => ({ time_zone: zone, request_id: crypto.randomUUID() })

const top = await server.person({ role: Role.admin, unlimited: true })
const agent = await server.person({ role: Role.agent, under: top })

test('[FIRST-04] before the first transfer the top account chooses the time zone, on all copies at once', async () => {
  await noteZone(db, settings)
  const before = await top.call('home/steps', {})
  expect(before.open_zone).toBe('UTC')
  expect(before.steps[0]).toEqual({ step: 'zone', done: false })
  const ofAgent = await agent.call('home/steps', {})
  expect([ofAgent.open_zone, ofAgent.steps[0]?.step]).toEqual([undefined, 'service'])
  expect(await agent.ask('home/chooseZone', ask('Asia/Taipei'))).toBeRefusal('access.denied')
  for (const unknown of ['Mars/Base', 'asia/taipei', 'UTC+8'])
    expect(await top.ask('home/chooseZone', ask(unknown))).toMatchObject({ refusal: 'home.zone_unknown' })

  await top.call('home/chooseZone', ask('Asia/Manila'))
  await top.call('home/chooseZone', ask('Asia/Taipei'))
  const after = await top.call('home/steps', {})
  expect([after.open_zone, after.steps[0]?.done]).toEqual(['Asia/Taipei', true])
  expect([await zoneOfPage(server), await zoneOfPage(copy)]).toEqual(['Asia/Taipei', 'Asia/Taipei'])
  const entry = await one<{ facts: object }>(
    db,
    sql`select facts from audit_log where kind = 'settings_changed' order by id desc limit 1`,
  )
  expect(entry?.facts).toEqual({ time_zone: ['Asia/Manila', 'Asia/Taipei'] })
})

test('[FIRST-04] TIME_ZONE may still set another zone, and then the product does not', async () => {
  await noteZone(db, { timeZone: 'Asia/Tokyo', isTimeZoneGiven: true })
  expect(await top.ask('home/chooseZone', ask('UTC'))).toMatchObject({ refusal: 'home.zone_fixed' })
  expect((await top.call('home/steps', {})).open_zone).toBeUndefined()
  // Without the variable a server takes what is stored.
  const withoutVariable = { timeZone: 'UTC' }
  await noteZone(db, withoutVariable)
  expect(withoutVariable.timeZone).toBe('Asia/Tokyo')
})

test('[FIRST-04] the first transfer of a copy that does not know of the choice counts its day in the chosen zone, which is fixed from then on', async () => {
  const { settings: ofCopy } = copy.services
  // Two zones whose days always differ.
  await noteZone(db, { timeZone: 'Pacific/Kiritimati', isTimeZoneGiven: true })
  ofCopy.timeZone = 'Pacific/Niue'
  ofCopy.isTimeZoneFixed = false
  const member = await server.person({ role: Role.member, under: agent })
  await copy.here(top).call('user/transaction', {
    id: member.id,
    amount: '10',
    remark: 'first',
    type: WalletKind.main,
    request_id: crypto.randomUUID(),
  })
  expect(ofCopy.timeZone).toBe('Pacific/Kiritimati')
  const counted = await one<{ days: number; isToday: boolean }>(
    db,
    sql`select count(*)::int as days, bool_and(day = (now() at time zone 'Pacific/Kiritimati')::date) as "isToday" from day_totals`,
  )
  expect(counted).toEqual({ days: 1, isToday: true })

  expect(await top.ask('home/chooseZone', ask('UTC'))).toMatchObject({ refusal: 'home.zone_fixed' })
  await expect(noteZone(db, { timeZone: 'UTC', isTimeZoneGiven: true })).rejects.toThrow('npm run ledger:days')
  const later = { timeZone: 'UTC' }
  expect([await adoptZone(db, later), later.timeZone]).toEqual([true, 'Pacific/Kiritimati'])
})
