import type { Input } from '@tallyroom/contract'
import { MessageType, RoomStatus } from '@tallyroom/contract/codes'
import type { Message, RoomChange } from '@tallyroom/contract/events'
import { beforeAll, expect, test } from 'vitest'
import { run, sql } from '../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const DAY_MS = 86_400_000
const tomorrow = () => new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
const open: Input<'deskHours/save'> = {
  hours_on: true,
  time_zone: 'UTC',
  week: Array(7).fill([[0, 1440]]),
  days: [],
  greeting: { en: 'Welcome', th: 'ยินดีต้อนรับ' },
  away: { en: 'We open {opens}.', th: 'เปิด {opens}' },
  default_language: 'th',
}
/** Closed today, and open the whole of tomorrow. */
const closed = (): Input<'deskHours/save'> => ({
  ...open,
  week: Array(7).fill([]),
  days: [{ day: tomorrow(), spans: [[0, 1440]], label: '' }],
})

const say = (who: Person, code: string, content = 'hello') =>
  who.call('sendMessage', { code, type: MessageType.text, content })
const messagesOf = async (who: Person, code: string) => (await who.call('room/enter', { code })).messages
const noticesOf = async (who: Person, code: string) =>
  (await messagesOf(who, code)).filter(({ type }) => type === MessageType.notice)
const familyWith = async (hours: Input<'deskHours/save'>) => {
  const family = await server.family()
  await family.agent.call('deskHours/save', hours)
  return family
}
const update = (query: ReturnType<typeof sql>) => run(server.services.db, query)

test('[DESK-06] while closed a member’s message gets the away text once, which is nobody’s answer', async () => {
  const { member, cs, room } = await familyWith(closed())
  const socket = await member.socket()
  const heard = new Promise<RoomChange>((resolve) => socket.on('room', resolve))
  await say(member, room)
  const notice = {
    type: MessageType.notice,
    content: 'เปิด {opens}',
    texts: open.away,
    language: 'th',
    opens: `${tomorrow()}T00:00:00.000Z`,
    nickname: '',
    username: '',
    user_username: '',
    bot: 0,
  }
  expect((await heard).messages).toMatchObject([{ seq: 1 }, { ...notice, seq: 2, is_self: false }])
  await say(member, room, 'are you there?')
  for (const who of [member, cs])
    expect((await messagesOf(who, room)).map(({ type }) => type)).toEqual([
      MessageType.text,
      MessageType.notice,
      MessageType.text,
    ])
  expect(await noticesOf(cs, room)).toMatchObject([{ ...notice, is_self: true }])
  const { data } = await cs.call('room/list', {})
  expect(data.find(({ code }) => code === room)).toMatchObject({
    unanswered: 2,
    waiting_since: expect.any(String),
    message_type: MessageType.text,
    message_content: 'are you there?',
  })
  const quoted = await member.ask('sendMessage', {
    code: room,
    type: MessageType.text,
    content: 'this',
    quote: (await noticesOf(member, room))[0]?.message_id,
  })
  expect(quoted).toBeRefusal('message.quote_not_found')
})

test('[DESK-06] messages at once get one away text; a colleague’s own message gets none, nor the reply to it', async () => {
  const { member, cs, room } = await familyWith(closed())
  await say(cs, room, 'I am here at night')
  await say(member, room, 'good')
  expect(await noticesOf(member, room)).toEqual([])
  await update(sql`update rooms set last_message_at = now() - interval '11 minutes' where code = ${room}`)
  await Promise.all(Array.from({ length: 8 }, (_, n) => say(member, room, `message ${n}`)))
  expect(await noticesOf(member, room)).toHaveLength(1)
})

test('[DESK-06] again only after it was open, and not within four hours', async () => {
  const { agent, member, room } = await familyWith(closed())
  await say(member, room)
  const told = (hours: number) =>
    update(sql`update rooms set away_told_at = now() - make_interval(hours => ${hours}) where code = ${room}`)
  await told(30)
  await say(member, room)
  expect(await noticesOf(member, room)).toHaveLength(1)
  // It was open an hour, until an hour ago.
  const minute = new Date().getUTCHours() * 60 + new Date().getUTCMinutes()
  const ago = (minutes: number) => (minute - minutes + 1440) % 1440
  await agent.call('deskHours/save', { ...closed(), week: Array(7).fill([[ago(120), ago(60)]]) })
  await told(3)
  await say(member, room)
  expect(await noticesOf(member, room)).toHaveLength(1)
  await told(5)
  await say(member, room)
  expect(await noticesOf(member, room)).toHaveLength(2)
})

test('[DESK-06] while open the first message is greeted, and the first one after twelve hours', async () => {
  const { member, cs, room } = await familyWith(open)
  await say(member, room)
  await say(member, room)
  expect(await noticesOf(cs, room)).toMatchObject([{ seq: 2, content: 'ยินดีต้อนรับ', texts: open.greeting, opens: null }])
  const silentFor = (hours: number) =>
    update(sql`update rooms set last_message_at = now() - make_interval(hours => ${hours}) where code = ${room}`)
  await silentFor(11)
  await say(member, room)
  expect(await noticesOf(cs, room)).toHaveLength(1)
  await silentFor(12)
  await say(cs, room)
  expect(await noticesOf(cs, room)).toHaveLength(1)
  await silentFor(12)
  await say(member, room)
  expect(await noticesOf(cs, room)).toHaveLength(2)
})

test('[DESK-06] nothing without a text, with hours off, or while a bot answers', async () => {
  const silent: [string, Input<'deskHours/save'>][] = [
    ['empty', { ...closed(), away: { en: ' ' } }],
    ['empty greeting', { ...open, greeting: {} }],
    ['off', { ...closed(), hours_on: false }],
    ['off and open', { ...open, hours_on: false }],
  ]
  for (const [name, hours] of silent) {
    const { member, room } = await familyWith(hours)
    await say(member, room)
    expect(await noticesOf(member, room), name).toEqual([])
  }
  for (const hours of [open, closed()]) {
    const { member, room } = await familyWith(hours)
    await update(sql`update rooms set status = ${RoomStatus.ai} where code = ${room}`)
    await say(member, room)
    expect(await noticesOf(member, room)).toEqual([])
  }
})

test('[DESK-06] a save counts from the next message on; what was written keeps its text', async () => {
  const { agent, member, room } = await familyWith(open)
  await say(member, room)
  await agent.call('deskHours/save', { ...closed(), away: { ru: 'Закрыто' }, default_language: 'ru' })
  await say(member, room)
  const textOf = (message: Message) => message.content
  expect((await noticesOf(member, room)).map(textOf)).toEqual(['ยินดีต้อนรับ', 'Закрыто'])
  expect(await agent.call('deskHours/view', {})).toMatchObject({ greeting: open.greeting, away: { ru: 'Закрыто' } })
})
