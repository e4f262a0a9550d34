import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { type Answer, errors, OK } from '@tallyroom/contract'
import { Role } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { many, one, run, sql } from '../../data/sql.ts'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import {
  askFrom,
  type Bent,
  newKey,
  ORIGIN,
  passkeyEnv,
  type SoftwarePasskey,
  signInWith,
  softwarePasskey,
  withPasskey,
} from '../../testing/fakes/passkey.ts'
import { browser, withAuthenticator } from '../../testing/sign-in.ts'
import { outcomeOf } from '../../testing/outcome.ts'
import { freshDatabase } from '../../testing/postgres.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ ...passkeyEnv, WEB_ORIGINS: 'https://members.example' })
})

const agent = async () => (await server.family()).agent
const listOf = async (person: Person) =>
  (await askFrom(server, person, 'passkey/list', {})).data as Answer<'passkey/list'>
const signIn = (passkey: SoftwarePasskey, face: 'office' | 'member' = 'office', bent: Bent = {}) =>
  signInWith(server, passkey, face, bent)

describe('[PASS-01] signing in with a passkey', () => {
  test('works on both faces without a username, and on the right one only', async () => {
    const { agent: office, member } = await server.family()
    const [one, two] = [await withPasskey(server, office), await withPasskey(server, member)]
    expect(await signIn(one.passkey)).toMatchObject({ code: OK, data: { id: office.id, role_id: Role.agent } })
    expect(await signIn(two.passkey, 'member')).toMatchObject({
      code: OK,
      data: { id: member.id, role_id: Role.member },
    })
    const refused = [await signIn(one.passkey, 'member'), await signIn(two.passkey), await signIn(softwarePasskey())]
    // A wrong face, and a passkey that nobody has, get the same answer.
    expect(new Set(refused.map((reply) => JSON.stringify(reply)))).toHaveLength(1)
    expect(refused[0]).toMatchObject({ code: errors['passkey.wrong'], refusal: 'passkey.wrong' })
  })

  test('is in the audit log as a sign-in by passkey', async () => {
    const person = await agent()
    const { passkey } = await withPasskey(server, person)
    await signIn(passkey)
    const row = await one(
      server.services.db,
      sql`select facts from audit_log where kind = 'signed_in' and actor_id = ${person.id} order by id desc limit 1`,
    )
    expect(row).toEqual({ facts: { door: 'passkey' } })
  })

  test('is refused to a frozen account, and after the passkey was removed', async () => {
    const { top, agent: person, member } = await server.family()
    const [one, two] = [await withPasskey(server, person), await withPasskey(server, member)]
    await top.call('user/delete', { id: person.id })
    expect(await signIn(one.passkey)).toBeRefusal('passkey.wrong')
    await member.call('passkey/remove', { id: two.id })
    expect(await signIn(two.passkey, 'member')).toBeRefusal('passkey.wrong')
  })

  test('works once for each challenge, also when sent many times at once', async () => {
    const person = await agent()
    const { passkey } = await withPasskey(server, person)
    const own = browser(server, ORIGIN)
    const options = (await own.ask('passkey/begin', {})).data as Answer<'passkey/begin'>
    const assertion = passkey.assert(options)
    const replies = await Promise.all(Array.from({ length: 10 }, () => own.ask('login', { passkey: assertion })))
    const codes = replies.map(outcomeOf).toSorted()
    expect(codes).toEqual(['done', ...Array.from({ length: 9 }, () => 'passkey.too_late')])
  })

  test('belongs to the browser that began it, for five minutes', async () => {
    const person = await agent()
    const { passkey } = await withPasskey(server, person)
    const [own, other] = [browser(server, ORIGIN), browser(server, ORIGIN)]
    const begin = async () => passkey.assert((await own.ask('passkey/begin', {})).data as Answer<'passkey/begin'>)
    const assertion = await begin()
    await other.ask('passkey/begin', {})
    expect(await other.ask('login', { passkey: assertion })).toBeRefusal('passkey.too_late')
    expect(await browser(server, ORIGIN).ask('login', { passkey: assertion })).toBeRefusal('passkey.too_late')
    expect((await own.ask('login', { passkey: assertion })).code).toBe(OK)
    const late = await begin()
    await run(server.services.db, sql`update passkey_challenges set expires_at = expires_at - interval '5 minutes'`)
    expect(await own.ask('login', { passkey: late })).toBeRefusal('passkey.too_late')
  })

  test.each([
    ['another site', { origin: 'https://office.example.evil.example' }],
    ['another port', { origin: 'https://office.example:8443' }],
    ['another of our sites', { origin: 'https://members.example' }],
    ['plain http', { origin: 'http://office.example' }],
    ['a passkey of another host', { host: 'evil.example' }],
    ['a passkey of the host above', { host: 'example' }],
    ['a page in a frame of another site', { crossOrigin: true }],
    ['nobody unlocked it', { flags: 0x01 }],
    ['nobody was there', { flags: 0x04 }],
    ['a registration instead of a signature', { type: 'webauthn.create' }],
    ['another key', { otherKey: newKey().privateKey }],
    [
      'an altered signature',
      {
        after: (a: SignedPasskey) => ({ ...a, response: { ...a.response, signature: flipped(a.response.signature) } }),
      },
    ],
    [
      'altered data',
      {
        after: (a: SignedPasskey) => ({
          ...a,
          response: { ...a.response, authenticatorData: flipped(a.response.authenticatorData) },
        }),
      },
    ],
  ])('is refused: %s', async (_, bent) => {
    const person = await agent()
    const { passkey } = await withPasskey(server, person)
    expect(await signIn(passkey, 'office', bent)).toBeRefusal('passkey.wrong')
    expect((await signIn(passkey)).code).toBe(OK)
    const row = await one(
      server.services.db,
      sql`select facts from audit_log where kind = 'sign_in_failed' and target_id = ${person.id}`,
    )
    expect(row).toEqual({ facts: { step: 'passkey' } })
  })

  test('is refused with a challenge of the client’s own, or of another purpose', async () => {
    const person = await agent()
    const { passkey } = await withPasskey(server, person)
    expect(await signIn(passkey, 'office', { challenge: 'A'.repeat(43) })).toBeRefusal('passkey.too_late')
    const own = browser(server, ORIGIN)
    const proof = (await askFrom(server, person, 'passkey/beginProof', {})).data as Answer<'passkey/beginProof'>
    expect(await own.ask('login', { passkey: passkey.assert(proof) })).toBeRefusal('passkey.too_late')
    const begun = (await own.ask('passkey/begin', {})).data as Answer<'passkey/begin'>
    expect(await askFrom(server, person, 'passkey/prove', { passkey: passkey.assert(begun) })).toBeRefusal(
      'passkey.too_late',
    )
  })

  test('with a counter that goes back, the passkey is refused and marked as copied', async () => {
    const person = await agent()
    const { passkey } = await withPasskey(server, person)
    expect((await signIn(passkey, 'office', { counter: 7 })).code).toBe(OK)
    for (const counter of [7, 6, 0]) expect(await signIn(passkey, 'office', { counter })).toBeRefusal('passkey.wrong')
    expect((await listOf(person)).data).toMatchObject([{ copied: true }])
    const steps = await many(
      server.services.db,
      sql`select facts from audit_log where kind = 'sign_in_failed' and target_id = ${person.id}`,
    )
    expect(steps).toEqual(Array.from({ length: 3 }, () => ({ facts: { step: 'passkey_copy' } })))
    expect((await signIn(passkey, 'office', { counter: 8 })).code).toBe(OK)
  })
})

type SignedPasskey = ReturnType<SoftwarePasskey['assert']>
const flipped = (text: string) => {
  const bytes = Buffer.from(text, 'base64url')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  return bytes.toString('base64url')
}

describe('[PASS-01] the address of the page', () => {
  const begin = (origin: string) => askFrom(server, undefined, 'passkey/begin', {}, origin)

  test('is one of the configured ones, each with its own passkeys', async () => {
    expect((await begin(ORIGIN)).data).toMatchObject({ rpId: 'office.example' })
    expect((await begin('https://members.example')).data).toMatchObject({ rpId: 'members.example' })
    const person = await agent()
    const { passkey } = await withPasskey(server, person)
    const own = browser(server, 'https://members.example')
    const options = (await own.ask('passkey/begin', {})).data as Answer<'passkey/begin'>
    const bent = { origin: 'https://members.example', host: 'members.example' }
    expect(await own.ask('login', { passkey: passkey.assert(options, bent) })).toBeRefusal('passkey.wrong')
  })

  test.each([
    ['https://evil.example', 'passkey.not_here'],
    ['https://office.example:444', 'passkey.not_here'],
    ['http://localhost:3000', 'passkey.not_here'],
    ['null', 'passkey.not_here'],
    ['http://192.168.1.5:3000', 'passkey.needs_name'],
    ['http://[::1]:3000', 'passkey.needs_name'],
  ])('%s is refused: %s', async (origin, refusal) => {
    expect((await begin(origin)).refusal).toBe(refusal)
    const person = await agent()
    const here = (await askFrom(server, person, 'passkey/list', {}, origin)).data as Answer<'passkey/list'>
    expect(`passkey.${here.here}`).toBe(refusal)
  })

  test('without a configured one is localhost', async () => {
    const plain = await startTestServer()
    const at = (origin: string) => askFrom(plain, undefined, 'passkey/begin', {}, origin)
    expect((await at('http://localhost:3000')).data).toMatchObject({ rpId: 'localhost' })
    expect((await at(ORIGIN)).refusal).toBe('passkey.not_here')
  })

  const configAt = async ({ address }: TestServer, host: string) => {
    const asked = get(`${address}/config.json`, { headers: { host } })
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return (await json(answer)) as { passkeys: boolean; passkey_sign_in: boolean }
  }

  test('decides whether the pages offer passkeys', async () => {
    const hosts = ['office.example', 'members.example', 'evil.example', '127.0.0.1:3000']
    const found = await Promise.all(hosts.map((host) => configAt(server, host)))
    expect(found.map(({ passkeys }) => passkeys)).toEqual([true, true, false, false])
  })

  test('[FIRST-01] the sign-in offers passkeys once somebody has one', async () => {
    const fresh = await startTestServer(passkeyEnv, undefined, await freshDatabase())
    expect(await configAt(fresh, 'office.example')).toMatchObject({ passkeys: true, passkey_sign_in: false })
    await withPasskey(fresh, (await fresh.family()).agent)
    expect(await configAt(fresh, 'office.example')).toMatchObject({ passkeys: true, passkey_sign_in: true })
    expect(await configAt(fresh, 'evil.example')).toMatchObject({ passkey_sign_in: false })
  })
})

describe('[PASS-01] [AUTH-05] a passkey as the second factor', () => {
  const first = (person: Person) => {
    const own = browser(server, ORIGIN)
    return { own, login: (more = {}) => own.ask('login', { username: person.username, password: PASSWORD, ...more }) }
  }

  test('is asked for after the right password, and opens the sign-in', async () => {
    const person = await agent()
    const { passkey } = await withPasskey(server, person)
    const { own, login } = first(person)
    expect(await login({ password: 'wrong12' })).toBeRefusal('session.wrong_login')
    expect(await login()).toMatchObject({ refusal: 'session.needs_passkey', data: { mobile: '', passkey: true } })
    const options = (await own.ask('passkey/beginStep', { username: person.username })).data as Answer<'passkey/begin'>
    expect(options.allowCredentials.map(({ id }) => id)).toEqual([passkey.id])
    const step = { username: person.username, passkey: passkey.assert(options) }
    const proved = (await own.ask('passkey/finishStep', step)).data as { auth_done: string }
    expect(await own.ask('passkey/finishStep', step)).toBeRefusal('passkey.too_late')
    expect((await login({ auth_done: proved.auth_done })).code).toBe(OK)
  })

  test('works beside an authenticator, and a recovery code works instead', async () => {
    const person = await agent()
    const { recovery } = await withAuthenticator(server, person)
    await withPasskey(server, person, { code: recovery[0] ?? '' })
    const { own, login } = first(person)
    expect(await login()).toMatchObject({ refusal: 'session.needs_authenticator', data: { passkey: true } })
    const proved = await own.ask('googleAuth', { username: person.username, secret: recovery[1] ?? '' })
    expect((await login({ auth_done: (proved.data as { auth_done: string }).auth_done })).code).toBe(OK)
  })

  test('is no second step for a member, who could not be let in again', async () => {
    const { member } = await server.family()
    await withPasskey(server, member)
    const reply = await browser(server, ORIGIN).ask('login', {
      username: member.username,
      password: PASSWORD,
      face: 'member',
    })
    expect(reply.code).toBe(OK)
  })

  test('is refused: another account’s, another sign-in’s, or without a right password before', async () => {
    const [person, other] = [await agent(), await agent()]
    const [mine, theirs] = [await withPasskey(server, person), await withPasskey(server, other)]
    const { own, login } = first(person)
    const name = { username: person.username }
    expect(await own.ask('passkey/beginStep', name)).toBeRefusal('code.no_sign_in')
    await login()
    const begin = async () => (await own.ask('passkey/beginStep', name)).data as Answer<'passkey/begin'>
    expect(await own.ask('passkey/finishStep', { ...name, passkey: theirs.passkey.assert(await begin()) })).toBeRefusal(
      'passkey.wrong',
    )
    const elsewhere = first(person)
    await elsewhere.login()
    const assertion = mine.passkey.assert(await begin())
    expect(await elsewhere.own.ask('passkey/finishStep', { ...name, passkey: assertion })).toBeRefusal(
      'passkey.too_late',
    )
    expect((await own.ask('passkey/finishStep', { ...name, passkey: assertion })).code).toBe(OK)
  })
})
