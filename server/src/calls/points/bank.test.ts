import { errors, type Input } from '@tallyroom/contract'
import { BankStatus, Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { isNumber, maskedNumber } from '../../accounts/bank.ts'
import { many, one, run, sql } from '../../data/sql.ts'
import { PASSWORD, type Person, startTestServer } from '../../testing/app.ts'
import { bankRules } from '../../testing/bank.ts'
import { settledCursor } from '../../testing/rooms.ts'
import { outcomeOf } from '../../testing/outcome.ts'

const server = await startTestServer()
const { db } = server.services

type Settings = Input<'bank_setting/save'>
const usual: Settings = bankRules
const several: Settings = { ...usual, has_bank_card_setting: 1, bank_card_amount: 3 }

const family = async (settings: Settings = usual) => {
  const people = await server.family()
  await people.top.call('bank_setting/save', settings)
  const bank_id = (await people.top.call('orderType/save', { name: 'North' })).id
  return { ...people, bank_id, who: { username: people.member.username } }
}
const first = async (viewer: Person, username: string) => (await viewer.call('members/bank-account', { username })).data
/** Makes the sign-in older than a sensitive change allows. */
const age = (person: Person) =>
  run(db, sql`update sessions set created_at = now() - interval '11 minutes' where account_id = ${person.id}`)

test('[BANK-01] a number is stored as code, two underscores, number; the code is digits only, so there is one reading', () => {
  const fine = ['062000__12345678', `${'1'.repeat(50)}__${'2'.repeat(50)}`, '1__AB 12-3.4/5']
  const wrong = [
    '12345678',
    '062000__',
    '__12345678',
    'a__b',
    '062000__1__2',
    '062-000__1',
    `${'1'.repeat(51)}__1`,
    '1___2',
  ]
  expect(fine.filter((text) => !isNumber(text, true))).toEqual([])
  expect([...wrong, `1__${'2'.repeat(51)}`].filter((text) => isNumber(text, true))).toEqual([])
  expect(['12345678', 'GB29 NWBK 6016', '1'].filter((text) => !isNumber(text, false))).toEqual([])
  expect(['062000__1', '<b>', '', ' 1', '1\n2', '2'.repeat(51)].filter((text) => isNumber(text, false))).toEqual([])
  expect(['12345678', '123456', '12', '062000__12345678'].map(maskedNumber)).toEqual([
    '****5678',
    '*****6',
    '***2',
    '062000__****5678',
  ])
})

test('[BANK-01] [BANK-02] a bank account is made by roles 1 and 3, read with its number masked, and changed', async () => {
  const { top, agent, cs, member, bank_id, who } = await family()
  expect(await first(cs, member.username)).toBeNull()
  const account = { ...who, bank_id, account_name: 'Ann Lee', account_no: '12345678' }
  expect(await agent.ask('members/bank-account/create', account)).toBeRefusal('access.denied')
  expect(await member.ask('members/bank-account', who)).toBeRefusal('access.denied')
  await cs.call('members/bank-account/create', account)
  const made = await first(agent, member.username)
  expect(made).toMatchObject({
    bank_id,
    account_name: 'Ann Lee',
    account_no: '****5678',
    is_first: 1,
    held_until: null,
  })
  const id = made?.id ?? 0
  const seen = await Promise.all([top, agent, cs].map((one) => one.call('members/bank-account', who)))
  expect(seen.map(({ editable }) => editable)).toEqual([1, 0, 1])

  // Missing fields stay. The owner, the actor and which account is the first do not come from the browser.
  const sly = { operator_cs: agent.username, is_first: 0, account_name_modify: 1, top_id: 1 }
  await top.call('members/bank-account/create', {
    ...who,
    exist_data_id: id,
    bank_id,
    account_name: 'Ann M. Lee',
    ...sly,
  })
  expect(await first(agent, member.username)).toMatchObject({
    id,
    account_name: 'Ann M. Lee',
    account_no: '****5678',
    is_first: 1,
    account_name_modify: 0,
    held_until: null,
  })
  expect(await cs.ask('members/bank-account/create', account), 'only one account is allowed').toBeRefusal(
    'bank.too_many',
  )
  for (const wrong of [
    { account_no: '1__2' },
    { account_no: '<i>' },
    { account_name: 'x'.repeat(51) },
    { account_name: ' ' },
  ])
    expect((await cs.ask('members/bank-account/create', { ...account, exist_data_id: id, ...wrong })).code).toBe(
      errors['request.invalid'],
    )
  const { data } = await top.call('audit/list', { kind: 'bank_account_changed' })
  expect(data.map((entry) => [entry.actor_username, entry.target_username])).toEqual([
    [top.username, member.username],
    [cs.username, member.username],
  ])
  expect(data[0]?.facts).toEqual([{ field: 'account_name', before: 'Ann Lee', after: 'Ann M. Lee' }])
  expect(JSON.stringify(data)).not.toContain('12345678')
})

test.each([
  ['০৬২০০০__１２３４ ５６７８', '062000__1234 5678'],
  ['\u202a062000__1234\u00a05678\u202c', '062000__1234 5678'],
  ['062000__12\u201134\u200b5678', '062000__12-345678'],
])('[BANK-01] the number %j is stored as %j, in digits that a bank knows', async (typed, stored) => {
  const { cs, bank_id, who } = await family({ ...usual, enable_bsb_code: 1 })
  await cs.call('members/bank-account/create', { ...who, bank_id, account_name: 'Ann', account_no: typed })
  const { data } = await cs.call('members/bank-account', who)
  expect(await cs.call('members/bank-account/show', { ...who, id: data?.id ?? 0 })).toEqual({ account_no: stored })
})

test('[BANK-01] the unmasked number is shown on request only, and audited', async () => {
  const { top, agent, cs, member, bank_id, who } = await family({
    ...usual,
    enable_bsb_code: 1,
    bsb_code_alias: 'Sort code',
  })
  const account = { ...who, bank_id, account_name: 'Ann' }
  expect(await cs.ask('members/bank-account/create', { ...account, account_no: '12345678' })).toBeRefusal(
    'bank.number_invalid',
  )
  await cs.call('members/bank-account/create', { ...account, account_no: '062000__12345678' })
  const view = await agent.call('members/bank-account', who)
  expect(view).toMatchObject({
    enable_bsb_code: 1,
    bsb_code_alias: 'Sort code',
    data: { account_no: '062000__****5678' },
  })
  expect((await top.call('audit/list', { kind: 'masked_shown' })).data).toEqual([])
  const id = view.data?.id ?? 0
  expect(await agent.call('members/bank-account/show', { ...who, id })).toEqual({ account_no: '062000__12345678' })
  const { data } = await top.call('audit/list', { kind: 'masked_shown' })
  expect(data.map((entry) => [entry.actor_username, entry.target_username, entry.facts])).toEqual([
    [agent.username, member.username, [{ field: 'account_no', before: null, after: '062000__****5678' }]],
  ])
  const other = await server.person({ role: Role.member, under: agent })
  expect(await agent.ask('members/bank-account/show', { username: other.username, id })).toBeRefusal('bank.not_found')
})

test('[BANK-01] changing number or bank needs the password when the sign-in is old, and is marked for a day', async () => {
  const { cs, member, bank_id, who, top } = await family()
  await cs.call('members/bank-account/create', { ...who, bank_id, account_name: 'Ann', account_no: '12345678' })
  const id = (await first(cs, member.username))?.id ?? 0
  await age(cs)
  const swap = { ...who, exist_data_id: id, bank_id, account_name: 'Ann', account_no: '87654321' }
  expect(await cs.ask('members/bank-account/create', swap)).toBeRefusal('session.needs_password')
  expect(await cs.ask('members/bank-account/create', { ...swap, current_password: 'wrong12' })).toBeRefusal(
    'session.wrong_password',
  )
  expect(await cs.ask('members/bank-card/delete', { ...who, id })).toBeRefusal('session.needs_password')
  expect((await first(cs, member.username))?.account_no).toBe('****5678')
  // Without a change no password is needed.
  await cs.call('members/bank-account/create', { ...who, exist_data_id: id, bank_id, account_name: 'Ann' })
  await cs.call('members/bank-account/create', { ...swap, current_password: PASSWORD })
  const lockedUntil = (await first(cs, member.username))?.held_until
  expect(Date.parse(lockedUntil ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  const { data } = await top.call('audit/list', { kind: 'bank_account_changed' })
  expect(data[0]?.facts).toEqual([{ field: 'account_no', before: '****5678', after: '****4321' }])
  await run(db, sql`update bank_accounts set changed_at = now() - interval '25 hours' where id = ${id}`)
  expect((await first(cs, member.username))?.held_until).toBeNull()
})

test('[BANK-03] several accounts: up to the limit, with the first one’s name, created and deleted', async () => {
  const { top, cs, agent, member, bank_id, who } = await family(several)
  expect(await cs.call('members/hasBankCardSetting', {})).toEqual({ has_bank_card_setting: 1, bank_card_amount: 3 })
  const cards = async () =>
    (await agent.call('members/bank-card', who)).data.map((card) => [card.account_name, card.account_no, card.is_first])
  const wanted = (account_no: string, account_name?: string) => ({
    bank_id,
    account_no,
    ...(account_name ? { account_name } : {}),
  })
  await cs.call('members/bank-card/create', {
    ...who,
    accounts: [wanted('11111111', 'Ann'), wanted('22222222', 'Somebody Else')],
  })
  expect(await cards()).toEqual([
    ['Ann', '****1111', 1],
    ['Ann', '****2222', 0],
  ])
  const many4 = { ...who, accounts: [wanted('33333333'), wanted('44444444')] }
  const refused = await cs.ask('members/bank-card/create', many4)
  expect([outcomeOf(refused), refused.message]).toEqual(['bank.too_many', 'A member can have 3 bank accounts at most.'])
  const both = await Promise.all(
    ['33333333', '44444444'].map((no) => cs.ask('members/bank-card/create', { ...who, accounts: [wanted(no)] })),
  )
  expect(both.map(outcomeOf).toSorted()).toEqual(['bank.too_many', 'done'])
  const [one, two, three] = (await agent.call('members/bank-card', who)).data.map(({ id }) => id)
  // Renaming the first account renames all.
  await cs.call('members/bank-card/create', { ...who, accounts: [{ id: one, bank_id, account_name: 'Ann Lee' }] })
  await cs.call('members/bank-card/create', { ...who, accounts: [{ id: two, bank_id, account_name: 'No' }] })
  expect((await cards()).map(([name]) => name)).toEqual(['Ann Lee', 'Ann Lee', 'Ann Lee'])
  await top.call('bank_setting/save', { ...several, account_name_modify: 1 })
  await cs.call('members/bank-card/create', { ...who, accounts: [{ id: two, bank_id, account_name: 'Ben Lee' }] })
  await cs.call('members/bank-card/delete', { ...who, id: one ?? 0 })
  expect((await cards()).map(([name, , isFirst]) => [name, isFirst])).toEqual([
    ['Ben Lee', 1],
    ['Ann Lee', 0],
  ])
  const stranger = await server.person({ role: Role.member, under: agent })
  const foreign = { username: stranger.username }
  for (const reply of [
    await cs.ask('members/bank-card/delete', { ...foreign, id: three ?? 0 }),
    await cs.ask('members/bank-card/create', { ...foreign, accounts: [{ id: three, bank_id }] }),
  ])
    expect(reply).toBeRefusal('bank.not_found')
  expect(await cards()).toHaveLength(2)
  await cs.call('members/bank-card/delete', who)
  expect(await cards()).toEqual([])
  expect((await top.call('audit/list', { kind: 'bank_account_deleted' })).total).toBe(3)
  expect(await cs.ask('members/bank-card/create', { ...who, accounts: [wanted('5')] }), 'no name at all').toBeRefusal(
    'bank.incomplete',
  )
  expect(member.username).toBe(who.username)
})

test('[BANK-04] in CJ7 mode agents get no account names', async () => {
  const { top, agent, cs, bank_id, who, member } = await family({ ...several, cj7: 1 })
  await cs.call('members/bank-account/create', { ...who, bank_id, account_name: 'Ann Canary', account_no: '12345678' })
  const id = (await first(agent, member.username))?.id ?? 0
  const said = JSON.stringify([
    await agent.ask('members/bank-account', who),
    await agent.ask('members/bank-card', who),
    await agent.ask('members/bank-account/show', { ...who, id }),
  ])
  expect(said).not.toMatch(/Canary|account_name"/)
  for (const one of [top, cs]) expect((await first(one, member.username))?.account_name).toBe('Ann Canary')
  await top.call('bank_setting/save', several)
  expect((await first(agent, member.username))?.account_name).toBe('Ann Canary')
})

test('[BANK-02] members have bank accounts if the top account allows it, and their rooms show it', async () => {
  const { top, agent, cs, member, who } = await family({ ...usual, is_third: 0 })
  const third = async () => (await cs.call('room/list', {})).data.map(({ isThird }) => isThird)
  const cursor = await settledCursor(cs)
  expect(await third()).toEqual([0])
  expect(await cs.ask('members/bank-account', who)).toBeRefusal('account.not_found')
  await top.call('bank_setting/save', usual)
  await server.person({ role: Role.member, under: agent })
  expect(await third()).toEqual([1, 1])
  expect((await cs.call('room/list', { since: cursor })).data.map(({ isThird }) => isThird)).toEqual([1, 1])
  expect(await first(cs, member.username)).toBeNull()
  await top.call('bank_setting/save', { ...usual, is_third: 0 })
  expect(await third()).toEqual([0, 0])
})

test('[BANK-01] [S1] only the top account changes banks and settings; another top account’s bank does not exist', async () => {
  const { top, agent, cs, bank_id, who } = await family()
  const admin = await server.person({ role: Role.admin, under: top })
  const save = (person: Person, name: string, more: object = {}) => person.ask('orderType/save', { name, ...more })
  expect(await save(admin, 'South')).toBeRefusal('access.denied')
  expect(await admin.ask('bank_setting/save', usual)).toBeRefusal('access.denied')
  expect([await admin.call('bank_setting/view', {}), await top.call('bank_setting/view', {})]).toEqual([
    { ...usual, changeable: false },
    { ...usual, changeable: true },
  ])
  expect(await save(top, 'NORTH')).toBeRefusal('bank.name_taken')
  const other = await family()
  expect(await save(top, 'Mine', { id: other.bank_id })).toBeRefusal('bank.unknown')
  const account = { ...who, account_name: 'Ann', account_no: '1' }
  expect(await cs.ask('members/bank-account/create', { ...account, bank_id: other.bank_id })).toBeRefusal(
    'bank.unknown',
  )
  await cs.call('members/bank-account/create', { ...account, bank_id })
  // No longer offered: accounts that use it are kept, and can still be changed.
  await top.call('orderType/save', { id: bank_id, name: 'North & Co', status: BankStatus.withdrawn })
  expect((await agent.call('orderType/list', {})).data).toEqual([
    { id: bank_id, name: 'North & Co', status: BankStatus.withdrawn },
  ])
  const id = (await first(cs, who.username))?.id ?? 0
  await cs.call('members/bank-account/create', { ...who, exist_data_id: id, bank_id, account_name: 'Ann Lee' })
  await cs.call('members/bank-card/delete', who)
  expect(await cs.ask('members/bank-account/create', { ...account, bank_id })).toBeRefusal('bank.unknown')
  expect((await top.call('audit/list', { kind: 'settings_changed' })).total).toBe(3)
})

test('[BANK-01] [S3] the same request twice makes one account, and saving a masked name does not overwrite the real one', async () => {
  const { top, agent, cs, member, bank_id, who } = await family(several)
  const account = { bank_id, account_name: `Mx ${member.username}`, account_no: '12345678' }
  const request_id = crypto.randomUUID()
  const twice = await Promise.all(
    [1, 2].map(() => cs.ask('members/bank-card/create', { ...who, accounts: [account], request_id })),
  )
  expect(twice.map(outcomeOf)).toEqual(['done', 'done'])
  expect(await many(db, sql`select id from bank_accounts where member_id = ${member.id}`)).toHaveLength(1)
  await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
  const shown = (await cs.call('members/bank-account', { member_id: member.id })).data
  expect(shown?.account_name).toContain('***')
  await cs.call('members/bank-card/create', {
    member_id: member.id,
    accounts: [{ id: shown?.id, bank_id, account_name: shown?.account_name, account_no: '87654321' }],
  })
  const kept = await one<{ account_name: string }>(
    db,
    sql`select account_name from bank_accounts where member_id = ${member.id}`,
  )
  expect(kept?.account_name).toBe(account.account_name)
})
