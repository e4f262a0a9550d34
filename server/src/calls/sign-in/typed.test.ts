import { randomBytes } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { bare, browser, caughtSms, codeOf, minutesPass, withAuthenticator, withPhone } from '../../testing/sign-in.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
let sms: ReturnType<typeof caughtSms>
beforeAll(async () => {
  server = await startTestServer({ SMS_URL: 'https://sms.example', SMS_PER_HOUR_OF_ADDRESS: '1000' })
})
beforeEach(async () => {
  sms = caughtSms(server)
  await run(server.services.db, sql`delete from sign_in_tries`)
})

const inDigits = (zero: string) => (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(zero.charCodeAt(0) + Number(digit)))
/** How people write and paste what consists of digits and letters of ASCII. */
const ways: [string, (text: string) => string][] = [
  ['full width', (text) => text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))],
  ['Bengali', inDigits('০')],
  ['Thai', inDigits('๐')],
  ['Burmese', inDigits('၀')],
  ['Tamil', inDigits('௦')],
  ['Arabic', inDigits('٠')],
  ['Persian', inDigits('۰')],
  ['from the contacts', (text) => `\u202a${text}\u202c`],
  ['from a page', (text) => `\ufeff\u2066${text}\u2069\u200e \u00a0`],
]
const inGroups = (text: string) => text.replace(/^(.{3})/, '$1\u00a0')

describe('[TEXT-02] however it is written', () => {
  test.each(ways)('%s: a username signs in, a code is the second step, and neither is the password', async (_, way) => {
    const { agent } = await server.family()
    const { secret } = await withAuthenticator(server, agent)
    const phone = browser(server)
    const username = way(agent.username)
    expect(outcomeOf(await phone.ask('login', { username, password: way(PASSWORD) }))).toBe(
      way(PASSWORD) === PASSWORD ? 'session.needs_sms' : 'session.wrong_login',
    )
    const waiting = await phone.ask('login', { username, password: PASSWORD })
    expect(waiting.refusal).toBe('session.needs_authenticator')
    const code = inGroups(way(await codeOf(server, secret)))
    expect((await phone.ask('googleAuth', { username, secret: code })).code).toBe(OK)
  })

  test.each(ways)('%s: an authenticator is set up, and a number is proved', async (_, way) => {
    const { agent } = await server.family()
    const { secret } = await agent.call('factor/begin', { password: PASSWORD })
    await agent.call('factor/confirm', { code: inGroups(way(await codeOf(server, secret))) })
    await run(server.services.db, sql`update second_factors set totp_step = 0 where account_id = ${agent.id}`)
    const code = way(await codeOf(server, secret))
    await agent.call('factor/sendPhoneCode', { password: PASSWORD, code, mobile: way('+886 912‑345‑678') })
    expect(sms.sent.at(-1)?.to).toBe('+886912345678')
    await agent.call('factor/setPhone', { code: inGroups(way(sms.code())) })
  })

  test.each(ways)('%s: a forgotten password is recovered', async (_, way) => {
    const { member } = await server.family()
    await member.call('recovery/sendCode', { mobile: way('+886911222333') })
    await member.call('recovery/setPhone', { code: way(sms.code()) })
    await minutesPass(server, member.id, 2)
    const before = sms.sent.length
    const username = way(member.username)
    await bare(server)('recovery/begin', { username, face: 'member' })
    await expect.poll(() => sms.sent.length).toBe(before + 1)
    const chosen = { new_password: 'mine123', new_password_confirmation: 'mine123' }
    expect(
      (await bare(server)('recovery/finish', { username, face: 'member', code: way(sms.code()), ...chosen })).code,
    ).toBe(OK)
  })

  test.each(ways)('%s: a member signs up and an account is added with the username in ASCII', async (_, way) => {
    const { agent } = await server.family()
    const row = await one<{ code: string }>(
      server.services.db,
      sql`select share_code as code from accounts where id = ${agent.id}`,
    )
    const names = [1, 2].map((n) => `${n}.${randomBytes(3).toString('hex')}`)
    const password = { password: PASSWORD, password_confirmation: PASSWORD }
    const signedUp = await bare(server)('member/signup', {
      share_code: way(row?.code ?? ''),
      username: way(names[0] ?? ''),
      ...password,
    })
    expect(signedUp.data).toMatchObject({ username: names[0] })
    await agent.call('user/add', { username: way(names[1] ?? ''), ...password })
    expect(
      (await agent.call('user/list', { role_id: Role.customerService, username: way(names[1] ?? '') })).data,
    ).toMatchObject([{ username: names[1] }])
  })

  test('an invitation opens however its share code is typed, and with what follows it in a sentence', async () => {
    const { agent } = await server.family()
    const { share_code } = await agent.call('user/view', {})
    const inTwo = `${share_code.slice(0, 4)}-${share_code.slice(4)}`
    const asked = async (code: string) => (await bare(server)('member/invitation', { share_code: code })).refusal
    for (const typed of [share_code.toUpperCase(), inTwo, `${share_code}.`, `${share_code})`, `${share_code}，快來`])
      expect([typed, await asked(typed)]).toEqual([typed, undefined])
    for (const other of [share_code.slice(1), `${share_code}a`, `x${share_code}`])
      expect([other, await asked(other)]).toEqual([other, 'signup.unknown_share_code'])
  })

  test('a code by SMS is the second step', async () => {
    for (const [, way] of ways) {
      const { agent } = await server.family()
      await withPhone(server, agent)
      sms = caughtSms(server)
      const phone = browser(server)
      const first = await phone.ask('login', { username: agent.username, password: PASSWORD })
      expect(first.refusal).toBe('session.needs_sms')
      const { mobile } = first.data as { mobile: string }
      await phone.ask('sendValidateCode', { username: agent.username, mobile })
      const token = inGroups(way(sms.code()))
      expect((await phone.ask('checkValidateCode', { username: agent.username, mobile, token })).code).toBe(OK)
    }
  })

  test('who sees usernames masked finds the whole one', async () => {
    const { top, agent, member } = await server.family()
    await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
    const found = async (text: string, who: Person = agent) =>
      (await who.call('search/accounts', { text })).data.map(({ id }) => id)
    for (const [, way] of ways) expect(await found(way(member.username))).toEqual([member.id])
    expect(await found(member.username.slice(0, -1))).toEqual([])
  })
})
