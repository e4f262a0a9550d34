import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { bare, browser, minutesPass } from '../../testing/sign-in.ts'
import { type Outcome, outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
let second: TestServer
beforeAll(async () => {
  server = await startTestServer({ TRUSTED_PROXIES: '1' })
  second = await startTestServer({ TRUSTED_PROXIES: '1' })
})

let guesses = 0
/** A guess from an address of its own, sent to one of two copies. */
const guess = async (username: string, at = guesses % 2 ? server : second) => {
  guesses++
  const address = `10.${guesses >> 8}.${guesses & 255}.1`
  const body = server.wire.seal('login', { username, password: `wrong${guesses}` })
  return (await at.post('login', body, { 'x-forwarded-for': address })).reply
}
const secondsOf = (data: unknown) => (data as { seconds: number }).seconds

/** Guesses as fast as allowed, and returns how many guesses of a day were checked. */
const guessForADay = async (username: string, accountId: number) => {
  let judged = 0
  for (let minute = 0; minute < 24 * 60; ) {
    const { refusal, data } = await guess(username)
    if (refusal === 'session.wrong_login') judged++
    else {
      expect(refusal).toBe('request.too_often')
      const minutes = Math.ceil(secondsOf(data) / 60)
      minute += minutes
      await minutesPass(server, accountId, minutes)
    }
  }
  return judged
}

const signIn = (person: Person) => ({ username: person.username, password: PASSWORD })

describe('guessing', () => {
  test('[S9] [S29] at most 34 guesses a day are checked, from anywhere, at two copies, on each of two days', async () => {
    const { agent } = await server.family()
    const known = browser(server)
    expect((await known.ask('login', signIn(agent))).code).toBe(OK)
    const [first, next] = [await guessForADay(agent.username, agent.id), await guessForADay(agent.username, agent.id)]
    expect(first).toBeLessThanOrEqual(34)
    expect(next).toBeLessThanOrEqual(34)
    await guess(agent.username)
    // Now even the right password has to wait, except on a device where the owner has signed in before.
    expect(await bare(server)('login', signIn(agent))).toBeRefusal('request.too_often')
    expect((await known.ask('login', signIn(agent))).code).toBe(OK)
  }, 60_000)

  test('[S9] many at once count like one after another', async () => {
    const { agent } = await server.family()
    const codes = await Promise.all(Array.from({ length: 40 }, async () => outcomeOf(await guess(agent.username))))
    expect(codes.filter((code) => code === 'session.wrong_login')).toHaveLength(5)
    expect(codes.filter((code) => code === 'request.too_often')).toHaveLength(35)
  })

  test("[S9] the owner's own sign-ins give a stranger no new guesses", async () => {
    const { agent } = await server.family()
    for (let n = 0; n < 4; n++) {
      expect(await guess(agent.username)).toBeRefusal('session.wrong_login')
      expect((await bare(server)('login', signIn(agent))).code).toBe(OK)
    }
    expect(await guess(agent.username)).toBeRefusal('session.wrong_login')
    expect(await guess(agent.username)).toBeRefusal('request.too_often')
  })

  test('the owner may sign in many times at once', async () => {
    const { agent } = await server.family()
    const replies = await Promise.all(Array.from({ length: 12 }, () => bare(server)('login', signIn(agent))))
    expect(replies.filter(({ code }) => code !== OK)).toEqual([])
  })

  test('[S10] unknown and frozen accounts wait like others', async () => {
    const { agent, cs } = await server.family()
    await agent.call('user/delete', { id: cs.id })
    for (const username of [agent.username, cs.username, 'nobody42']) {
      const replies = []
      for (let n = 0; n < 6; n++) replies.push(await guess(username))
      expect(replies.map(outcomeOf)).toEqual([
        'session.wrong_login',
        'session.wrong_login',
        'session.wrong_login',
        'session.wrong_login',
        'session.wrong_login',
        'request.too_often',
      ])
      expect(replies[5]).toMatchObject({ message: 'Too many attempts. Wait a moment and try again.' })
    }
  })

  test('[S9] a known device has its own count for its account only', async () => {
    const { agent, cs } = await server.family()
    const known = browser(server)
    await known.ask('login', signIn(agent))
    const wrong = { username: agent.username, password: 'wrong' }
    for (let n = 0; n < 5; n++) expect(await known.ask('login', wrong)).toBeRefusal('session.wrong_login')
    expect(await known.ask('login', signIn(agent))).toBeRefusal('request.too_often')
    expect((await bare(server)('login', signIn(agent))).code).toBe(OK)
    expect((await known.ask('login', signIn(cs))).code).toBe(OK)
  })

  test('[S9] an open session does not help to guess its password', async () => {
    const { agent } = await server.family()
    const form = { payment_password: 'abcd1', payment_password_confirmation: 'abcd1' }
    const codes: Outcome[] = []
    for (let n = 0; n < 6; n++)
      codes.push(outcomeOf(await agent.ask('user/paymentPassword', { password: `no${n}`, ...form })))
    expect(codes).toEqual([
      'session.wrong_password',
      'session.wrong_password',
      'session.wrong_password',
      'session.wrong_password',
      'session.wrong_password',
      'request.too_often',
    ])
  })
})

describe('one address', () => {
  test('[S9] [S29] after twenty wrong ones it waits, whatever address it claims; a known device does not', async () => {
    const strict = await startTestServer({ CALL_LIMITS: 'on', OPEN_CALLS_PER_SECOND: '1000' })
    const { agent } = await strict.family()
    const known = browser(strict)
    await known.ask('login', signIn(agent))
    const codes: Outcome[] = []
    for (let n = 0; n < 22; n++) {
      const body = strict.wire.seal('login', { username: `spray${n}`, password: 'wrong' })
      codes.push(outcomeOf((await strict.post('login', body, { 'x-forwarded-for': `10.9.9.${n}` })).reply))
    }
    expect(codes.indexOf('request.too_often')).toBe(20)
    expect(await bare(strict)('login', signIn(agent))).toBeRefusal('request.too_often')
    expect((await known.ask('login', signIn(agent))).code).toBe(OK)
  })
})
