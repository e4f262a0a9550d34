import { errors, OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { type Outcome, outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
const payment = (word: string, password = PASSWORD) => ({
  password,
  payment_password: word,
  payment_password_confirmation: word,
})
const setPassword = (who: Person, password: string, more: object = {}) =>
  who.ask('user/edit', { id: who.id, password, password_confirmation: password, ...more })

describe('[W20] payment password and sign-in password', () => {
  test('neither may equal the other', async () => {
    const { agent } = await server.family()
    const same = {
      refusal: 'account.passwords_same',
      message: expect.stringContaining('must differ from your sign-in password'),
    }
    expect(await agent.ask('user/paymentPassword', payment(PASSWORD))).toMatchObject(same)
    await agent.call('user/paymentPassword', payment('pay123'))
    expect(await setPassword(agent, 'pay123')).toMatchObject(same)
    expect((await setPassword(agent, 'other12')).code).toBe(OK)
    expect(await agent.ask('user/paymentPassword', payment('other12', 'other12'))).toBeRefusal('account.passwords_same')
    await agent.call('user/paymentPassword', payment('', 'other12'))
    expect((await setPassword(agent, 'pay123')).code).toBe(OK)
  })

  test('[TRF-06] a wrong sign-in password is named as such when the payment password is set', async () => {
    const { agent } = await server.family()
    expect(await agent.ask('user/paymentPassword', payment('pay123', 'wrong1'))).toMatchObject({
      code: errors['session.wrong_password'],
      refusal: 'session.wrong_password',
      message: 'The password is wrong.',
    })
    expect((await agent.call('user/view', {})).has_payment_password).toBe(false)
  })

  test('an upline learns nothing about it, and trying new passwords does not guess it', async () => {
    const { agent, cs } = await server.family()
    await cs.call('user/paymentPassword', payment('pay123'))
    const guess = (password: string) => agent.ask('user/edit', { id: cs.id, password, password_confirmation: password })
    expect([outcomeOf(await guess('pay123')), outcomeOf(await guess('pay124'))]).toEqual(['done', 'done'])
    await agent.call('user/paymentPassword', payment('pay123'))
    const codes: Outcome[] = []
    for (let n = 0; n < 7; n++) codes.push(outcomeOf(await setPassword(agent, `guess${n}`)))
    expect(codes).toEqual(['done', 'done', 'done', 'done', 'done', 'request.too_often', 'request.too_often'])
  })
})

const signal = () => {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

test('[S9] one session that checks its password repeatedly does not block others', async () => {
  const { db } = server.services
  const [busy, other] = [await server.family(), await server.family()]
  const [released, locked, refused] = [signal(), signal(), signal()]
  // While this lock is held, every started password check waits.
  const locking = db.transact(async (tx) => {
    await run(tx, sql`lock table sign_in_tries in access exclusive mode`)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  const asked = Array.from({ length: 8 }, () => busy.agent.ask('user/paymentPassword', payment('pay123', 'wrong1')))
  let count = 0
  for (const one of asked) void one.then(() => ++count === 4 && refused.resolve())
  await refused.promise
  const theirs = other.agent.ask('user/paymentPassword', payment('pay123'))
  const bothWait = async () => {
    const waiting = "select count(*)::int as n from pg_locks where relation = 'sign_in_tries'::regclass and not granted"
    while ((await db.query<{ n: number }>(waiting, []))[0]?.n !== 2);
  }
  await Promise.race([theirs, bothWait()])
  released.resolve()
  await locking
  expect((await theirs).code).toBe(OK)
  expect((await Promise.all(asked)).filter(({ refusal }) => refusal === 'server.busy')).toHaveLength(7)
})
