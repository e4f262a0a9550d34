import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { many, one, run, sql } from '../../data/sql.ts'
import { PASSWORD, type TestServer, startTestServer } from '../../testing/app.ts'
import { bare, caughtSms, codeOf, minutesPass, withAuthenticator, withPhone } from '../../testing/sign-in.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
const password = PASSWORD
const agent = async () => (await server.family()).agent
const off = { authenticator: false, mobile: '', recovery_codes: 0, passkeys: 0 }

describe('an authenticator', () => {
  test('works from its first code on, and comes with ten recovery codes', async () => {
    const person = await agent()
    expect(await person.call('factor/view', {})).toEqual(off)
    const { secret, url } = await person.call('factor/begin', { password })
    expect(url).toBe(`otpauth://totp/Tallyroom:${person.username}?secret=${secret}&issuer=Tallyroom`)
    expect(await person.call('factor/view', {})).toEqual(off)
    expect(await person.ask('factor/confirm', { code: '12345' })).toBeRefusal('code.wrong')
    const { recovery_codes } = await person.call('factor/confirm', { code: await codeOf(server, secret) })
    expect(new Set(recovery_codes).size).toBe(10)
    expect(await person.call('factor/view', {})).toEqual({ ...off, authenticator: true, recovery_codes: 10 })
    expect(await person.ask('factor/begin', { password, code: recovery_codes[0] })).toBeRefusal('factor.already_on')
    expect(await person.ask('factor/confirm', { code: await codeOf(server, secret, 1) })).toBeRefusal(
      'factor.not_begun',
    )
  })

  test('[S8] is removed only with password and code, together with its recovery codes', async () => {
    const person = await agent()
    const { secret, recovery } = await withAuthenticator(server, person)
    expect(await person.ask('factor/remove', { password: 'wrong', code: await codeOf(server, secret) })).toBeRefusal(
      'session.wrong_password',
    )
    expect(await person.ask('factor/remove', { password, code: 'zzzzz-zzzzz' })).toBeRefusal('code.wrong')
    expect(await person.call('factor/view', {})).toMatchObject({ authenticator: true })
    await person.call('factor/remove', { password, code: recovery[0] ?? '' })
    expect(await person.call('factor/view', {})).toEqual(off)
  })

  test('new recovery codes replace the old ones', async () => {
    const person = await agent()
    expect(await person.ask('factor/recoveryCodes', { password })).toBeRefusal('factor.not_begun')
    const { recovery } = await withAuthenticator(server, person)
    expect(await person.ask('factor/recoveryCodes', { password: 'wrong' })).toBeRefusal('session.wrong_password')
    expect(await person.ask('factor/recoveryCodes', { password })).toBeRefusal('code.wrong')
    const { recovery_codes } = await person.call('factor/recoveryCodes', { password, code: recovery[1] ?? '' })
    expect(recovery_codes).toHaveLength(10)
    expect(await person.ask('factor/remove', { password, code: recovery[0] ?? '' })).toBeRefusal('code.wrong')
    const dump = await one<{ text: string }>(
      server.services.db,
      sql`select (select string_agg(r::text, '') from requests r) || (select string_agg(c::text, '') from recovery_codes c) as text`,
    )
    for (const code of recovery_codes) expect(dump?.text).not.toContain(code)
  })

  test('every change needs the password', async () => {
    const person = await agent()
    expect(await person.ask('factor/begin', { password: 'wrong' })).toBeRefusal('session.wrong_password')
    expect(await person.ask('factor/sendPhoneCode', { password: 'wrong', mobile: '0912345678' })).toBeRefusal(
      'session.wrong_password',
    )
    expect(await person.ask('factor/removePhone', { password: 'wrong' })).toBeRefusal('session.wrong_password')
  })
})

describe('a phone number', () => {
  test('works after its code is confirmed, and is shown masked', async () => {
    const person = await agent()
    const sms = caughtSms(server)
    expect(await person.ask('factor/setPhone', { code: '123456' })).toBeRefusal('factor.not_begun')
    await person.call('factor/sendPhoneCode', { password, mobile: '0912-345 678' })
    expect(sms.sent[0]).toEqual({
      to: '0912345678',
      text: `Your Tallyroom code is ${sms.code()}. It is valid for 10 minutes. Never share it with anyone.`,
    })
    expect(await person.ask('factor/setPhone', { code: 'abc' })).toBeRefusal('code.wrong')
    expect(await person.call('factor/view', {})).toEqual(off)
    expect(await person.call('factor/setPhone', { code: sms.code() })).toEqual({ mobile: '09*****678' })
    expect(await person.call('factor/view', {})).toEqual({ ...off, mobile: '09*****678' })
    // Neither the password alone nor a code sent for another purpose removes a second factor.
    for (const code of [undefined, '', sms.code(), '-'])
      expect(await person.ask('factor/removePhone', { password, code })).toBeRefusal('code.wrong')
    await minutesPass(server, person.id, 1)
    await person.call('factor/sendCode', { password })
    expect(sms.sent.at(-1)?.to).toBe('0912345678')
    await person.call('factor/removePhone', { password, code: sms.code() })
    expect(await person.call('factor/view', {})).toEqual(off)
    expect(await person.ask('factor/sendCode', { password })).toBeRefusal('factor.not_begun')
  })

  test('[S8] adding or replacing a second factor needs the present one', async () => {
    const person = await agent()
    await withPhone(server, person)
    const sms = caughtSms(server)
    const attempts = [
      (code?: string) => person.ask('factor/begin', { password, code }),
      (code?: string) => person.ask('factor/recoveryCodes', { password, code }),
      (code?: string) => person.ask('factor/sendPhoneCode', { password, code, mobile: '0987654321' }),
      (code?: string) => person.ask('factor/removePhone', { password, code }),
      (code?: string) => person.ask('factor/remove', { password, code }),
    ]
    for (const attempt of attempts) expect(await attempt()).toBeRefusal('code.wrong')
    expect(sms.sent).toEqual([])
    await minutesPass(server, person.id, 2)
    await person.call('factor/sendCode', { password })
    const { recovery_codes } = await person.call('factor/recoveryCodes', { password, code: sms.code() })
    await minutesPass(server, person.id, 1)
    // A code sent in one session does not work in another.
    await person.call('factor/sendCode', { password })
    const other = (await bare(server)('login', { username: person.username, password })).data as { challenge: string }
    const step = { username: person.username, challenge: other.challenge, mobile: '+8********678', token: sms.code() }
    expect(await bare(server)('checkValidateCode', step)).toBeRefusal('code.wrong')
    await minutesPass(server, person.id, 5)
    await person.call('factor/sendPhoneCode', { password, code: recovery_codes[0] ?? '', mobile: '0987654321' })
    await person.call('factor/setPhone', { code: sms.code() })
    expect(await person.call('factor/view', {})).toMatchObject({ mobile: '09*****321' })
  })

  test('a code for one number does not confirm the next', async () => {
    const person = await agent()
    const sms = caughtSms(server)
    await person.call('factor/sendPhoneCode', { password, mobile: '0912345678' })
    const first = sms.code()
    await minutesPass(server, person.id, 1)
    await person.call('factor/sendPhoneCode', { password, mobile: '0987654321' })
    if (first !== sms.code()) expect(await person.ask('factor/setPhone', { code: first })).toBeRefusal('code.wrong')
  })

  test.each(['12345', 'abc', '+1234567890123456', "09'12345678"])('%s is no number', async (mobile) => {
    const person = await agent()
    expect(await person.ask('factor/sendPhoneCode', { password, mobile })).toBeRefusal('request.invalid')
  })
})

describe('sessions', () => {
  test("session/list shows the caller's sessions, session/end ends one, session/endOthers the rest [S13]", async () => {
    const { agent: person, cs } = await server.family()
    const login = async () => {
      const body = server.wire.seal('login', { username: person.username, password })
      return ((await server.post('login', body, { 'user-agent': 'Phone' })).reply.data as { token: string }).token
    }
    const view = async (token: string) =>
      (await server.post('user/view', server.wire.seal('user/view', {}), { authorization: `Bearer ${token}` })).reply
    const [phone, tablet, old] = [await login(), await login(), await login()]
    await withPhone(server, person)
    const { data } = await person.call('session/list', {})
    expect(data.map(({ current }) => current).filter(Boolean)).toHaveLength(1)
    expect(data).toHaveLength(4)
    expect(data.find(({ current }) => !current)).toMatchObject({
      user_agent: 'Phone',
      address: '127.0.0.1',
      agent_login: false,
    })
    const first = data.filter(({ current }) => !current).sort((a, b) => Number(a.id) - Number(b.id))[0]?.id ?? ''
    expect(await cs.ask('session/end', { id: first })).toBeRefusal('session.not_found')
    await person.call('session/end', { id: first })
    expect(await view(phone)).toMatchObject({ refusal: 'session.dead', data: { reason: 'ended' } })
    expect(await person.ask('session/end', { id: first })).toBeRefusal('session.not_found')
    expect((await view(tablet)).code).toBe(OK)
    expect(await person.call('session/endOthers', {})).toEqual({ ended: 2 })
    expect([outcomeOf(await view(tablet)), outcomeOf(await view(old))]).toEqual(['session.dead', 'session.dead'])
    expect((await person.call('session/list', {})).data).toHaveLength(1)
  })

  test('[S13] an upline sees the sessions of its downline, and ends single ones', async () => {
    const { top, agent: person, cs, member } = await server.family()
    const body = server.wire.seal('login', { username: cs.username, password })
    const phone = ((await server.post('login', body, { 'user-agent': 'Phone' })).reply.data as { token: string }).token
    const { data } = await person.call('session/listOf', { id: cs.id })
    expect(data).toHaveLength(2)
    expect(data.some(({ current }) => current)).toBe(false)
    const session_id = data.find(({ user_agent }) => user_agent === 'Phone')?.id ?? ''
    // Refused: another account's session under this one's id, the actor itself, and accounts beside or above.
    expect(await person.ask('session/endOf', { id: member.id, session_id })).toBeRefusal('session.not_found')
    expect(await person.ask('session/listOf', { id: person.id })).toBeRefusal('account.not_yourself')
    expect(await cs.ask('session/listOf', { id: member.id })).toBeRefusal('access.denied')
    const socket = await cs.socket()
    await person.call('session/endOf', { id: cs.id, session_id })
    const view = await server.post('user/view', server.wire.seal('user/view', {}), { authorization: `Bearer ${phone}` })
    expect(view.reply).toMatchObject({ refusal: 'session.dead', data: { reason: 'ended' } })
    expect((await cs.ask('user/view', {})).code).toBe(OK)
    expect(socket.connected).toBe(true)
    expect(await person.ask('session/endOf', { id: cs.id, session_id })).toBeRefusal('session.not_found')
    const [row] = (await top.call('audit/list', { kind: 'session_ended' })).data
    expect(row).toMatchObject({ actor_username: person.username, target_username: cs.username })
  })

  test('changing the own password needs a fresh sign-in or the current password [S13]', async () => {
    const person = await agent()
    await run(
      server.services.db,
      sql`update sessions set created_at = now() - interval '11 minutes' where account_id = ${person.id}`,
    )
    const edit = (current_password?: string) =>
      person.ask('user/edit', {
        id: person.id,
        password: 'other123',
        password_confirmation: 'other123',
        current_password,
      })
    expect(await edit()).toBeRefusal('session.needs_password')
    expect(await edit('wrong')).toBeRefusal('session.wrong_password')
    expect((await person.ask('user/edit', { id: person.id, nickname: 'New' })).code).toBe(OK)
    expect((await edit(PASSWORD)).code).toBe(OK)
  })
})

test('[S28] sign-ins, codes, sessions and second factors are in the audit log', async () => {
  const person = await agent()
  const ask = bare(server)
  await ask('login', { username: person.username, password: 'wrong' })
  await ask('login', { username: person.username, password })
  await withAuthenticator(server, person)
  await ask('login', { username: person.username, password })
  await person.call('session/endOthers', {})
  await person.call('logout', {})
  const rows = await many<{ kind: string; facts: object }>(
    server.services.db,
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
