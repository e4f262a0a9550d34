import { randomBytes, randomUUID } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
let copy: TestServer
beforeAll(async () => {
  const env = { TRUSTED_PROXIES: '1', SIGN_UPS_PER_HOUR_OF_ADDRESS: '4', SIGN_UPS_PER_HOUR_OF_SHARE_CODE: '6' }
  server = await startTestServer(env)
  copy = await startTestServer(env)
})

const shareCodeOf = async ({ id }: Person) =>
  (await one<{ code: string }>(server.services.db, sql`select share_code as code from accounts where id = ${id}`))
    ?.code ?? ''
const form = (share_code: string, username = `m${randomBytes(4).toString('hex')}`) => ({
  share_code,
  username,
  password: 'secret1',
  password_confirmation: 'secret1',
  request_id: randomUUID(),
})
const signUp = (input: ReturnType<typeof form>, address: string, at = server) =>
  at.post('member/signup', at.wire.seal('member/signup', input), { 'x-forwarded-for': address })
const codes = async (asked: ReturnType<typeof signUp>[]) =>
  (await Promise.all(asked)).map(({ reply }) => outcomeOf(reply)).toSorted()
let nextAddress = 0
const someAddress = () => `10.7.0.${(nextAddress += 1)}`

describe('[S29] sign-ups', () => {
  test('from one address are limited, across copies and at once, and the refusal has the time to wait', async () => {
    const [first, second] = [await server.family(), await server.family()]
    const shareCodes = [await shareCodeOf(first.agent), await shareCodeOf(second.cs)]
    const from = someAddress()
    const crowd = Array.from({ length: 9 }, (_, n) =>
      signUp(form(shareCodes[n % 2] ?? ''), from, n % 3 ? server : copy),
    )
    expect(await codes(crowd)).toEqual([
      'done',
      'done',
      'done',
      'done',
      'signup.too_many',
      'signup.too_many',
      'signup.too_many',
      'signup.too_many',
      'signup.too_many',
    ])
    const refused = await signUp(form(shareCodes[0] ?? ''), from)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500)
    expect(refused.reply).toMatchObject({ data: { minutes: 60 }, message: expect.stringContaining('in 60 minutes') })
    expect(await codes([signUp(form(shareCodes[0] ?? ''), someAddress())])).toEqual(['done'])
    await run(server.services.db, sql`update sign_up_tries set ends_at = ends_at - interval '1 hour'`)
    expect(await codes([signUp(form(shareCodes[0] ?? ''), from)])).toEqual(['done'])
  })

  test('from one IPv6 network count together', async () => {
    const code = await shareCodeOf((await server.family()).agent)
    const asked = Array.from({ length: 6 }, (_, n) => signUp(form(code), `2001:db8:7:8::${n + 1}`))
    expect((await codes(asked)).slice(4)).toEqual(['signup.too_many', 'signup.too_many'])
  })

  test('with one share code are limited, from any address; other share codes are not', async () => {
    const { agent, cs } = await server.family()
    const [code, other] = [await shareCodeOf(agent), await shareCodeOf(cs)]
    const asked = Array.from({ length: 9 }, () => signUp(form(code), someAddress()))
    expect(await codes(asked)).toEqual([
      'done',
      'done',
      'done',
      'done',
      'done',
      'done',
      'signup.too_many',
      'signup.too_many',
      'signup.too_many',
    ])
    expect(await codes([signUp(form(other), someAddress())])).toEqual(['done'])
  })

  test('a repeated sign-up counts once', async () => {
    const code = await shareCodeOf((await server.family()).agent)
    const [input, from] = [form(code), someAddress()]
    for (let n = 0; n < 6; n++) expect(await codes([signUp(input, from)])).toEqual(['done'])
    expect(await codes([signUp(form(code), from)])).toEqual(['done'])
  })

  test('a taken username counts, and its answer is the same for staff, members and accounts that cannot sign in', async () => {
    const { top, agent, cs, member } = await server.family()
    const gone = await server.person({ role: Role.customerService, under: agent })
    await agent.call('user/delete', { id: gone.id })
    const code = await shareCodeOf(agent)
    const answers = new Set<string>()
    for (const { username } of [top, agent, cs, member, gone]) {
      const { status, reply } = await signUp(form(code, username), someAddress())
      answers.add(`${status} ${JSON.stringify(reply)}`.replaceAll(username, 'NAME'))
    }
    expect([...answers]).toEqual([expect.stringContaining('NAME')])
    const from = someAddress()
    for (let n = 0; n < 4; n++)
      expect(await codes([signUp(form(await shareCodeOf(cs), agent.username), from)])).toEqual([
        'account.username_taken',
      ])
    expect(await codes([signUp(form(await shareCodeOf(cs), agent.username), from)])).toEqual(['signup.too_many'])
  })
})
