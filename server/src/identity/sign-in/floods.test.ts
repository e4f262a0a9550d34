import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { networkOf } from '../../lib/address.ts'
import { many, one, run, sql } from '../../data/sql.ts'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { bare, browser, caughtSms, minutesPass, withPhone } from '../../testing/sign-in.ts'
import { auditFailure, auditRest } from './failures.ts'
import { type Outcome, outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

describe('failed sign-ins', () => {
  const caller = {
    address: '10.0.0.1',
    network: networkOf('10.0.0.1'),
    userAgent: '',
    language: 'en',
    secure: false,
    wantsBound: false,
    callId: 'test',
  } as const
  const rowsOf = (id: number | null) =>
    many<{ facts: object }>(
      server.services.db,
      sql`select facts from audit_log where kind = 'sign_in_failed' and target_id is not distinct from ${id} order by id`,
    )
  const hourPasses = () => run(server.services.db, sql`update failed_sign_ins set hour = hour - interval '1 hour'`)

  test('[S28] a flood of them makes a few rows, and one with the number of the rest', async () => {
    const { db } = server.services
    const { agent, cs } = await server.family()
    const account = await one<{ id: number; topId: number }>(
      db,
      sql`select id, top_id as "topId" from accounts where id = ${agent.id}`,
    )
    await Promise.all(Array.from({ length: 200 }, () => auditFailure(db, caller, account, 'password')))
    await Promise.all(Array.from({ length: 300 }, () => auditFailure(db, caller, undefined, 'password')))
    await bare(server)('login', { username: cs.username, password: 'wrong' })
    expect([(await rowsOf(agent.id)).length, (await rowsOf(null)).length]).toEqual([5, 50])
    await auditRest(db)
    expect((await rowsOf(agent.id)).length).toBe(5)
    await hourPasses()
    await Promise.all([auditRest(db), auditRest(db), auditRest(db)])
    expect((await rowsOf(agent.id)).slice(5)).toEqual([{ facts: { more: 195 } }])
    expect((await rowsOf(null)).slice(50)).toEqual([{ facts: { more: 250 } }])
    expect(await rowsOf(cs.id)).toEqual([{ facts: { step: 'password' } }])
    // The next hour starts again.
    await auditFailure(db, caller, account, 'password')
    expect((await rowsOf(agent.id)).length).toBe(7)
  })
})

describe('codes by SMS', () => {
  const withPhones = async (tested: TestServer, count: number) => {
    const people: Person[] = []
    for (let n = 0; n < count; n++) {
      const { agent } = await tested.family()
      await withPhone(tested, agent)
      people.push(agent)
      // The codes that set them up are more than an hour old.
      await run(tested.services.db, sql`update sms_codes set sent_at = sent_at - interval '2 hours'`)
    }
    return people
  }
  const send = async (tested: TestServer, person: Person, address: string) => {
    const ask = async <N extends 'login' | 'sendValidateCode'>(name: N, input: object) =>
      (await tested.post(name, tested.wire.seal(name, input), { 'x-forwarded-for': address })).reply
    const { data } = await ask('login', { username: person.username, password: PASSWORD })
    const { challenge, mobile } = data as { challenge: string; mobile: string }
    return ask('sendValidateCode', { username: person.username, mobile, challenge })
  }

  test('[S9] an address gets at most its hourly share, and all together at most the total', async () => {
    const env = { TRUSTED_PROXIES: '1', SMS_PER_HOUR: '5', SMS_PER_HOUR_OF_ADDRESS: '3' }
    const tested = await startTestServer(env)
    const people = await withPhones(tested, 8)
    const sms = caughtSms(tested)
    const at = (address: string, some: Person[]) =>
      Promise.all(some.map(async (person) => outcomeOf(await send(tested, person, address))))
    expect((await at('10.1.1.1', people.slice(0, 4))).toSorted()).toEqual(['code.too_many', 'done', 'done', 'done'])
    expect((await at('10.1.1.2', people.slice(4, 7))).toSorted()).toEqual(['code.too_many', 'done', 'done'])
    const spent = await send(tested, people[7] as Person, '10.1.1.3')
    expect(spent).toMatchObject({ refusal: 'code.too_many', message: expect.stringContaining('use a recovery code') })
    expect(sms.sent).toHaveLength(5)
    for (const { id } of people) await minutesPass(tested, id, 60)
    expect((await send(tested, people[7] as Person, '10.1.1.1')).code).toBe(OK)
  })

  const numbered = async (tested: TestServer, count: number) =>
    (await withPhones(tested, count)).map((person) => person.username)
  const begin = (tested: TestServer, username: string, address: string) =>
    tested.post('recovery/begin', tested.wire.seal('recovery/begin', { username, face: 'office' }), {
      'x-forwarded-for': address,
    })
  /** The answer to a stranger does not wait for its SMS. */
  const settled = (tested: TestServer) => expect.poll(() => tested.services.db.connections().used).toBe(0)

  test('[S9] strangers who forget a password for somebody leave three codes of the day for sign-ins', async () => {
    const tested = await startTestServer({ TRUSTED_PROXIES: '1', SMS_URL: 'https://sms.example' })
    const [person] = await withPhones(tested, 1)
    if (!person) throw new Error('nobody')
    await minutesPass(tested, person.id, 24 * 60)
    const sms = caughtSms(tested)
    for (let n = 0; n < 8; n++) {
      await begin(tested, person.username, `10.7.${n}.1`)
      await settled(tested)
      await minutesPass(tested, person.id, 60)
    }
    expect(sms.sent).toHaveLength(2)
    // A code that a stranger asked for a moment ago delays none for a sign-in.
    await begin(tested, person.username, '10.7.9.1')
    for (let n = 0; n < 3; n++) {
      expect((await send(tested, person, `10.8.${n}.1`)).code).toBe(OK)
      await minutesPass(tested, person.id, 2)
    }
    expect(await send(tested, person, '10.8.9.1')).toBeRefusal('request.too_often')
    expect(sms.sent).toHaveLength(5)
  })

  test('[S9] strangers get a third of the hourly budget, and half of that of an address', async () => {
    const env = { TRUSTED_PROXIES: '1', SMS_PER_HOUR: '12', SMS_PER_HOUR_OF_ADDRESS: '4' }
    const tested = await startTestServer({ ...env, SMS_URL: 'https://sms.example' })
    const names = await numbered(tested, 9)
    const waiting = await withPhones(tested, 1)
    const sms = caughtSms(tested)
    for (const [n, name] of names.entries()) {
      await begin(tested, name, n < 4 ? '10.9.0.1' : `10.9.${n}.1`)
      await settled(tested)
      if (n === 3) expect(sms.sent).toHaveLength(2)
    }
    expect(sms.sent).toHaveLength(4)
    for (const person of waiting) expect((await send(tested, person, '10.9.0.1')).code).toBe(OK)
  })

  test('[S9] two copies count the hour together', async () => {
    const env = { SMS_PER_HOUR_OF_ADDRESS: '2' }
    const [first, second] = [await startTestServer(env), await startTestServer(env)]
    const people = await withPhones(first, 4)
    caughtSms(first)
    caughtSms(second)
    const codes: Outcome[] = []
    for (const [n, person] of people.entries()) {
      const { ask } = browser(n % 2 ? first : second)
      const { data } = await ask('login', { username: person.username, password: PASSWORD })
      const { mobile } = data as { mobile: string }
      codes.push(outcomeOf(await ask('sendValidateCode', { username: person.username, mobile })))
    }
    expect(codes).toEqual(['done', 'done', 'code.too_many', 'code.too_many'])
  })
})
