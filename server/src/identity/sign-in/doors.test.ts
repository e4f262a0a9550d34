import { randomUUID } from 'node:crypto'
import { type Answer, OK } from '@tallyroom/contract'
import { beforeAll, expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { PASSWORD, type Person, type Reply, type TestServer, startTestServer } from '../../testing/app.ts'
import { askFrom, HOST, ORIGIN, passkeyEnv, type SoftwarePasskey, withPasskey } from '../../testing/fakes/passkey.ts'
import { bare, browser, socketWith, withAuthenticator, withPhone } from '../../testing/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(passkeyEnv)
})

type Passkeys = { other: SoftwarePasskey; otherPerson: Person }
/** Somebody who knows the password and has no second factor of the account, at one door. `true`: it is open. */
type Door = (person: Person, value: string, passkeys: Passkeys) => Promise<boolean>

const right = ({ username }: Person) => ({ username, password: PASSWORD })
const isOpen = ({ code }: Reply) => code === OK
/** A browser whose sign-in waits for its second factor. */
const waiting = async (person: Person) => {
  const own = browser(server, ORIGIN)
  const { challenge } = (await own.ask('login', right(person))).data as { challenge: string }
  return { own, challenge }
}
const optionsOf = (reply: Reply) => reply.data as Answer<'passkey/begin'>

/** The 15 doors of a session, and what an attacker puts into each. */
const doors: Record<string, Door> = {
  'login with auth_done': async (person, auth_done) =>
    isOpen(await (await waiting(person)).own.ask('login', { ...right(person), auth_done })),
  'login with auth_done, without cookies': async (person, auth_done) =>
    isOpen(await bare(server)('login', { ...right(person), auth_done })),
  'login with a name for an agent login': async (person, auth_done) =>
    isOpen(await bare(server)('login', { ...right(person), auth_done, agent_username: person.username })),
  'agent login': async (person, value) =>
    isOpen(
      await bare(server)('login', {
        ...right(person),
        agent_token: value || '-',
        agent_username: person.username,
        auth_done: value,
      }),
    ),
  landing: async (person, value) =>
    isOpen(await bare(server)('login', { ...right(person), landing_token: value || '-', auth_done: value })),
  'the other face': async (person, auth_done) =>
    isOpen(await bare(server)('login', { ...right(person), face: 'member', auth_done })),
  'a chosen password': async (person, auth_done) =>
    isOpen(
      await bare(server)('login', {
        ...right(person),
        auth_done,
        new_password: 'other123',
        new_password_confirmation: 'other123',
      }),
    ),
  'sign-in by passkey': async (person, value, passkeys) => {
    const own = browser(server, ORIGIN)
    await own.ask('passkey/begin', {})
    return isOpen(
      await own.ask('login', { ...right(person), passkey: passkeys.other.assert({ challenge: value || 'A' }) }),
    )
  },
  'a passkey of the second step as a sign-in': async (person, _, passkeys) => {
    const { own } = await waiting(person)
    const begun = await own.ask('passkey/beginStep', { username: person.username })
    if (!isOpen(begun)) return false
    return isOpen(await own.ask('login', { ...right(person), passkey: passkeys.other.assert(optionsOf(begun)) }))
  },
  'the second step by another account’s passkey': async (person, value, passkeys) => {
    const { own } = await waiting(person)
    const begun = await own.ask('passkey/beginStep', { username: person.username })
    const challenge = isOpen(begun) ? optionsOf(begun).challenge : value || 'A'
    const passkey = passkeys.other.assert({ challenge })
    return isOpen(await own.ask('passkey/finishStep', { username: person.username, passkey }))
  },
  'the second step with a challenge of another sign-in': async (person, _, passkeys) => {
    const { own } = await waiting(person)
    const elsewhere = await waiting(passkeys.otherPerson)
    const begun = await elsewhere.own.ask('passkey/beginStep', { username: passkeys.otherPerson.username })
    const passkey = passkeys.other.assert(optionsOf(begun))
    return isOpen(await own.ask('passkey/finishStep', { username: person.username, passkey }))
  },
  'a code of the authenticator': async (person, secret) => {
    await run(server.services.db, sql`delete from sign_in_tries`)
    return isOpen(await (await waiting(person)).own.ask('googleAuth', { username: person.username, secret }))
  },
  'a code from an SMS': async (person, token) => {
    await run(server.services.db, sql`delete from sign_in_tries`)
    const given = token.slice(0, 20)
    return isOpen(
      await (await waiting(person)).own.ask('checkValidateCode', { username: person.username, token: given }),
    )
  },
  'a call with what the first step gave': async (person, value) => {
    const { own, challenge } = await waiting(person)
    return isOpen(await own.ask('user/view', {}, value || challenge))
  },
  'the socket with what the first step gave': async (person, value) => {
    const { own, challenge } = await waiting(person)
    return (await socketWith(server, value || challenge, own.jar)) === 'open'
  },
}

test('[S8] [PASS-01] 15 doors, five kinds of second factor: the password alone opens none', async () => {
  expect(Object.keys(doors)).toHaveLength(15)
  const agent = async () => (await server.family()).agent
  const other = await agent()
  const foreign = (await withPasskey(server, other)).passkey
  const authenticator = await agent()
  await withAuthenticator(server, authenticator)
  const phone = await agent()
  await withPhone(server, phone)
  const both = await agent()
  const { recovery } = await withAuthenticator(server, both)
  await withPhone(server, both, recovery[0])
  const passkey = await agent()
  await withPasskey(server, passkey)
  const all = await agent()
  const known = await withAuthenticator(server, all)
  await withPasskey(server, all, { code: known.recovery[0] ?? '' })
  const people = { authenticator, phone, both, passkey, all }
  // A challenge that was signed before, for another purpose.
  const proof = optionsOf(await askFrom(server, other, 'passkey/beginProof', {})).challenge
  const values = ['', '-', 'true', '000000', randomUUID(), proof, other.token.slice(0, 40), HOST]
  const before = await sessionsOf(Object.values(people))
  const open: string[] = []
  let cases = 0
  for (const [kind, person] of Object.entries(people))
    for (const [name, door] of Object.entries(doors))
      for (const value of values) {
        cases++
        if (await door(person, value, { other: foreign, otherPerson: other }))
          open.push(`${kind}: ${name} with "${value}"`)
      }
  expect(cases).toBe(600)
  expect(open).toEqual([])
  expect(await sessionsOf(Object.values(people))).toEqual(before)
}, 120_000)

const sessionsOf = (people: readonly Person[]) =>
  one(
    server.services.db,
    sql`select count(*)::int as n from sessions where account_id = any(${people.map(({ id }) => id)})`,
  )
