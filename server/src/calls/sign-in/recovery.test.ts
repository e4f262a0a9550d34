import { createServer } from 'node:http'
import { type Answer, OK } from '@tallyroom/contract'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { besideTransaction, many, one, run, sql } from '../../data/sql.ts'
import { networkOf } from '../../lib/address.ts'
import { checkSmsCode, sendCode } from '../../identity/sign-in/sms-codes.ts'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { ORIGIN, passkeyEnv, type SoftwarePasskey, softwarePasskey, withPasskey } from '../../testing/fakes/passkey.ts'
import { bare, browser, caughtSms, codeOf, minutesPass, withAuthenticator, withPhone } from '../../testing/sign-in.ts'
import { outcomeOf } from '../../testing/outcome.ts'

const MOBILE = '+886911222333'
const chosen = (word: string) => ({ new_password: word, new_password_confirmation: word })
let server: TestServer
let sms: ReturnType<typeof caughtSms>
beforeAll(async () => {
  server = await startTestServer({ ...passkeyEnv, SMS_URL: 'https://sms.example', SMS_PER_HOUR_OF_ADDRESS: '100' })
})
beforeEach(async () => {
  sms = caughtSms(server)
  await run(server.services.db, sql`delete from sign_in_tries`)
})

const withNumber = async (member: Person) => {
  await member.call('recovery/sendCode', { mobile: MOBILE })
  await member.call('recovery/setPhone', { code: sms.code() })
  await minutesPass(server, member.id, 2)
  sms.sent.length = 0
}
const begin = (username: string, face: 'office' | 'member' = 'member') =>
  bare(server)('recovery/begin', { username, face })
/** Asks for a code and waits for it: the answer does not. */
const sentCode = async (username: string, face: 'office' | 'member' = 'member') => {
  const before = sms.sent.length
  expect(await begin(username, face)).toMatchObject({ code: OK, data: { seconds: 60 } })
  await expect.poll(() => sms.sent.length).toBe(before + 1)
  return sms.code()
}
const finish = (username: string, code: string, word = 'mine123', face: 'office' | 'member' = 'member') =>
  bare(server)('recovery/finish', { username, face, code, ...chosen(word) })
const login = ({ username }: Person, password: string, face: 'office' | 'member' = 'member') =>
  bare(server)('login', { username, password, face })

describe('[SELF-02] a forgotten password is recovered by SMS', () => {
  test('a code to the member’s number replaces it; all sessions end, it is audited, the devices get a notice', async () => {
    const { member } = await server.family()
    await withNumber(member)
    const socket = await member.socket()
    const heard: string[] = []
    socket.on('security', ({ kind }) => heard.push(kind))
    const ended = new Promise((resolve) => socket.on('ended', resolve))
    const code = await sentCode(member.username)
    expect(sms.sent[0]?.to).toBe(MOBILE)
    expect((await finish(member.username, code)).code).toBe(OK)
    expect(await ended).toEqual({ reason: 'password' })
    expect(heard).toEqual(['password_recovered'])
    expect(await member.ask('user/view', {})).toBeRefusal('session.dead')
    expect(await login(member, PASSWORD)).toBeRefusal('session.wrong_login')
    expect((await login(member, 'mine123')).code).toBe(OK)
    // The code has done its work.
    expect(await finish(member.username, code, 'mine124')).toBeRefusal('recovery.wrong')
    const row = await one(
      server.services.db,
      sql`select actor_id, facts from audit_log where kind = 'password_recovered' and target_id = ${member.id}`,
    )
    expect(row).toEqual({ actor_id: member.id, facts: { door: 'sms' } })
  })

  test('nothing tells whether a name or a number exists', async () => {
    const { member, agent } = await server.family()
    const { member: other } = await server.family()
    await withNumber(member)
    const frozen = (await server.family()).agent
    await run(server.services.db, sql`update accounts set status = 0 where id = ${frozen.id}`)
    const names = [member.username, other.username, agent.username, frozen.username, 'nobody-here']
    const begun = []
    for (const name of names) begun.push(JSON.stringify(await begin(name)))
    expect(new Set(begun)).toHaveLength(1)
    await expect.poll(() => sms.sent.length).toBe(1)
    const finished = []
    for (const name of names) finished.push(JSON.stringify(await finish(name, '000000')))
    expect(new Set(finished)).toHaveLength(1)
    // Not even by how often it may be asked.
    for (const name of [member.username, 'nobody-here']) {
      const codes = []
      for (let n = 0; n < 6; n++) codes.push(outcomeOf(await begin(name)))
      expect(codes).toEqual(['done', 'done', 'done', 'done', 'request.too_often', 'request.too_often'])
    }
  })

  test('the answer does not wait for the gateway, and does not fail with it', async () => {
    const { member } = await server.family()
    await withNumber(member)
    let release = () => {}
    const gateway = new Promise<void>((resolve) => {
      release = resolve
    })
    server.services.sms = { send: () => gateway.then(() => Promise.reject(new Error('down'))) }
    expect((await begin(member.username)).code).toBe(OK)
    release()
    caughtSms(server)
  })

  test('codes: five tries, ten minutes, and none that was sent for something else', async () => {
    const { member, agent } = await server.family()
    await withNumber(member)
    const code = await sentCode(member.username)
    for (let n = 0; n < 5; n++) expect(await finish(member.username, 'no')).toBeRefusal('recovery.wrong')
    await run(server.services.db, sql`delete from sign_in_tries`)
    expect(await finish(member.username, code)).toBeRefusal('recovery.wrong')
    await minutesPass(server, member.id, 1)
    const late = await sentCode(member.username)
    await run(server.services.db, sql`update sms_codes set expires_at = expires_at - interval '10 minutes'`)
    expect(await finish(member.username, late)).toBeRefusal('recovery.wrong')
    // A code of the second factor, and of a new number.
    await withPhone(server, agent, '', MOBILE)
    sms = caughtSms(server)
    await agent.call('factor/sendCode', { password: PASSWORD })
    expect(await finish(agent.username, sms.code(), 'mine123', 'office')).toBeRefusal('recovery.wrong')
    await minutesPass(server, member.id, 5)
    await member.call('recovery/sendCode', { mobile: MOBILE })
    expect(await finish(member.username, sms.code())).toBeRefusal('recovery.wrong')
  })

  test('wrong codes count for a name, also one that no account has', async () => {
    const { member } = await server.family()
    for (const name of [member.username, 'nobody-else']) {
      const codes = []
      for (let n = 0; n < 7; n++) codes.push(outcomeOf(await finish(name, '000000')))
      expect(codes).toEqual([
        'recovery.wrong',
        'recovery.wrong',
        'recovery.wrong',
        'recovery.wrong',
        'recovery.wrong',
        'request.too_often',
        'request.too_often',
      ])
    }
  })

  test('of two that use one code at once, one succeeds', async () => {
    const { member } = await server.family()
    await withNumber(member)
    const code = await sentCode(member.username)
    const replies = await Promise.all(['mine1', 'mine2', 'mine3'].map((word) => finish(member.username, code, word)))
    expect(replies.filter((reply) => reply.code === OK)).toHaveLength(1)
  })

  test('a code that was used is used up also for a check that began before, and waited', async () => {
    const { member } = await server.family()
    const purpose = { accountId: member.id, topId: member.id, challenge: null }
    await sendCode(server.services, purpose, MOBILE, { network: networkOf('127.0.0.1'), language: 'en' })
    const { db } = server.services
    const late = await db.transact(async (tx) => {
      await one(tx, sql`select now()`)
      expect(await besideTransaction(() => checkSmsCode(db, purpose, sms.code()))).toBe('right')
      return checkSmsCode(tx, purpose, sms.code())
    })
    expect(late).toBe('wrong')
  })

  test('in the back office the second factor is still asked for', async () => {
    const { agent } = await server.family()
    const { secret, recovery } = await withAuthenticator(server, agent)
    await withPhone(server, agent, recovery[0], MOBILE)
    sms = caughtSms(server)
    const code = await sentCode(agent.username, 'office')
    expect(await finish(agent.username, code, 'mine123', 'member')).toBeRefusal('recovery.wrong')
    await run(server.services.db, sql`update sms_codes set tries = 0 where account_id = ${agent.id}`)
    expect((await finish(agent.username, code, 'mine123', 'office')).code).toBe(OK)
    const waits = await login(agent, 'mine123', 'office')
    expect(waits).toBeRefusal('session.needs_either')
    const { challenge } = waits.data as { challenge: string }
    const step = { username: agent.username, secret: await codeOf(server, secret, 1), challenge }
    expect((await bare(server)('googleAuth', step)).code).toBe(OK)
  })

  test('without a gateway no code is sent, for any name', async () => {
    const plain = await startTestServer(passkeyEnv)
    const { member } = await plain.family()
    for (const username of [member.username, 'nobody'])
      expect((await bare(plain)('recovery/begin', { username, face: 'member' })).refusal).toBe('recovery.no_sms')
    expect(await member.call('recovery/view', {})).toEqual({ mobile: '', offered: false })
    expect((await member.ask('recovery/sendCode', { mobile: MOBILE })).refusal).toBe('recovery.no_sms')
  })

  test('the code goes over the configured gateway', async () => {
    const bodies: string[] = []
    const gateway = createServer((request, response) => {
      request.on('data', (part: Buffer) => bodies.push(part.toString()))
      request.on('end', () => response.end())
    })
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
    const address = gateway.address() as { port: number }
    const real = await startTestServer({
      SMS_URL: `http://127.0.0.1:${address.port}`,
      SMS_ALLOW_HTTP: '1',
    })
    const { member } = await real.family()
    await member.call('recovery/sendCode', { mobile: MOBILE })
    expect(bodies.join('')).toContain(MOBILE)
    gateway.close()
  })
})

describe('[SELF-02] the member’s recovery number', () => {
  test('is set with a code and a fresh sign-in, shown masked, and removed', async () => {
    const { member } = await server.family()
    expect(await member.call('recovery/view', {})).toEqual({ mobile: '', offered: true })
    expect(await member.ask('recovery/setPhone', { code: '123456' })).toBeRefusal('factor.not_begun')
    await member.call('recovery/sendCode', { mobile: '+886 911-222 333' })
    expect(await member.ask('recovery/setPhone', { code: 'no' })).toBeRefusal('code.wrong')
    expect(await member.call('recovery/view', {})).toMatchObject({ mobile: '' })
    expect(await member.call('recovery/setPhone', { code: sms.code() })).toEqual({ mobile: '+8********333' })
    await run(
      server.services.db,
      sql`update sessions set created_at = now() - interval '11 minutes' where account_id = ${member.id}`,
    )
    expect(await member.ask('recovery/sendCode', { mobile: '+886999888777' })).toBeRefusal('session.needs_password')
    expect(await member.ask('recovery/removePhone', {})).toBeRefusal('session.needs_password')
    expect(await member.ask('recovery/removePhone', { password: 'wrong12' })).toBeRefusal('session.wrong_password')
    await member.call('recovery/removePhone', { password: PASSWORD })
    expect(await member.call('recovery/view', {})).toMatchObject({ mobile: '' })
    const rows = await many<{ facts: object }>(
      server.services.db,
      sql`select facts from audit_log where kind = 'recovery_phone_changed' and target_id = ${member.id} order by id`,
    )
    expect(rows).toEqual([{ facts: { phone: '+8********333' } }, { facts: { phone: '' } }])
    const { data } = await member.call('security/list', {})
    expect(data.map(({ kind }) => kind)).toEqual(['recovery_phone_changed', 'recovery_phone_changed'])
  })
})

describe('[SELF-02] a forgotten password is recovered with a passkey', () => {
  const recover = async (passkey: SoftwarePasskey, face: 'office' | 'member', bent = {}) => {
    const own = browser(server, ORIGIN)
    const options = (await own.ask('recovery/beginPasskey', {})).data as Answer<'recovery/beginPasskey'>
    return own.ask('recovery/finishPasskey', { passkey: passkey.assert(options, bent), face, ...chosen('mine123') })
  }

  test.each(['member', 'office'] as const)('at the door of the %s', async (face) => {
    const family = await server.family()
    const person = face === 'member' ? family.member : family.agent
    const { passkey } = await withPasskey(server, person)
    expect(await recover(passkey, face)).toMatchObject({ code: OK, data: { username: person.username } })
    expect(await person.ask('user/view', {})).toBeRefusal('session.dead')
    expect(await login(person, PASSWORD, face)).toBeRefusal('session.wrong_login')
    // In the back office the passkey is also the second step.
    expect(outcomeOf(await login(person, 'mine123', face))).toBe(face === 'member' ? 'done' : 'session.needs_passkey')
  })

  test('not with another’s door, an unknown one, a frozen account, or a signature for a sign-in', async () => {
    const { top, member, agent } = await server.family()
    const { passkey } = await withPasskey(server, member)
    const refused = [await recover(passkey, 'office'), await recover(softwarePasskey(), 'member')]
    const own = browser(server, ORIGIN)
    const options = (await own.ask('passkey/begin', {})).data as Answer<'passkey/begin'>
    const assertion = passkey.assert(options)
    const swapped = await own.ask('recovery/finishPasskey', {
      passkey: assertion,
      face: 'member',
      ...chosen('mine123'),
    })
    expect(swapped).toBeRefusal('passkey.too_late')
    const frozen = await withPasskey(server, agent)
    await top.call('user/delete', { id: agent.id })
    refused.push(await recover(frozen.passkey, 'office'))
    expect(new Set(refused.map((reply) => JSON.stringify(reply)))).toHaveLength(1)
    expect(refused[0]).toBeRefusal('passkey.wrong')
    expect((await login(member, PASSWORD)).code).toBe(OK)
  })

  test('the two words must be the same, and one that may be a password', async () => {
    const ask = bare(server)
    const words = { username: 'x', face: 'member', code: '1' } as const
    const differ = { ...chosen('mine123'), new_password_confirmation: 'other12' }
    expect((await ask('recovery/finish', { ...words, ...differ })).refusal).toBe('account.passwords_differ')
    expect(await ask('recovery/finish', { ...words, ...chosen('no way!') })).toBeRefusal('request.invalid')
  })
})
