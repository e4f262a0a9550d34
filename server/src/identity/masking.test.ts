import { type Answer, callNames } from '@tallyroom/contract'
import { MessageType, NoteStatus, Role, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, sql } from '../data/sql.ts'
import { sealAll } from '../ledger/seal/sealer.ts'
import { shownText, shownUsername } from './masking.ts'
import { type Person, type TestServer, startTestServer } from '../testing/app.ts'
import { limit, waitingFor } from '../testing/approvals.ts'
import { sensitiveChangeOf } from '../testing/rights/matrix.ts'
import { bankRules } from '../testing/bank.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

test.each([
  ['canary99', 'ca***y99'],
  ['abcdef', 'ab***def'],
  ['abcde', 'a***e'],
  ['abcd', 'a***d'],
])('[ACC-06] %s shows as %s', (username, shown) => {
  const viewer = { id: 1, masks: true }
  const account = { id: 2, username, isSub: 0 } as const
  expect(shownUsername(viewer, account)).toBe(shown)
  expect(shownText(viewer, account, `Hi ${username.toUpperCase()}, ${username}!`)).toBe(`Hi ${shown}, ${shown}!`)
  expect(shownUsername(viewer, { ...account, isSub: 1 })).toBe(username)
  expect(shownUsername({ id: 2, masks: true }, account)).toBe(username)
  expect(shownUsername({ id: 1, masks: false }, account)).toBe(username)
})

test.each([
  'ｃａｎａｒｙ９９',
  'CANARY９9',
  'can\u200bary99',
  'can\u{e0041}ary99',
  'can\u{1d173}ary99',
  'can\ufff9ary99',
  '𝐜anary99',
  'İ canary99',
  'cànary99',
])('[ACC-06] "%s" is the name as well', (written) => {
  const account = { id: 2, username: 'canary99', isSub: 0 } as const
  expect(shownText({ id: 1, masks: true }, account, `Hi ${written}!`)).toBe('***')
  expect(shownText({ id: 1, masks: true }, account, 'ｃａｎａｒｙ and 99 others')).toBe('ｃａｎａｒｙ and 99 others')
})

/** A family whose agent and customer service see masked names, with rooms, transfers and a log to look at. */
const maskedFamily = async (members = 4) => {
  const { top, agent, cs, member } = await server.family()
  const sub = await server.person({ role: Role.agent, under: agent })
  const others = await Promise.all(
    Array.from({ length: members }, () => server.person({ role: Role.member, under: agent })),
  )
  const theirs = await server.person({ role: Role.member, under: sub })
  for (const one of [member, ...others])
    await agent.call('transaction/add', {
      member_id: one.id,
      type: TransferKind.send,
      amount: '1',
      remark: `for ${one.username}`,
    })
  for (const one of [member, ...others])
    await one.call('sendMessage', {
      code: (await one.call('room/list', {})).data[0]?.code ?? '',
      type: MessageType.text,
      content: 'hello',
    })
  await run(server.services.db, sql`update accounts set third_party_id = 'tp-' || username where top_id = ${top.id}`)
  await server.meetTurnover(member)
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.receive, amount: '0.5' })
  const { room_id, code: room } = (await cs.call('room/enter', { friend_id: member.id })).room
  for (const writer of [agent, cs]) {
    const { note_id } = await writer.call('note/add', { room_id, title: `about ${member.username}` })
    await writer.call('note_content/add', { note_id, content: `${member.username.toUpperCase()} asks` })
    await writer.call('note/edit', { note_id, room_id, title: `on ${member.username}`, status: NoteStatus.finished })
    await writer.call('message-template/create', { title: 'hi', content: 'hello' })
  }
  await cs.call('desk/take', { code: room, from: agent.id })
  await agent.call('desk/take', { code: room, from: cs.id })
  await agent.call('desk/whisper', { code: room, content: 'psst' })
  await agent.call('message/schedule', {
    code: room,
    content: 'later',
    at: new Date(Date.now() + 3_600_000).toISOString(),
  })
  await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
  await agent.call('user/edit', { id: member.id, nickname: member.username })
  await top.call('bank_setting/save', bankRules)
  const bank_id = (await top.call('orderType/save', { name: 'North' })).id
  const holder = others.at(-1) ?? member
  const account = { bank_id, account_name: `Mx ${holder.username}`, account_no: '12345678' }
  await cs.call('members/bank-account/create', { member_id: holder.id, ...account })
  const view = { list: 'user', name: 'Look at', filters: { username: member.username }, shared: 1 } as const
  await agent.call('listView/save', view)
  await top.call('setting/save', { cash_requests: 1 })
  const refused = await member.call('cash/ask', { direction: 'in', amount: '1' })
  await agent.call('cash/take', { id: refused.id })
  await agent.call('cash/refuse', { id: refused.id, reason: `not for ${member.username}` })
  const paid = await member.call('cash/ask', { direction: 'in', amount: '1' })
  await agent.call('cash/take', { id: paid.id })
  await agent.call('cash/pay', { id: paid.id, amount: '1', bank_reference: `of ${member.username}` })
  const open = await member.call('cash/ask', { direction: 'in', amount: '1' })
  const reference = `of ${member.username}`
  const maybePaid = sql`maybe_paid_by = ${top.id}, bank_reference = ${reference}`
  await run(server.services.db, sql`update cash_requests set ${maybePaid} where id = ${open.id}`)
  await cs.call('cash/take', { id: open.id })
  await run(server.services.db, sql`update accounts set may_approve = 1 where id = ${agent.id}`)
  // Each sees whose decision it was, and the agent that has lost a right above its own.
  await agent.call('right/save', { id: cs.id, rights: [{ name: 'user.edit', given: true }] })
  await agent.call('right/save', { id: sub.id, rights: [{ name: 'sr02', given: false }] })
  await limit(agent, cs, 4, { transfer: '1' })
  const { id: otherId, username: name } = others[0] ?? member
  const makeUp = { member_id: otherId, type: TransferKind.makeUp, amount: '2' } as const
  const words = { remark: `for ${name}`, reason: `${name.toUpperCase()} won` }
  await cs.call('transaction/add', { ...makeUp, ...words })
  await agent.call('approval/refuse', { id: (await waitingFor(agent)).id, reason: `not for ${name}` })
  await cs.call('transaction/add', { ...makeUp, ...words })
  await sensitiveChangeOf(server.services.db, agent, otherId, { remark: `for ${name}`, username: name })
  return { top, agent, cs, member, others: [member, ...others], sub, theirs }
}
const range = { start_time: '2000-01-01 00:00:00', end_time: '2000-12-30 00:00:00' }
const wide = () => {
  const now = new Date()
  const at = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  return {
    day: { start_date: at(-2), end_date: at(2) },
    time: { start_time: `${at(-2)} 00:00:00`, end_time: `${at(2)} 00:00:00` },
  }
}

/** Everything that a viewer can read, as one text. */
const readAll = async (viewer: Person, family: Awaited<ReturnType<typeof maskedFamily>>): Promise<string> => {
  const { time, day } = wide()
  const today = new Date().toISOString().slice(0, 10)
  const { others, sub, theirs, top, cs, agent } = family
  const ids = [...others, sub, theirs, top, cs, agent].map(({ id }) => id)
  const answers: unknown[] = []
  await sealAll(server.services.db)
  for (const menu_id of [2, 3, 13] as const) {
    answers.push(await viewer.ask('user/list', { menu_id }), await viewer.ask('user/export', { menu_id }))
  }
  for (const id of ids) {
    answers.push(
      await viewer.ask('user/path', { id }),
      await viewer.ask('account/view', { id }),
      await viewer.ask('members/bank-card/history', { member_id: id }),
      await viewer.ask('user/abilities', { id }),
      await viewer.ask('member/view', { member_id: id }),
      await viewer.ask('member/view', { member_id: id, from: 'list' }),
      await viewer.ask('person/view', { id }),
      await viewer.ask('friend/view', { member_id: id }),
      await viewer.ask('limit/view', { id }),
      await viewer.ask('tree/path', { id }),
      await viewer.ask('tree/list', { parent_id: id, part: 'team' }),
      await viewer.ask('tree/list', { parent_id: id, part: 'members' }),
      await viewer.ask('right/view', { id }),
    )
    answers.push(await viewer.ask('user/view', { id }), await viewer.ask('room/enter', { friend_id: id }))
  }
  const holder = { member_id: others.at(-1)?.id ?? 0 }
  const cards = await viewer.call('members/bank-card', holder)
  answers.push(cards, await viewer.ask('members/bank-account', holder))
  for (const { id } of cards.data) answers.push(await viewer.ask('members/bank-account/show', { ...holder, id }))
  const rooms = (await viewer.call('room/list', {})).data
  for (const username of ['', ...others.map((one) => one.username)])
    answers.push(
      await viewer.ask('friend/list', { username, per_page: 100 }),
      await viewer.ask('customer/list', { username }),
      await viewer.ask('search/accounts', { text: username || 'a' }),
      await viewer.ask('tree/find', { text: username || 'a' }),
    )
  answers.push(
    await viewer.ask('search/messages', { text: 'hello' }),
    await viewer.ask('search/notes', { text: 'asks' }),
  )
  for (const { room_id } of rooms) {
    const notes = await viewer.ask('note/list', { room_id })
    answers.push(notes)
    const { data = [] } = (notes.data ?? {}) as Partial<Answer<'note/list'>>
    for (const { note_id } of data) answers.push(await viewer.ask('note_content/list', { note_id }))
  }
  answers.push(
    rooms,
    await viewer.ask('message-template/list', {}),
    await viewer.ask('listView/list', { list: 'user' }),
    await viewer.ask('desk/colleagues', {}),
    await viewer.ask('security/list', {}),
    await viewer.ask('passkey/list', {}),
    await viewer.ask('audit/list', {}),
    await viewer.ask('audit/list', { account_id: holder.member_id }),
    await viewer.ask('audit/export', {}),
    await viewer.ask('userMenu/list', {}),
    await viewer.ask('tree/view', {}),
  )
  for (const { code } of rooms) {
    answers.push(await viewer.ask('room/history', { code }), await viewer.ask('room/sync', { code, version: 0 }))
    answers.push(await viewer.ask('message/scheduled', { code }), await viewer.ask('desk/asides', { code, after: 0 }))
  }
  answers.push(
    await viewer.ask('transaction/list', time),
    await viewer.ask('transaction/totals', time),
    await viewer.ask('redEnvelope/record', time),
    await viewer.ask('transaction/export', time),
    await viewer.ask('transaction/export', { ...time, kind: 2 }),
    await viewer.ask('home/view', {}),
    await viewer.ask('home/steps', {}),
    await viewer.ask('bell/list', {}),
    await viewer.ask('cash/list', {}),
    await viewer.ask('approval/list', { ended: 1 }),
    await viewer.ask('approval/list', { id: (await waitingFor(viewer)).id }),
    await viewer.ask('change/list', {}),
    await viewer.ask('cash/day', {}),
    await viewer.ask('cash/export', {}),
    await viewer.ask('report/sr02', day),
    await viewer.ask('report/sr02', { ...day, by: 'person' }),
    await viewer.ask('report/sr02', { ...day, by: 'member' }),
    await viewer.ask('report/sr02', { ...day, by: 'branch' }),
    await viewer.ask('report/sr02', { ...day, what: 'bets', by: 'member' }),
    await viewer.ask('report/sr02Export', day),
    await viewer.ask('report/work', day),
    await viewer.ask('report/work', { ...day, by: 'group' }),
    await viewer.ask('report/workWaits', { ...day, count: 'waits' }),
    await viewer.ask('report/workExport', day),
    await viewer.ask('statement/export', { scope: 'branch', ...day, end_date: today }),
    await viewer.ask('statement/seal', { scope: 'branch', ...day, end_date: today }),
    await viewer.ask('period/list', {}),
    await viewer.ask('settlement/list', {}),
    await viewer.ask('report/reconciliation', {}),
    await viewer.ask('report/check', {}),
  )
  for (const id of ids) {
    const asked = { id, scope: 'branch', ...day, end_date: today } as const
    answers.push(await viewer.ask('statement/view', asked), await viewer.ask('statement/lines', asked))
  }
  for (const { transaction_id } of (await viewer.call('transaction/list', time)).data)
    answers.push(await viewer.ask('transaction/view', { transaction_id }))
  return JSON.stringify(answers).toLowerCase()
}

describe('[ACC-05] [ACC-06] [S35] masked usernames', () => {
  test('no answer contains one, except those of sub accounts and the viewer’s own', async () => {
    const family = await maskedFamily()
    const { agent, cs, others, sub, theirs } = family
    const [open, ...hidden] = [...others, theirs]
    await run(server.services.db, sql`update accounts set is_sub = 1 where id = ${open?.id ?? 0}`)
    for (const viewer of [agent, cs]) {
      const said = await readAll(viewer, family)
      const canaries = [...hidden, sub, ...(viewer === agent ? [cs] : [agent])].map(({ username }) => username)
      expect(canaries.filter((name) => said.includes(name))).toEqual([])
      expect(said).toContain(open?.username)
      expect(said).toContain(viewer.username)
      expect(said).toContain('***')
    }
  })

  test('every reading call is checked', () => {
    const looked = readAll.toString()
    const apart =
      /^(apiKey\/list|endpoint\/(list|deliveries)|login|logout|sendValidateCode|checkValidateCode|googleAuth|member\/(signup|invitation)|session\/|factor\/|passkey\/(begin|beginStep|finishStep|beginAdd|add|rename|remove|beginPoints|beginProof|prove)|recovery\/|userMenu\/auth|draft\/list|push\/view|(desk)?[sS]etting\/view|deskHours\/view|ai\/view|orderType\/list|members\/hasBankCardSetting|message\/original|bank_setting\/view|member\/flowLimit|cash\/(view|open)|bell\/open|receiving\/list|approval\/open|change\/rules|tree\/previewMove|room\/answerTime|installation\/view)/
    const writes =
      /^((bank_|desk)?[sS]etting\/save|deskHours\/save|orderType\/save|members\/bank-(account|card)\/(create|delete)|share\/save(Picture|Domain)|apiKey\/(add|set|rotate|revoke|emptySandbox)|endpoint\/(add|set|remove|rotate|ping|resend)|user\/(add(Member)?|edit|delete|paymentPassword|transaction|saveAbilities)|transaction\/(add|edit|correct)|wallet\/toGame|home\/(putAway|chooseZone)|envelope|room\/(changeStatus|recover|giveToBot)|ai\/save|tree\/(add|move)|friend\/edit|draft\/save|push\/(un)?subscribe|message\/(takeBack|schedule$|unschedule)|desk\/(state|endShift|take|handOver|release|whisper|settle|snooze|remind|markUnread|bulk)|receiving\/save|bank\/addOwn|cash\/(payTo|ask|withdraw|take|renew|giveBack|refuse|pay)|limit\/save|period\/close|settlement\/settle|bell\/(read|choose)|right\/save|approval\/(approve|refuse|withdraw)|change\/(approve|refuse|withdraw|saveRules)|person\/(export|erase)|upload\/begin|sendMessage|message\/sendFile|readMessage|note(_content)?\/(add|edit|delete)|listView\/(save|delete)|message-template\/(create|update|delete|use))/
    const unknown = callNames.filter((name) => !looked.includes(name) && !apart.test(name) && !writes.test(name))
    expect(
      unknown.map((name) => `${name}: call it in readAll if its answer can hold names; else add it to apart or writes`),
    ).toEqual([])
  })

  test('events mask names too, except the own one, and a change of the switch works at once', async () => {
    const { top, agent, cs, member } = await server.family()
    const { code } = (await agent.call('room/list', {})).data[0] ?? { code: '' }
    const [toAgent, toCs] = await Promise.all([agent, cs].map((person) => person.socket()))
    if (!toAgent || !toCs) throw new Error('no socket')
    await toCs.emitWithAck('join', code)
    const next = (socket: typeof toCs) =>
      new Promise<string>((resolve) => socket.once('room', (event) => resolve(JSON.stringify(event))))
    const say = async () => {
      const both = [next(toAgent), next(toCs)]
      await cs.call('sendMessage', { code, type: MessageType.text, content: 'hello' })
      return Promise.all(both)
    }
    const open = await say()
    for (const said of open) expect([said.includes(member.username), said.includes(cs.username)]).toEqual([true, true])
    const flag = async (masks_usernames: 0 | 1) => {
      const event = new Promise((resolve) => toCs.once('account', resolve))
      await top.call('user/saveAbilities', { id: agent.id, masks_usernames })
      await event
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await flag(1)
    const [toHead, toSender] = await say()
    expect([toHead?.includes(member.username), toHead?.includes(cs.username)]).toEqual([false, false])
    expect([toSender?.includes(member.username), toSender?.includes(cs.username)]).toEqual([false, true])
    const fresh = await agent.call('room/sync', { code, version: 1 })
    expect(JSON.parse(toHead ?? '{}').messages).toEqual(fresh.messages)
    await flag(0)
    for (const said of await say()) expect(said).toContain(member.username)
  })

  test('searching finds whole names only', async () => {
    const { agent, member, others } = await maskedFamily(1)
    const { time, day } = wide()
    const [whole, part] = [member.username.toUpperCase(), member.username.slice(1, 7)]
    const hits = async (username: string) => [
      (await agent.call('user/list', { menu_id: 13, username })).total,
      (await agent.call('transaction/list', { ...time, username })).total,
      (await agent.call('redEnvelope/record', { ...time, username })).total,
      (await agent.call('user/export', { menu_id: 13, username })).csv === '' ? 0 : 1,
      (await agent.call('tree/find', { text: username })).data.length,
    ]
    expect(await hits(part)).toEqual([0, 0, 0, 0, 0])
    expect(await hits(whole)).toEqual([1, 5, 3, 1, 1])
    expect((await agent.call('report/sr02', { ...day, username: agent.username })).data).toHaveLength(1)
    expect((await agent.call('report/sr02', { ...day, username: agent.username.slice(0, 5) })).data).toEqual([])
    // A nickname that contains the username does not reveal it.
    expect((await agent.call('user/list', { menu_id: 13, nickname: part })).data).toEqual([])
    expect((await agent.call('user/list', { menu_id: 13, nickname: 'nick' })).data.length).toBeLessThan(others.length)
    expect((await agent.call('transaction/list', { ...range, username: part })).data).toEqual([])
  })

  test('the menu marks it, and viewers who mask cannot unmask', async () => {
    const { top, agent, cs, sub, member } = await maskedFamily(0)
    const action = async (who: Person) =>
      (await who.call('userMenu/list', {})).find(({ url }) => url === '/user')?.action ?? ''
    expect(
      [await action(agent), await action(cs), await action(top)].map((text) => text.includes('encryption_username')),
    ).toEqual([true, true, false])
    await top.call('user/saveAbilities', { id: sub.id, masks_usernames: 1 })
    for (const bent of [
      { id: sub.id, masks_usernames: 0 },
      { id: member.id, is_sub: 1 },
    ] as const)
      expect(await agent.ask('user/saveAbilities', bent)).toBeRefusal('account.not_yours_to_give')
    expect((await agent.call('user/abilities', { id: sub.id })).changeable).not.toContain('is_sub')
  })
})
