import { expect, test } from 'vitest'
import { run, sql } from '../src/data/sql.ts'
import { issueToken } from '../src/identity/sign-in/tokens.ts'
import { PASSWORD } from '../src/testing/app.ts'
import { minutesPass } from '../src/testing/sign-in.ts'
import { type Payload, sourceWorld } from '../src/testing/source-world.ts'

// The calls of section 7 of the specification, copied from it by hand. Nothing is derived from the contract, so a call
// or field that the contract loses is noticed here.

const w = await sourceWorld()

type Call = {
  path: string
  /** The caller; undefined: not signed in. */
  as?: 'top' | 'agent' | 'cs' | 'leaver'
  /** All fields that the specification names for the call, with values that may be combined. */
  sent: Payload
  /** Fields that this server needs beside those of the specification. */
  ours?: Payload
  /** Fields of the specification that are ignored, because the session names the actor (decision 16). */
  ignored?: string[]
  /** Preparation; its values are added to the payload. */
  before?: () => Promise<{ sent?: Payload; ours?: Payload } | void>
  /** A call that shows the effect, its payload, and what its answer contains. */
  shows?: [path: string, payload: Payload, ...contained: string[]]
}

const { agent, cs, idle, member, withApp, withSms, code, room_id, note_id, bank_id } = w
const all = { page: 1, per_page: 50_000 }
const inDays = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)} 00:00:00`
const history = {
  username: member.username,
  start_time: inDays(-1),
  end_time: inDays(2),
  page: 1,
  per_page: 1000,
}
const contacts = { status: 1, username: member.username, fuzzy: 1, page: 1, per_page: 10 }
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const picture = `data:image/png;base64,${dot}`
const passwords = { password: 'secret1', password_confirmation: 'secret1' }
const given = { remark: 'from the list', payment_password: 'pay123' }
const inRoom = { remark: 'in the room', payment_password: 'pay123' }
const notes = { room_id, page: 1, per_page: 1000 }
const contents = { note_id, page: 1, per_page: 1000 }
const whose = { username: member.username }
const account = { bank_id, account_name: 'Ann Lee', account_no: '87654321' }
const reply = { title: 'Hello', content: 'How can I help?', memo: 'first words' }
const colours = { background_color: '#112233', header_background_color: '#445566', header_font_color: '#778899' }

const section7: Call[] = [
  { path: 'login', sent: { username: agent.username, password: PASSWORD } },
  {
    path: 'login',
    sent: { username: withApp.username, password: PASSWORD, auth_done: '' },
    before: async () => {
      const { challenge } = await w.begin(withApp)
      const proof = { username: withApp.username, secret: await w.freshCode(), challenge }
      return { sent: { auth_done: (await w.post('googleAuth', proof)).data?.auth_done } }
    },
  },
  {
    path: 'login',
    sent: { username: agent.username, password: '-', auth_done: '-', agent_token: '', agent_username: agent.username },
    before: async () => ({
      sent: { agent_token: await issueToken(w.house.services.db, { kind: 'agent', accountId: agent.id }) },
    }),
  },
  {
    path: 'sendValidateCode',
    sent: { username: withSms.username, mobile: '' },
    before: async () => {
      const { challenge, mobile } = await w.begin(withSms)
      return { sent: { mobile }, ours: { challenge } }
    },
  },
  {
    path: 'checkValidateCode',
    sent: { username: withSms.username, mobile: '', token: '' },
    before: async () => {
      await minutesPass(w.house, withSms.id, 2)
      const { challenge, mobile } = await w.begin(withSms)
      await w.post('sendValidateCode', { username: withSms.username, mobile, challenge })
      return { sent: { mobile, token: w.sms.code() }, ours: { challenge } }
    },
  },
  {
    path: 'googleAuth',
    sent: { username: withApp.username, secret: '' },
    before: async () => {
      const { challenge } = await w.begin(withApp)
      return { sent: { secret: await w.freshCode() }, ours: { challenge } }
    },
  },
  { path: 'logout', as: 'leaver', sent: {} },
  { path: 'userMenu/list', as: 'agent', sent: {} },
  { path: 'userMenu/auth', as: 'agent', sent: { url: '/chat/messaging' } },
  { path: 'user/list', as: 'agent', sent: { role_id: 3, ...all } },
  { path: 'user/list', as: 'agent', sent: { role_id: 3, username: cs.username, nickname: 'Nick', ...all } },
  {
    path: 'user/add',
    as: 'agent',
    sent: { username: 'added1', nickname: 'Added', ...passwords, thumbnail: picture },
    shows: ['user/list', { role_id: 3, ...all }, '"username":"added1","nickname":"Added","thumbnail":"/media/'],
  },
  {
    path: 'user/edit',
    as: 'agent',
    sent: { id: idle.id, nickname: 'Edited', ...passwords, thumbnail: picture, status: 1, withdraw_confirm: 1 },
    shows: ['user/view', { id: idle.id }, '"nickname":"Edited","thumbnail":"/media/', '"withdraw_confirm":1'],
  },
  { path: 'user/delete', as: 'agent', sent: { id: idle.id }, shows: ['user/view', { id: idle.id }, '"status":0'] },
  { path: 'user/view', as: 'agent', sent: { id: cs.id } },
  {
    path: 'user/transaction',
    as: 'agent',
    sent: { id: member.id, amount: '7.5', ...given, type: 1 },
    shows: ['transaction/list', history, '"amount":"7.5000"', '"remark":"from the list"'],
  },
  { path: 'member/view', as: 'agent', sent: { member_id: member.id } },
  { path: 'member/flowLimit', as: 'cs', sent: { member_id: member.id, user_id: cs.id, ...all } },
  { path: 'transaction/list', as: 'agent', sent: history },
  { path: 'redEnvelope/record', as: 'agent', sent: history },
  {
    path: 'transaction/add',
    as: 'agent',
    sent: { member_id: member.id, type: 1, amount: '3.25', audit_amount: '4.75', ...inRoom, platform: 1 },
    shows: ['transaction/list', history, '"amount":"3.2500"', '"audit_amount":"4.7500"', '"remark":"in the room"'],
  },
  {
    path: 'transaction/edit',
    as: 'agent',
    sent: { transaction_id: w.transaction_id, remark: 'other words' },
    shows: ['transaction/list', history, '"remark":"other words"'],
  },
  {
    path: 'report/sr02',
    as: 'agent',
    sent: { username: agent.username, start_date: '2026-01-01', end_date: '2026-01-02' },
  },
  { path: 'readMessage', as: 'agent', sent: { message_id: w.message_id, code } },
  {
    path: 'sendMessage',
    as: 'agent',
    sent: { code, type: 1, content: 'an answer' },
    shows: ['room/history', { code, page: 1, per_page: 30 }, '"content":"an answer"'],
  },
  { path: 'room/list', as: 'agent', sent: { status: 1 } },
  { path: 'room/enter', as: 'agent', sent: { code, friend_id: member.id } },
  {
    path: 'room/changeStatus',
    as: 'agent',
    sent: { code, status: 2 },
    shows: ['room/list', { status: 2 }, `"code":"${code}"`],
  },
  {
    path: 'room/recover',
    as: 'agent',
    sent: { room_id },
    before: () => run(w.house.services.db, sql`update rooms set status = 3 where id = ${room_id}`),
    shows: ['room/list', { status: 1 }, `"code":"${code}"`],
  },
  { path: 'room/history', as: 'agent', sent: { code, page: 2, per_page: 30 } },
  { path: 'friend/list', as: 'agent', sent: contacts },
  { path: 'customer/list', as: 'agent', sent: contacts },
  { path: 'friend/view', as: 'agent', sent: { member_id: member.id } },
  {
    path: 'friend/edit',
    as: 'agent',
    sent: { nickname: 'Neighbour', status: 1 },
    ours: { member_id: member.id },
    shows: ['friend/view', { member_id: member.id }, '"alias":"Neighbour"'],
  },
  { path: 'note/list', as: 'agent', sent: notes },
  {
    path: 'note/add',
    as: 'agent',
    sent: { room_id, title: 'Another', status: 0 },
    shows: ['note/list', notes, '"title":"Another","status":0'],
  },
  {
    path: 'note/edit',
    as: 'agent',
    sent: { note_id, room_id, title: 'Changed', status: 1 },
    shows: ['note/list', notes, '"title":"Changed","status":1'],
  },
  { path: 'note_content/list', as: 'agent', sent: contents },
  {
    path: 'note_content/add',
    as: 'agent',
    sent: { note_id, content: 'second' },
    shows: ['note_content/list', contents, '"content":"second"'],
  },
  {
    path: 'note_content/edit',
    as: 'agent',
    sent: { content_id: w.content_id, note_id, content: 'first, better' },
    shows: ['note_content/list', contents, '"content":"first, better"'],
  },
  { path: 'note_content/delete', as: 'agent', sent: { content_id: w.content_to_delete, note_id } },
  { path: 'setting/view', as: 'agent', sent: {} },
  {
    path: 'setting/save',
    as: 'top',
    sent: { name: 'Our room', background_image: picture, ...colours, api_url: 'https://platform.example' },
    shows: ['setting/view', {}, '"name":"Our room","background_image":"/media/', ...Object.values(colours)],
  },
  { path: 'members/hasBankCardSetting', as: 'cs', sent: {} },
  { path: 'members/bank-card', as: 'cs', sent: whose },
  {
    path: 'members/bank-card/create',
    as: 'cs',
    sent: { ...whose, operator_cs: cs.username, accounts: [{ bank_id, account_no: '11112222' }] },
    ignored: ['operator_cs'],
    shows: ['members/bank-card', whose, '"account_no":"****2222"'],
  },
  {
    path: 'members/bank-card/delete',
    as: 'cs',
    sent: { ...whose, operator_cs: cs.username },
    ignored: ['operator_cs'],
    shows: ['members/bank-card', whose, '"data":[]'],
  },
  { path: 'members/bank-account', as: 'cs', sent: whose },
  {
    path: 'members/bank-account/create',
    as: 'cs',
    sent: { exist_data_id: 0, ...whose, ...account, operator_cs: cs.username },
    ignored: ['operator_cs'],
    // Restores what the call before has deleted.
    before: async () => {
      await w.post('members/bank-account/create', { ...whose, bank_id, account_name: 'A', account_no: '1234' }, 'cs')
      const { data } = await w.post('members/bank-account', whose, 'cs')
      return { sent: { exist_data_id: (data?.data as Payload | undefined)?.id } }
    },
    shows: ['members/bank-account', whose, '"account_name":"Ann Lee","account_no":"****4321"'],
  },
  { path: 'orderType/list', as: 'cs', sent: {} },
  { path: 'message-template/list', as: 'agent', sent: {} },
  {
    path: 'message-template/create',
    as: 'agent',
    sent: { type: 1, ...reply },
    shows: ['message-template/list', {}, '"title":"Hello","content":"How can I help?","memo":"first words"'],
  },
  {
    path: 'message-template/update',
    as: 'agent',
    sent: { type: 1, ...reply, memo: 'other memo', targetID: w.template_id },
    shows: ['message-template/list', {}, `"id":${w.template_id},"type":1,"title":"Hello"`, '"memo":"other memo"'],
  },
  { path: 'message-template/delete', as: 'agent', sent: { targetID: w.template_to_delete } },
]

test.each(section7)('[WIRE-08] /api/$path accepts what the specification sends', async (call) => {
  const { path, as, ignored = [], shows } = call
  const made = await call.before?.()
  const payload = { ...call.sent, ...made?.sent, ...call.ours, ...made?.ours }
  // A field that is read is refused by name when its value is invalid.
  const unread: string[] = []
  for (const field of Object.keys(call.sent)) {
    const { code, data } = await w.post(path, { ...payload, [field]: { not: 'this' } }, as)
    if (code !== 1400 || data?.field !== field) unread.push(field)
  }
  expect(unread).toEqual(ignored)
  expect(await w.post(path, payload, as)).toMatchObject({ code: 1000 })
  if (!shows) return
  const [at, asked, ...contained] = shows
  const answer = JSON.stringify((await w.post(at, asked, as)).data)
  for (const text of contained) expect(answer).toContain(text)
})
