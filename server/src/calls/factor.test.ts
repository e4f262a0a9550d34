import { beforeAll, describe, expect, test } from 'vitest'
import { many, one, run, sql } from '../db.ts'
import { PASSWORD, type TestHouse, testHouse } from '../testing/app.ts'
import { bare, caughtSms, codeOf, minutesPass, withAuthenticator, withPhone } from '../testing/sign-in.ts'

let house: TestHouse
beforeAll(async () => {
  house = await testHouse()
})
const password = PASSWORD
const agent = async () => (await house.family()).agent
const off = { authenticator: false, mobile: '', recovery_codes: 0 }

describe('an authenticator', () => {
  test('counts from its first code on, and gives ten recovery codes', async () => {
    const person = await agent()
    expect(await person.call('factor/view', {})).toEqual(off)
    const { secret, url } = await person.call('factor/begin', { password })
    expect(url).toBe(`otpauth://totp/Tallyroom:${person.username}?secret=${secret}&issuer=Tallyroom`)
    expect(await person.call('factor/view', {})).toEqual(off)
    expect((await person.ask('factor/confirm', { code: '12345' })).code).toBe(7005)
    const { recovery_codes } = await person.call('factor/confirm', { code: await codeOf(house, secret) })
    expect(new Set(recovery_codes).size).toBe(10)
    expect(await person.call('factor/view', {})).toEqual({ authenticator: true, mobile: '', recovery_codes: 10 })
    expect((await person.ask('factor/begin', { password })).code).toBe(1410)
    expect((await person.ask('factor/confirm', { code: await codeOf(house, secret, 1) })).code).toBe(1404)
  })

  test('[S8] goes only with password and code, and its recovery codes with it', async () => {
    const person = await agent()
    const { secret, recovery } = await withAuthenticator(house, person)
    expect((await person.ask('factor/remove', { password: 'wrong', code: await codeOf(house, secret) })).code).toBe(
      7004,
    )
    expect((await person.ask('factor/remove', { password, code: 'zzzzz-zzzzz' })).code).toBe(7005)
    expect(await person.call('factor/view', {})).toMatchObject({ authenticator: true })
    await person.call('factor/remove', { password, code: recovery[0] ?? '' })
    expect(await person.call('factor/view', {})).toEqual(off)
  })

  test('new recovery codes replace the old ones', async () => {
    const person = await agent()
    expect((await person.ask('factor/recoveryCodes', { password })).code).toBe(1404)
    const { recovery } = await withAuthenticator(house, person)
    expect((await person.ask('factor/recoveryCodes', { password: 'wrong' })).code).toBe(7004)
    const { recovery_codes } = await person.call('factor/recoveryCodes', { password })
    expect(recovery_codes).toHaveLength(10)
    expect((await person.ask('factor/remove', { password, code: recovery[0] ?? '' })).code).toBe(7005)
    const dump = await one<{ text: string }>(
      house.house.db,
      sql`select (select string_agg(r::text, '') from requests r) || (select string_agg(c::text, '') from recovery_codes c) as text`,
    )
    for (const code of recovery_codes) expect(dump?.text).not.toContain(code)
  })

  test('every change needs the own password', async () => {
    const person = await agent()
    expect((await person.ask('factor/begin', { password: 'wrong' })).code).toBe(7004)
    expect((await person.ask('factor/sendPhoneCode', { password: 'wrong', mobile: '0912345678' })).code).toBe(7004)
    expect((await person.ask('factor/removePhone', { password: 'wrong' })).code).toBe(7004)
  })
})

describe('a phone number', () => {
  test('counts when the code sent to it has come back, and is shown masked', async () => {
    const person = await agent()
    const sms = caughtSms(house)
    expect((await person.ask('factor/setPhone', { code: '123456' })).code).toBe(1404)
    await person.call('factor/sendPhoneCode', { password, mobile: '0912-345 678' })
    expect(sms.sent[0]).toEqual({
      to: '0912345678',
      text: `Your Tallyroom code is ${sms.code()}. It is valid for 10 minutes. Never tell it to anyone.`,
    })
    expect((await person.ask('factor/setPhone', { code: 'abc' })).code).toBe(7005)
    expect(await person.call('factor/view', {})).toEqual(off)
    expect(await person.call('factor/setPhone', { code: sms.code() })).toEqual({ mobile: '09*****678' })
    expect(await person.call('factor/view', {})).toEqual({ ...off, mobile: '09*****678' })
    await person.call('factor/removePhone', { password })
    expect(await person.call('factor/view', {})).toEqual(off)
  })

  test('a code for one number does not confirm the next', async () => {
    const person = await agent()
    const sms = caughtSms(house)
    await person.call('factor/sendPhoneCode', { password, mobile: '0912345678' })
    const first = sms.code()
    await minutesPass(house, person.id, 1)
    await person.call('factor/sendPhoneCode', { password, mobile: '0987654321' })
    if (first !== sms.code()) expect((await person.ask('factor/setPhone', { code: first })).code).toBe(7005)
  })

  test.each(['12345', 'abc', '+1234567890123456', "09'12345678"])('%s is no number', async (mobile) => {
    const person = await agent()
    expect((await person.ask('factor/sendPhoneCode', { password, mobile })).code).toBe(1400)
  })
})

describe('the own sessions', () => {
  test("session/list shows one's own, session/end ends one, session/endOthers the rest [S13]", async () => {
    const { agent: person, cs } = await house.family()
    const login = async () => {
      const body = house.wire.seal('login', { username: person.username, password })
      return ((await house.post('login', body, { 'user-agent': 'Phone' })).reply.data as { token: string }).token
    }
    const view = async (token: string) =>
      (await house.post('user/view', house.wire.seal('user/view', {}), { authorization: `Bearer ${token}` })).reply
    const [phone, tablet, old] = [await login(), await login(), await login()]
    await withPhone(house, person)
    const { data } = await person.call('session/list', {})
    expect(data.map(({ current }) => current).filter(Boolean)).toHaveLength(1)
    expect(data).toHaveLength(4)
    expect(data.find(({ current }) => !current)).toMatchObject({
      user_agent: 'Phone',
      address: '127.0.0.1',
      agent_login: false,
    })
    const first = data.filter(({ current }) => !current).sort((a, b) => Number(a.id) - Number(b.id))[0]?.id ?? ''
    expect((await cs.ask('session/end', { id: first })).code).toBe(1404)
    await person.call('session/end', { id: first })
    expect(await view(phone)).toMatchObject({ code: 9998, data: { reason: 'ended' } })
    expect((await person.ask('session/end', { id: first })).code).toBe(1404)
    expect((await view(tablet)).code).toBe(1000)
    expect(await person.call('session/endOthers', {})).toEqual({ ended: 2 })
    expect([(await view(tablet)).code, (await view(old)).code]).toEqual([9998, 9998])
    expect((await person.call('session/list', {})).data).toHaveLength(1)
  })

  test("one's own new password needs a fresh sign-in or the current one [S13]", async () => {
    const person = await agent()
    await run(
      house.house.db,
      sql`update sessions set created_at = now() - interval '11 minutes' where account_id = ${person.id}`,
    )
    const edit = (current_password?: string) =>
      person.ask('user/edit', {
        id: person.id,
        password: 'other123',
        password_confirmation: 'other123',
        current_password,
      })
    expect((await edit()).code).toBe(7001)
    expect((await edit('wrong')).code).toBe(7004)
    expect((await person.ask('user/edit', { id: person.id, nickname: 'New' })).code).toBe(1000)
    expect((await edit(PASSWORD)).code).toBe(1000)
  })
})

test('[S28] sign-ins, codes, sessions and second factors are in the audit log', async () => {
  const person = await agent()
  const ask = bare(house)
  await ask('login', { username: person.username, password: 'wrong' })
  await ask('login', { username: person.username, password })
  await withAuthenticator(house, person)
  await ask('login', { username: person.username, password })
  await person.call('session/endOthers', {})
  await person.call('logout', {})
  const rows = await many<{ kind: string; facts: object }>(
    house.house.db,
    sql`select kind, facts from audit_log where target_id = ${person.id} order by id`,
  )
  expect(rows).toEqual([
    { kind: 'sign_in_failed', facts: { step: 'password' } },
    { kind: 'signed_in', facts: { door: 'password' } },
    { kind: 'second_factor_changed', facts: { authenticator: [false, true], new_recovery_codes: 10 } },
    { kind: 'session_ended', facts: { sessions: 1 } },
    { kind: 'signed_out', facts: {} },
  ])
})
