import { errors, OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import {
  bare,
  browser,
  caughtSms,
  codeOf,
  minutesPass,
  socketWith,
  withAuthenticator,
  withPhone,
} from '../../testing/sign-in.ts'
import { type Outcome, outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const agent = async () => (await server.family()).agent
const right = (person: Person) => ({ username: person.username, password: PASSWORD })
const proofOf = (reply: { data: unknown }) => (reply.data as { auth_done: string }).auth_done
const challengeOf = (reply: { data: unknown }) => (reply.data as { challenge: string }).challenge

describe('which second step', () => {
  test.each([
    ['authenticator', 'session.needs_authenticator'],
    ['phone', 'session.needs_sms'],
    ['both', 'session.needs_either'],
  ])('[AUTH-05] an account with %s is refused with %s, only after the right password', async (kind, refusal) => {
    const person = await agent()
    const known = kind === 'phone' ? undefined : await withAuthenticator(server, person)
    if (kind !== 'authenticator') await withPhone(server, person, known?.recovery[0])
    const ask = bare(server)
    expect(await ask('login', { username: person.username, password: 'wrong' })).toBeRefusal('session.wrong_login')
    const reply = await ask('login', right(person))
    expect(reply).toMatchObject({ refusal, data: { mobile: kind === 'authenticator' ? '' : '+8********678' } })
  })

  test('[AUTH-07] the code of the authenticator, then the same sign-in with auth_done', async () => {
    const person = await agent()
    const { secret } = await withAuthenticator(server, person)
    const { ask, jar } = browser(server)
    await ask('login', right(person))
    const proved = await ask('googleAuth', { username: person.username, secret: await codeOf(server, secret) })
    const reply = await ask('login', { ...right(person), auth_done: proofOf(proved) })
    expect(reply).toMatchObject({ code: OK, data: { id: person.id, agent_login: 0 } })
    expect([...jar.keys()].sort()).toEqual(['tallyroom_challenge', 'tallyroom_device', 'tallyroom_office'])
  })

  test('[AUTH-06] the code from the SMS, asked for by the mask', async () => {
    const person = await agent()
    const mobile = await withPhone(server, person)
    const sms = caughtSms(server)
    const { ask } = browser(server)
    const masked = ((await ask('login', right(person))).data as { mobile: string }).mobile
    const sent = await ask('sendValidateCode', { username: person.username, mobile: masked })
    expect(sent).toMatchObject({ code: OK, data: { seconds: 60 } })
    expect(sms.sent.map(({ to }) => to)).toEqual([mobile])
    const proved = await ask('checkValidateCode', { username: person.username, mobile: masked, token: sms.code() })
    expect((await ask('login', { ...right(person), auth_done: proofOf(proved) })).code).toBe(OK)
  })

  test('a client without cookies names its challenge instead', async () => {
    const person = await agent()
    const { recovery } = await withAuthenticator(server, person)
    const ask = bare(server)
    const challenge = challengeOf(await ask('login', right(person)))
    const step = { username: person.username, secret: recovery[0] ?? '' }
    for (const [name, more] of [
      ['googleAuth', step],
      ['checkValidateCode', { username: person.username, token: '123456' }],
      ['sendValidateCode', { username: person.username, mobile: '0912345678' }],
      ['passkey/beginStep', { username: person.username }],
    ] as const)
      expect(await ask(name, more)).toMatchObject({ code: errors['code.no_challenge'], refusal: 'code.no_challenge' })
    // One that names a sign-in, and every browser, is asked to sign in again.
    const over = { code: errors['code.no_sign_in'], refusal: 'code.no_sign_in' }
    expect(await ask('googleAuth', { ...step, challenge: 'another' })).toMatchObject(over)
    expect(await browser(server).ask('googleAuth', step)).toMatchObject(over)
    const proved = await ask('googleAuth', { ...step, challenge })
    expect((await ask('login', { ...right(person), auth_done: proofOf(proved) })).code).toBe(OK)
  })
})

describe('[AUTH-08] auth_done', () => {
  /** A proof made in a browser of its own. */
  const proven = async () => {
    const person = await agent()
    const { secret, recovery } = await withAuthenticator(server, person)
    const own = browser(server)
    const challenge = challengeOf(await own.ask('login', right(person)))
    const proved = await own.ask('googleAuth', { username: person.username, secret: recovery[0] ?? '' })
    return { person, secret, own, challenge, auth_done: proofOf(proved) }
  }

  test('works for one sign-in, also when used many times at once', async () => {
    const { person, own, auth_done } = await proven()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => own.ask('login', { ...right(person), auth_done })),
    )
    const codes = replies.map(outcomeOf)
    expect(codes.toSorted()).toEqual(['done', ...Array.from({ length: 9 }, () => 'session.needs_authenticator')])
  })

  test('does not work after two minutes, with a wrong password, in another browser, or for another account', async () => {
    const { person, own, auth_done } = await proven()
    const other = await proven()
    expect(await own.ask('login', { ...right(person), password: 'wrong', auth_done })).toBeRefusal(
      'session.wrong_login',
    )
    expect(await browser(server).ask('login', { ...right(person), auth_done })).toBeRefusal(
      'session.needs_authenticator',
    )
    expect(await bare(server)('login', { ...right(person), auth_done })).toBeRefusal('session.needs_authenticator')
    expect(await own.ask('login', { ...right(other.person), auth_done })).toBeRefusal('session.needs_authenticator')
    await minutesPass(server, other.person.id, 2)
    expect(await other.own.ask('login', { ...right(other.person), auth_done: other.auth_done })).toBeRefusal(
      'session.needs_authenticator',
    )
  })

  test('[S8] 210 ways around the second factor open no session', async () => {
    const people = [await agent(), await agent(), await agent()] as const
    await withAuthenticator(server, people[0])
    await withPhone(server, people[1])
    const { recovery } = await withAuthenticator(server, people[2])
    await withPhone(server, people[2], recovery[0])
    const other = await proven()
    const used = await proven()
    await used.own.ask('login', { ...right(used.person), auth_done: used.auth_done })
    const before = await sessionsOf(people)
    const codes: Outcome[] = []
    const sockets: string[] = []
    for (const person of people) {
      const own = browser(server)
      const challenge = challengeOf(await own.ask('login', right(person)))
      const values = [
        undefined,
        '',
        '-',
        '1',
        'true',
        '000000',
        challenge,
        other.auth_done,
        used.auth_done,
        own.jar.get('tallyroom_challenge'),
      ]
      const doors = [
        (auth_done?: string) => own.ask('login', { ...right(person), auth_done }),
        (auth_done?: string) => bare(server)('login', { ...right(person), auth_done }),
        (auth_done?: string) => own.ask('login', { ...right(person), auth_done, agent_username: person.username }),
        (token?: string) =>
          own.ask('login', { ...right(person), agent_token: token || '-', agent_username: person.username }),
        (token?: string) => own.ask('login', { ...right(person), landing_token: token || '-', auth_done: token }),
      ]
      for (const door of doors) for (const value of values) codes.push(outcomeOf(await door(value)))
      // Nothing of the first step is a token, for calls or the socket, with or without cookies.
      for (const token of values) {
        expect(await own.ask('user/view', {}, token ?? 'none')).toBeRefusal('session.dead')
        for (const cookies of [own.jar, new Map<string, string>()])
          sockets.push(await socketWith(server, token, cookies))
      }
    }
    expect(codes).toHaveLength(150)
    expect(sockets).toEqual(Array.from({ length: 60 }, () => 'session.dead'))
    expect(await socketWith(server, people[0].token, new Map())).toBe('open')
    expect(
      codes.filter((code) => !/^(session\.needs_(authenticator|sms|either)|session\.link_over)$/.test(code)),
    ).toEqual([])
    expect(await sessionsOf(people)).toEqual(before)
  })

  const sessionsOf = (people: readonly Person[]) =>
    one(
      server.services.db,
      sql`select count(*)::int as n from sessions where account_id = any(${people.map(({ id }) => id)})`,
    )
})

describe('codes', () => {
  test('[S8] of an authenticator: one step early or late, each once, no older one after a newer', async () => {
    const person = await agent()
    const { secret } = await withAuthenticator(server, person)
    const { ask } = browser(server)
    await ask('login', right(person))
    const at = async (steps: number) => codeOf(server, secret, steps)
    const [now, next] = [await at(0), await at(1)]
    const codes: Outcome[] = []
    for (const code of [await at(-3), await at(3), now, now, await at(-1), next, next]) {
      codes.push(outcomeOf(await ask('googleAuth', { username: person.username, secret: code })))
    }
    expect(codes).toEqual(['code.wrong', 'code.wrong', 'done', 'code.wrong', 'code.wrong', 'done', 'code.wrong'])
  })

  test('a recovery code works once', async () => {
    const person = await agent()
    const { recovery } = await withAuthenticator(server, person)
    const { ask } = browser(server)
    await ask('login', right(person))
    const step = { username: person.username, secret: (recovery[3] ?? '').toUpperCase().replace('-', ' ') }
    expect([outcomeOf(await ask('googleAuth', step)), outcomeOf(await ask('googleAuth', step))]).toEqual([
      'done',
      'code.wrong',
    ])
    expect(await person.call('factor/view', {})).toMatchObject({ authenticator: true, recovery_codes: 9 })
  })

  test('[S8] [S9] wrong codes count for the account, even when the sign-in is started again', async () => {
    const person = await agent()
    const { secret } = await withAuthenticator(server, person)
    const codes: Outcome[] = []
    for (let attempt = 0; attempt < 7; attempt++) {
      const { ask } = browser(server)
      await ask('login', right(person))
      codes.push(outcomeOf(await ask('googleAuth', { username: person.username, secret: 'zzzzz-zzzzz' })))
    }
    expect(codes).toEqual([
      'code.wrong',
      'code.wrong',
      'code.wrong',
      'code.wrong',
      'code.wrong',
      'request.too_often',
      'request.too_often',
    ])
    const { ask } = browser(server)
    await ask('login', right(person))
    const step = { username: person.username, secret: await codeOf(server, secret) }
    expect(await ask('googleAuth', step)).toBeRefusal('request.too_often')
    await minutesPass(server, person.id, 1)
    expect((await ask('googleAuth', step)).code).toBe(OK)
  })

  const atSms = async () => {
    const person = await agent()
    const mobile = await withPhone(server, person)
    const sms = caughtSms(server)
    const { ask } = browser(server)
    await ask('login', right(person))
    const send = () => ask('sendValidateCode', { username: person.username, mobile })
    const check = (token: string) => ask('checkValidateCode', { username: person.username, mobile, token })
    return { person, mobile, sms, ask, send, check }
  }

  test('[AUTH-06] by SMS only to the stored number, 60 seconds apart, five a day', async () => {
    const { person, sms, ask, send } = await atSms()
    expect(await ask('sendValidateCode', { username: person.username, mobile: '+886999999999' })).toBeRefusal(
      'request.invalid',
    )
    expect((await send()).code).toBe(OK)
    expect(await send()).toMatchObject({ refusal: 'request.too_often', data: { seconds: expect.any(Number) } })
    // The code that confirmed the number makes these five.
    for (let n = 0; n < 3; n++) {
      await minutesPass(server, person.id, 1)
      await ask('login', right(person))
      expect((await send()).code).toBe(OK)
    }
    await minutesPass(server, person.id, 2)
    expect(await send()).toBeRefusal('request.too_often')
    expect(sms.sent).toHaveLength(4)
  })

  test('[S8] by SMS five tries and ten minutes, stored hashed', async () => {
    const { person, sms, send, check, ask } = await atSms()
    await send()
    const dump = await one<{ text: string }>(
      server.services.db,
      sql`select string_agg(s::text, '') as text from sms_codes s`,
    )
    expect(dump?.text).not.toContain(sms.code())
    for (let n = 0; n < 5; n++) expect(await check('abc')).toBeRefusal('code.wrong')
    await run(server.services.db, sql`delete from sign_in_tries`)
    expect(await check(sms.code())).toBeRefusal('code.wrong')
    await minutesPass(server, person.id, 1)
    await send()
    await run(server.services.db, sql`update sms_codes set expires_at = expires_at - interval '10 minutes'`)
    expect(await check(sms.code())).toBeRefusal('code.wrong')
    await minutesPass(server, person.id, 1)
    await ask('login', right(person))
    await send()
    expect((await check(sms.code())).code).toBe(OK)
    expect(await check(sms.code())).toBeRefusal('code.wrong')
  })

  test('[AUTH-06] after a failure of the gateway the user may try again at once', async () => {
    const { send } = await atSms()
    server.services.sms = { send: () => Promise.reject(new Error('down')) }
    expect(await send()).toBeRefusal('code.not_sent')
    caughtSms(server)
    expect((await send()).code).toBe(OK)
  })

  test('without a waiting sign-in nothing is sent or checked, whatever the name', async () => {
    const person = await agent()
    const mobile = await withPhone(server, person)
    const ask = bare(server)
    for (const username of [person.username, 'nobody99']) {
      expect(await ask('sendValidateCode', { username, mobile })).toBeRefusal('code.no_challenge')
      expect(await ask('checkValidateCode', { username, mobile, token: '000000' })).toBeRefusal('code.no_challenge')
      expect(await ask('googleAuth', { username, secret: '000000' })).toBeRefusal('code.no_challenge')
    }
  })
})
