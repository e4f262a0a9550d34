import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ApiRight, apiRights } from '@tallyroom/contract/api/rights'
import { memberApi } from '@tallyroom/contract/member-api'
import { beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../server/src/testing/app.ts'
import { platform } from '../server/src/testing/fakes/platform.ts'
import { createTallyroom, isRefused, TallyroomProblem, TallyroomUnanswered } from './index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

/** A platform whose requests go through `way`, which may lose them or answer itself. */
const world = async (rights: readonly ApiRight[] = apiRights) => {
  const family = await server.family()
  const { id: key, secret } = await platform(server, family.top, rights)
  const sent: Request[] = []
  const way = { next: undefined as ((asked: Request) => Promise<Response>) | undefined }
  const client = () =>
    createTallyroom({
      url: `${server.address}/`,
      key,
      secret,
      wait: 1,
      fetch: (address, init) => {
        const asked = new Request(address, init)
        sent.push(asked)
        return (way.next ?? fetch)(asked)
      },
    })
  return { ...family, sent, way, client, tallyroom: client(), who: { username: family.member.username } }
}
const failure = (asked: Promise<unknown>) =>
  asked.then(
    (answer) => {
      throw new Error(`it was not refused: ${JSON.stringify(answer)}`)
    },
    (error: unknown) => error,
  )
const answer = (status: number, body: object | string, headers: Record<string, string> = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return Promise.resolve(new Response(text, { status, headers }))
}

test('[API-10] an answer that is lost is asked for again, and the points move once', async () => {
  const { tallyroom, client, way, sent, who } = await world()
  way.next = async (asked) => {
    way.next = undefined
    await fetch(asked)
    throw new TypeError('fetch failed')
  }
  const given = await tallyroom.points.give({ ...who, amount: '5' }, { idempotencyKey: 'payment 8812' })
  expect(given).toMatchObject({ status: 1, balance: '5.0000' })
  expect(sent).toHaveLength(2)
  const [first, second] = sent.map(({ headers }) => headers)
  expect(first?.get('idempotency-key')).toBe('payment 8812')
  expect(second?.get('idempotency-key')).toBe('payment 8812')
  expect(first?.get('x-tallyroom-nonce')).not.toBe(second?.get('x-tallyroom-nonce'))
  // Another process that comes back after a crash.
  expect(await client().points.give({ ...who, amount: '5' }, { idempotencyKey: 'payment 8812' })).toEqual(given)
  // Without a name of its own, each call is a write of its own.
  await tallyroom.points.give({ ...who, amount: '5' })
  const { data } = await tallyroom.balance.list({ usernames: [who.username] })
  expect(data[0]?.balance).toBe('10.0000')
})

test('[API-10] it waits when it is asked to, and gives up with what is needed to go on later', async () => {
  const { tallyroom, way, sent, who } = await world()
  const busy = { title: 'Busy', detail: 'Busy', instance: '/1', refusal: 'request.too_often', code: 1429, status: 429 }
  way.next = () => {
    way.next = undefined
    return answer(429, busy, { 'Retry-After': '0' })
  }
  expect(await tallyroom.points.give({ ...who, amount: '1' })).toMatchObject({ status: 1 })
  expect(sent).toHaveLength(2)
  way.next = () => answer(429, { ...busy, seconds: 3600 }, { 'Retry-After': '3600' })
  const refused = await failure(tallyroom.points.give({ ...who, amount: '1' }))
  expect(refused).toMatchObject({ retryAfter: 3600, facts: { seconds: 3600 }, call: 'points/give' })
  expect(sent).toHaveLength(3)
  way.next = () => answer(502, '<html>Bad gateway</html>')
  const lost = await failure(tallyroom.points.give({ ...who, amount: '1' }))
  expect(lost).toBeInstanceOf(TallyroomUnanswered)
  expect(lost).toMatchObject({ status: 502, idempotencyKey: expect.any(String) as string })
  expect(sent).toHaveLength(8)
  way.next = undefined
  const stopped = AbortSignal.abort(new Error('shutting down'))
  await expect(tallyroom.platform.view({}, { signal: stopped })).rejects.toThrow('shutting down')
  await expect(tallyroom.points.give({ ...who, amount: '1' }, { idempotencyKey: 'ä' })).rejects.toThrow(TypeError)
})

test('[API-10] a refusal has its name, its fields and what it says beside them, and is not repeated', async () => {
  const { tallyroom, sent, who } = await world(['points:take'])
  const poor = await failure(tallyroom.points.take({ ...who, amount: '99' }))
  expect(poor).toBeInstanceOf(TallyroomProblem)
  expect(poor).toMatchObject({ refusal: 'transfer.member_not_enough', status: 422, errors: [], retryAfter: undefined })
  expect(isRefused(poor)).toBe(true)
  expect(isRefused(poor, 'transfer.frozen')).toBe(false)
  const wrong = await failure(tallyroom.points.take({ ...who, amount: '1,5' }))
  expect(wrong).toMatchObject({
    message: expect.stringContaining('points/take was refused with request.invalid') as string,
    errors: [{ pointer: '/amount', reason: expect.stringContaining('decimal') as string }],
  })
  const denied = await failure(tallyroom.points.give({ ...who, amount: '1' }))
  if (!isRefused(denied, 'api.not_allowed')) throw denied
  // By the type of its facts: no other refusal has a right.
  expect(denied.facts.right).toBe('points:give')
  expect(sent).toHaveLength(3)
})

test('[API-10] a list is its first page, and with `for await` the rows of all pages', async () => {
  const { tallyroom, sent, who } = await world()
  const added = []
  for (const name of ['one', 'two', 'three'])
    added.push((await tallyroom.member.add({ third_party_id: name, nickname: name })).username)
  const before = sent.length
  const page = await tallyroom.account.list({ role_id: 4, per_page: 2 })
  expect(page).toMatchObject({ data: [{}, {}], next: expect.any(String) as string })
  expect(sent).toHaveLength(before + 1)
  const names: string[] = []
  for await (const { username } of tallyroom.account.list({ role_id: 4, per_page: 2 })) names.push(username)
  expect(names).toEqual([who.username, ...added])
  expect(sent).toHaveLength(before + 3)
  for (const text of ['a', 'b', 'c']) await tallyroom.message.send({ ...who, as: 'notice', text })
  const texts: unknown[] = []
  for await (const { text } of tallyroom.message.list({ ...who, per_page: 1 })) texts.push(text)
  expect(texts).toEqual(['a', 'b', 'c'])
  const unread = async () => {
    for await (const row of tallyroom.account.list({ username: 'nobody' })) expect(row).toBe('none')
  }
  expect(isRefused(await failure(unread()), 'account.not_found')).toBe(true)
})

test('[API-10] each call of the contract is a method, and the files import nothing but each other', async () => {
  const { tallyroom } = await world([])
  const groups = tallyroom as unknown as Record<string, Record<string, unknown>>
  for (const name of Object.keys(memberApi)) {
    const [group = '', method = ''] = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()).split('/')
    expect([name, typeof groups[group]?.[method]]).toEqual([name, 'function'])
  }
  const folder = fileURLToPath(new URL('.', import.meta.url))
  for (const file of readdirSync(folder).filter((name) => /(?<!\.test)\.ts$/.test(name)))
    for (const [, from] of readFileSync(`${folder}${file}`, 'utf8').matchAll(/ from '([^']+)'/g))
      expect([file, from]).toEqual([file, expect.stringMatching(/^\.\/\w+\.ts$/)])
})

test('[API-10] without a key, its secret or an address nothing is made that would only fail later', () => {
  const options = { url: 'https://tallyroom.example', key: 'tk_a', secret: 'b' }
  for (const missing of ['url', 'key', 'secret'] as const)
    expect(() => createTallyroom({ ...options, [missing]: '' })).toThrow(TypeError)
})
