import type { Input } from '@tallyroom/contract'
import { beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const shut: Input<'deskHours/save'> = {
  hours_on: true,
  time_zone: 'UTC',
  week: Array(7).fill([]),
  days: [],
  greeting: {},
  away: {},
  default_language: 'en',
}
const DAY_MS = 86_400_000
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

test('[DESK-05] [DESK-10] the head reads and saves the hours; the log has them; others may not', async () => {
  const { agent, cs, top } = await server.family()
  expect(await agent.call('deskHours/view', {})).toMatchObject({ hours_on: false, time_zone: null, days: [] })
  const hours = {
    hours_on: true,
    time_zone: 'Asia/Bangkok',
    week: [
      [],
      [
        [540, 720],
        [1320, 120],
      ],
      [[0, 1440]],
      [],
      [],
      [],
      [],
    ],
    days: [
      { day: dayIn(2), spans: [], label: 'Founders’ day' },
      { day: dayIn(1), spans: [[600, 660]], label: '' },
    ],
    greeting: { en: 'Hello' },
    away: { en: 'We open {opens}.', th: 'เปิด {opens}' },
    default_language: 'th',
  } satisfies Input<'deskHours/save'>
  await agent.call('deskHours/save', hours)
  expect(await agent.call('deskHours/view', {})).toEqual({ ...hours, days: hours.days.toReversed() })
  expect(await cs.ask('deskHours/save', hours)).toBeRefusal('access.denied')
  expect(await cs.ask('deskHours/view', {})).toBeRefusal('access.denied')
  // Of another group.
  expect(await top.call('deskHours/view', {})).toMatchObject({ hours_on: false })
  await expect
    .poll(async () => {
      const { data } = await top.call('audit/list', { kind: 'settings_changed' })
      return data.flatMap(({ facts }) => facts.map(({ field, after }) => `${field} ${after}`))
    })
    .toEqual(
      expect.arrayContaining([
        'desk_zone Asia/Bangkok',
        'away en: We open {opens}.\nth: เปิด {opens}',
        'weekly_hours 1 09:00–12:00 22:00–02:00, 2 00:00–24:00, 3 –, 4 –, 5 –, 6 –, 7 –',
        `different_days ${dayIn(1)} 10:00–11:00, ${dayIn(2)} – (Founders’ day)`,
      ]),
    )
})

test('[DESK-05] wrong hours are refused by name, at their field', async () => {
  const { agent } = await server.family()
  const monday = (...spans: [number, number][]) => ({ ...shut, week: [[], spans, [], [], [], [], []] })
  const ask = (wrong: Input<'deskHours/save'>) => agent.ask('deskHours/save', wrong)
  const refused = (refusal: string, data: object) => ({ refusal, data: expect.objectContaining(data) })
  expect(await ask(monday([540, 720], [700, 800]))).toMatchObject(
    refused('desk_hours.overlap', { field: 'week', at: 1 }),
  )
  expect(await ask(monday([1320, 120], [1400, 1430]))).toMatchObject(refused('desk_hours.overlap', { field: 'week' }))
  expect(await ask(monday([540, 540]))).toMatchObject(refused('right.hours_same', { field: 'week', at: 1 }))
  const seven = Array.from({ length: 7 }, (_, at): [number, number] => [at * 60, at * 60 + 30])
  expect(await ask(monday(...seven))).toMatchObject(refused('desk_hours.too_many', { field: 'week', at: 1 }))
  expect(await ask({ ...shut, time_zone: 'Mars/Olympus' })).toMatchObject(
    refused('home.zone_unknown', { field: 'time_zone' }),
  )
  const day = { day: '2026-12-25', spans: [], label: '' }
  expect(await ask({ ...shut, days: [day, day] })).toMatchObject(
    refused('desk_hours.day_twice', { field: 'days', at: 1 }),
  )
  const overlap = { ...day, spans: [[0, 60] as [number, number], [30, 90] as [number, number]] }
  expect(await ask({ ...shut, days: [overlap] })).toMatchObject(refused('desk_hours.overlap', { field: 'days', at: 0 }))
  for (const wrong of [{ week: [] }, { days: [{ ...day, day: '2026-02-30' }] }, { time_zone: '' }])
    expect(await ask({ ...shut, ...wrong } as typeof shut)).toBeRefusal('request.invalid')
  expect(await agent.call('deskHours/view', {})).toMatchObject({ hours_on: false })
})

test('[DESK-06] the member’s page reads when the desk opens, and hears that it has changed', async () => {
  const { agent, member } = await server.family()
  const opening = async () => (await member.call('room/answerTime', {})).opening
  expect(await opening()).toBeNull()
  const socket = await member.socket()
  const heard = new Promise<void>((resolve) => socket.on('settings', () => resolve()))
  const day = dayIn(3)
  await agent.call('deskHours/save', { ...shut, days: [{ day, spans: [[540, 1080]], label: '' }] })
  await heard
  expect(await opening()).toEqual({ is_open: false, changes: [`${day}T09:00:00.000Z`, `${day}T18:00:00.000Z`] })
  await agent.call('deskHours/save', { ...shut, week: Array(7).fill([[0, 1440]]) })
  expect(await opening()).toEqual({ is_open: true, changes: [] })
  await agent.call('deskHours/save', { ...shut, hours_on: false })
  expect(await opening()).toBeNull()
})
