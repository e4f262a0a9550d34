import { type Answer, OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { many, run, sql } from '../../data/sql.ts'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import {
  askFrom,
  passkeyEnv,
  type SoftwarePasskey,
  signInWith,
  softwarePasskey,
  withPasskey,
} from '../../testing/fakes/passkey.ts'
import { bare } from '../../testing/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(passkeyEnv)
})

const agent = async () => (await server.family()).agent
const listOf = async (person: Person) =>
  (await askFrom(server, person, 'passkey/list', {})).data as Answer<'passkey/list'>
const signIn = (passkey: SoftwarePasskey) => signInWith(server, passkey)

describe('[PASS-01] the passkeys of an account', () => {
  test('several with names and last use, renamed and removed; the first comes with recovery codes', async () => {
    const person = await agent()
    expect(await listOf(person)).toEqual({ data: [], here: 'yes' })
    const first = await withPasskey(server, person, { name: 'Laptop' })
    expect(first.recovery_codes).toHaveLength(10)
    const second = await withPasskey(server, person, { name: 'Phone', code: first.recovery_codes[0] ?? '' })
    expect(second.recovery_codes).toEqual([])
    expect((await signIn(second.passkey)).code).toBe(OK)
    await person.call('passkey/rename', { id: first.id, name: 'Old laptop' })
    const { data } = await listOf(person)
    expect(data).toMatchObject([
      { id: first.id, name: 'Old laptop', host: 'office.example', used_at: null, copied: false },
      { id: second.id, name: 'Phone', used_at: expect.stringMatching(/^\d{4}-/) },
    ])
    const remove = { id: second.id, password: PASSWORD, code: first.recovery_codes[1] ?? '' }
    expect((await person.ask('passkey/remove', remove)).code).toBe(OK)
    expect(await signIn(second.passkey)).toBeRefusal('passkey.wrong')
    expect(await person.call('factor/view', {})).toMatchObject({ passkeys: 1, recovery_codes: 8 })
  })

  test('of an office account change only with the password and the second factor', async () => {
    const person = await agent()
    const { passkey, id, recovery_codes } = await withPasskey(server, person)
    const begin = (input: object) => askFrom(server, person, 'passkey/beginAdd', input)
    expect(await begin({})).toBeRefusal('session.needs_password')
    expect(await begin({ password: 'wrong12' })).toBeRefusal('session.wrong_password')
    expect(await begin({ password: PASSWORD })).toBeRefusal('code.wrong')
    expect(await person.ask('passkey/remove', { id, password: PASSWORD })).toBeRefusal('code.wrong')
    expect(await person.ask('factor/begin', { password: PASSWORD })).toBeRefusal('code.wrong')
    // The passkey itself proves it, once and in this session only.
    const prove = async () => {
      const options = (await askFrom(server, person, 'passkey/beginProof', {})).data as Answer<'passkey/beginProof'>
      expect(options.allowCredentials.map((one) => one.id)).toEqual([passkey.id])
      const proved = await askFrom(server, person, 'passkey/prove', { passkey: passkey.assert(options) })
      return (proved.data as Answer<'passkey/prove'>).code
    }
    const code = await prove()
    const other = (await signIn(passkey)).data as Answer<'login'>
    const elsewhere = { ...person, token: other.token }
    expect((await askFrom(server, elsewhere, 'passkey/beginAdd', { password: PASSWORD, code })).code).not.toBe(OK)
    expect((await begin({ password: PASSWORD, code })).code).toBe(OK)
    expect(await begin({ password: PASSWORD, code })).toBeRefusal('code.wrong')
    expect((await person.ask('passkey/remove', { id, password: PASSWORD, code: await prove() })).code).toBe(OK)
    // Without a second factor its recovery codes are worth nothing.
    expect(await person.call('factor/view', {})).toMatchObject({ passkeys: 0, recovery_codes: 0 })
    expect(recovery_codes).toHaveLength(10)
  })

  test('of a member need a fresh sign-in or the password, and no recovery codes', async () => {
    const { member } = await server.family()
    const begin = (input: object) => askFrom(server, member, 'passkey/beginAdd', input)
    expect((await begin({})).code).toBe(OK)
    await run(
      server.services.db,
      sql`update sessions set created_at = now() - interval '11 minutes' where account_id = ${member.id}`,
    )
    expect(await begin({})).toBeRefusal('session.needs_password')
    expect(await begin({ password: 'wrong12' })).toBeRefusal('session.wrong_password')
    const { recovery_codes, id } = await withPasskey(server, member)
    expect(recovery_codes).toEqual([])
    expect(await member.ask('passkey/remove', { id })).toBeRefusal('session.needs_password')
    expect((await member.ask('passkey/remove', { id, password: PASSWORD })).code).toBe(OK)
  })

  test('are at most twenty', async () => {
    const { member } = await server.family()
    await run(
      server.services.db,
      sql`insert into passkeys (account_id, top_id, credential_id, host, public_key, counter, transports, name)
        select ${member.id}, 0, 'full' || n, 'office.example', '', 0, '{}', 'x' from generate_series(1, 20) n`,
    )
    expect(await askFrom(server, member, 'passkey/beginAdd', {})).toBeRefusal('passkey.too_many')
  })

  test('[S28] are in the audit log, and the other devices get a notice', async () => {
    const { agent: person } = await server.family()
    // First: the own devices also hear of a sign-in on a new one.
    const phone = server.here({ ...person, token: (await unboundSession(person)).token })
    const heard: unknown[] = []
    const ownSocket = await person.socket()
    ownSocket.on('security', () => heard.push('own session'))
    const socket = await phone.socket()
    const told = new Promise((resolve) => socket.on('security', resolve))
    const { id, recovery_codes } = await withPasskey(server, person, { name: 'Laptop' })
    expect(await told).toMatchObject({ kind: 'passkey_added', address: '127.0.0.1' })
    const removed = new Promise((resolve) => socket.on('security', resolve))
    await person.call('passkey/remove', { id, password: PASSWORD, code: recovery_codes[0] ?? '' })
    expect(await removed).toMatchObject({ kind: 'passkey_removed' })
    expect(heard).toEqual([])
    const { data } = await phone.call('security/list', {})
    expect(data.map(({ kind }) => kind)).toEqual(['passkey_removed', 'passkey_added', 'new_device'])
    const rows = await many<{ kind: string; facts: object }>(
      server.services.db,
      sql`select kind, facts from audit_log where target_id = ${person.id} and kind like 'passkey%' order by id`,
    )
    expect(rows).toEqual([
      { kind: 'passkey_added', facts: { passkey: 'Laptop', host: 'office.example' } },
      { kind: 'passkey_removed', facts: { passkey: 'Laptop', host: 'office.example' } },
    ])
  })

  const unboundSession = async ({ username }: Person) =>
    (await bare(server)('login', { username, password: PASSWORD })).data as Answer<'login'>
})

describe('[PASS-01] a new passkey', () => {
  const adding = async () => {
    const person = await agent()
    const options = (await askFrom(server, person, 'passkey/beginAdd', { password: PASSWORD }))
      .data as Answer<'passkey/beginAdd'>
    return { person, options }
  }
  const add = (person: Person, passkey: ReturnType<SoftwarePasskey['create']>) =>
    askFrom(server, person, 'passkey/add', { passkey, name: 'Phone' })

  test.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another host', { host: 'evil.example' }],
    ['that nobody unlocked', { flags: 0x01 }],
    ['made in a frame', { crossOrigin: true }],
    ['that is a signature', { type: 'webauthn.get' }],
  ])('%s is refused', async (_, bent) => {
    const { person, options } = await adding()
    expect(await add(person, softwarePasskey().create(options, bent))).toBeRefusal('passkey.wrong')
    expect((await listOf(person)).data).toEqual([])
  })

  test('works for one challenge of the same session, and belongs to one account', async () => {
    const { person, options } = await adding()
    const other = await adding()
    const passkey = softwarePasskey()
    expect(await add(other.person, passkey.create(options))).toBeRefusal('passkey.too_late')
    expect((await add(person, passkey.create(options))).code).toBe(OK)
    expect(await add(person, passkey.create(options))).toBeRefusal('passkey.too_late')
    // Its id is taken: another account cannot put its own key under it.
    expect(await add(other.person, passkey.create(other.options))).toBeRefusal('passkey.wrong')
    expect((await signIn(passkey)).data).toMatchObject({ id: person.id })
  })

  test('is asked for as one that its user unlocks, and not of a device that has one', async () => {
    const { person, options } = await adding()
    expect(options).toMatchObject({
      rp: { id: 'office.example' },
      user: { name: person.username },
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(options.user.id).not.toContain(person.username)
    const { passkey, recovery_codes } = await withPasskey(server, person)
    const again = (
      await askFrom(server, person, 'passkey/beginAdd', { password: PASSWORD, code: recovery_codes[0] ?? '' })
    ).data as Answer<'passkey/beginAdd'>
    expect(again.excludeCredentials.map(({ id }) => id)).toEqual([passkey.id])
    expect(again.user.id).toBe(options.user.id)
  })
})
