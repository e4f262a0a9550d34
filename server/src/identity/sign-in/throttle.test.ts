import { beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { bare, browser, minutesPass } from '../../testing/sign-in.ts'

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
    const { code, data } = await guess(username)
    if (code === 1403) judged++
    else {
      expect(code).toBe(1429)
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
    expect((await known.ask('login', signIn(agent))).code).toBe(1000)
    const [first, next] = [await guessForADay(agent.username, agent.id), await guessForADay(agent.username, agent.id)]
    expect(first).toBeLessThanOrEqual(34)
    expect(next).toBeLessThanOrEqual(34)
    await guess(agent.username)
    // Now even the right password has to wait, except on a device where the owner has signed in before.
    expect((await bare(server)('login', signIn(agent))).code).toBe(1429)
    expect((await known.ask('login', signIn(agent))).code).toBe(1000)
  }, 60_000)

  test('[S9] many at once count like one after another', async () => {
    const { agent } = await server.family()
    const codes = await Promise.all(Array.from({ length: 40 }, async () => (await guess(agent.username)).code))
    expect(codes.filter((code) => code === 1403)).toHaveLength(5)
    expect(codes.filter((code) => code === 1429)).toHaveLength(35)
  })

  test("[S9] the owner's own sign-ins give a stranger no new guesses", async () => {
    const { agent } = await server.family()
    for (let n = 0; n < 4; n++) {
      expect((await guess(agent.username)).code).toBe(1403)
      expect((await bare(server)('login', signIn(agent))).code).toBe(1000)
    }
    expect((await guess(agent.username)).code).toBe(1403)
    expect((await guess(agent.username)).code).toBe(1429)
  })

  test('the owner may sign in many times at once', async () => {
    const { agent } = await server.family()
    const replies = await Promise.all(Array.from({ length: 12 }, () => bare(server)('login', signIn(agent))))
    expect(replies.filter(({ code }) => code !== 1000)).toEqual([])
  })

  test('[S10] unknown and frozen accounts wait like others', async () => {
    const { agent, cs } = await server.family()
    await agent.call('user/delete', { id: cs.id })
    for (const username of [agent.username, cs.username, 'nobody42']) {
      const replies = []
      for (let n = 0; n < 6; n++) replies.push(await guess(username))
      expect(replies.map(({ code }) => code)).toEqual([1403, 1403, 1403, 1403, 1403, 1429])
      expect(replies[5]).toMatchObject({ message: 'Too many attempts. Wait a moment and try again.' })
    }
  })

  test('[S9] a known device has its own count for its account only', async () => {
    const { agent, cs } = await server.family()
    const known = browser(server)
    await known.ask('login', signIn(agent))
    const wrong = { username: agent.username, password: 'wrong' }
    for (let n = 0; n < 5; n++) expect((await known.ask('login', wrong)).code).toBe(1403)
    expect((await known.ask('login', signIn(agent))).code).toBe(1429)
    expect((await bare(server)('login', signIn(agent))).code).toBe(1000)
    expect((await known.ask('login', signIn(cs))).code).toBe(1000)
  })

  test('[S9] an open session does not help to guess its password', async () => {
    const { agent } = await server.family()
    const form = { payment_password: 'abcd1', payment_password_confirmation: 'abcd1' }
    const codes: number[] = []
    for (let n = 0; n < 6; n++)
      codes.push((await agent.ask('user/paymentPassword', { password: `no${n}`, ...form })).code)
    expect(codes).toEqual([7004, 7004, 7004, 7004, 7004, 1429])
  })
})

describe('one address', () => {
  test('[S9] [S29] after twenty wrong ones it waits, whatever address it claims; a known device does not', async () => {
    const strict = await startTestServer({ CALL_LIMITS: 'on', OPEN_CALLS_PER_SECOND: '1000' })
    const { agent } = await strict.family()
    const known = browser(strict)
    await known.ask('login', signIn(agent))
    const codes: number[] = []
    for (let n = 0; n < 22; n++) {
      const body = strict.wire.seal('login', { username: `spray${n}`, password: 'wrong' })
      codes.push((await strict.post('login', body, { 'x-forwarded-for': `10.9.9.${n}` })).reply.code)
    }
    expect(codes.indexOf(1429)).toBe(20)
    expect((await bare(strict)('login', signIn(agent))).code).toBe(1429)
    expect((await known.ask('login', signIn(agent))).code).toBe(1000)
  })
})
