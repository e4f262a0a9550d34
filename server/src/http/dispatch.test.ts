import { createCipheriv, createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { callNames, type ErrorName, errors, OK } from '@tallyroom/contract'
import { languages } from '@tallyroom/locales'
import { MessageType, Role, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { handlers } from '../calls/index.ts'
import { policy } from '../identity/policy.ts'
import { Refused } from '../lib/refusal.ts'
import { type TestServer, startTestServer } from '../testing/app.ts'
import { wordsFor } from '../lib/words.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const SECRET = 'tallyroom'
const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const signed = (params: string) => ({ params, key: md5(params + SECRET) })
/** Seals any bytes for a call, as an attacker with the public secret can. */
const sealed = (name: string, plain: string | Buffer, secret = SECRET) => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tallyroom/params/v1', 32))
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(name))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}
const CALL = 'userMenu/list'
const good = () => signed(sealed(CALL, '{}'))

const badEnvelopes: [string, () => unknown][] = [
  ['nothing', () => ''],
  ['no JSON', () => '{"params"'],
  ['null', () => 'null'],
  ['a number', () => '7'],
  ['a text', () => '"text"'],
  ['a list', () => [good()]],
  ['an empty object', () => ({})],
  ['only params', () => ({ params: good().params })],
  ['only key', () => ({ key: good().key })],
  ['the bare payload', () => ({ username: 'ann' })],
  ['params a number', () => ({ ...good(), params: 5 })],
  ['params a list', () => ({ ...good(), params: [good().params] })],
  ['params an object', () => ({ ...good(), params: { a: 1 } })],
  ['params null', () => ({ ...good(), params: null })],
  ['params empty', () => signed('')],
  ['key a number', () => ({ ...good(), key: 5 })],
  ['key a list', () => ({ ...good(), key: [good().key] })],
  ['key null', () => ({ ...good(), key: null })],
  ['key empty', () => ({ ...good(), key: '' })],
  ['key too short', () => ({ ...good(), key: good().key.slice(1) })],
  ['key too long', () => ({ ...good(), key: `${good().key}0` })],
  ['key in capitals', () => ({ ...good(), key: 'ABCDEF0123456789ABCDEF0123456789' })],
  ['key of other params', () => ({ ...good(), key: md5('x') })],
  ['key without the secret', () => ({ params: good().params, key: md5(good().params) })],
  ['key with the secret first', () => ({ params: good().params, key: md5(SECRET + good().params) })],
  ['another secret', () => ({ params: sealed(CALL, '{}', 'other'), key: good().key })],
  ['sealed with another secret', () => signed(sealed(CALL, '{}', 'other'))],
  ['sealed for another call', () => signed(sealed('user/list', '{}'))],
  ['params no base64url', () => signed('*** not base64 ***')],
  ['params with padding', () => signed(`${good().params}==`)],
  [
    'params in plain base64',
    () => signed(Buffer.from(good().params, 'base64url').toString('base64').replace(/^./, '+')),
  ],
  ['params with white space', () => signed(` ${good().params}`)],
  ['params too short', () => signed(randomBytes(27).toString('base64url'))],
  ['params noise', () => signed(randomBytes(200).toString('base64url'))],
  ['a tag cut off', () => signed(Buffer.from(good().params, 'base64url').subarray(0, -1).toString('base64url'))],
  ['the JSON in clear', () => signed(Buffer.from('{}').toString('base64url'))],
  ['a payload that is no JSON', () => signed(sealed(CALL, '{"a":'))],
  ['an empty payload', () => signed(sealed(CALL, ''))],
  ['a payload null', () => signed(sealed(CALL, 'null'))],
  ['a payload list', () => signed(sealed(CALL, '[]'))],
  ['a payload text', () => signed(sealed(CALL, '"x"'))],
  ['a payload of broken UTF-8', () => signed(sealed(CALL, Buffer.from([0xff, 0xfe, 0xfd])))],
  ['a payload nested too deep', () => signed(sealed(CALL, `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`))],
]

describe('how a call runs', () => {
  test.each(badEnvelopes)('[WIRE-02] [S5] %s gets the same refusal', async (_, body) => {
    const { status, reply } = await server.post(CALL, body())
    expect({ status, ...reply }).toEqual({
      status: 200,
      code: errors['request.bad_envelope'],
      message: wordsFor('en', 'request.bad_envelope'),
      data: null,
      refusal: 'request.bad_envelope',
    })
  })

  test('[WIRE-02] other content types get the same refusal', async () => {
    const { status, reply } = await server.post(CALL, JSON.stringify(good()), { 'content-type': 'text/plain' })
    expect({ status, code: reply.code }).toEqual({ status: 200, code: errors['request.bad_envelope'] })
  })

  test('[WIRE-01] [WIRE-04] a good envelope is answered with code, message and data', async () => {
    const { agent } = await server.family()
    const { status, reply } = await server.post(CALL, good(), { authorization: `Bearer ${agent.token}` })
    expect(status).toBe(200)
    expect(Object.keys(reply).toSorted()).toEqual(['code', 'data', 'message'])
    expect(reply.code).toBe(OK)
  })

  test('[WIRE-04] an unknown call is refused by name', async () => {
    const { reply } = await server.post('no/such', good())
    expect(reply).toMatchObject({ code: errors['request.unknown_call'], refusal: 'request.unknown_call' })
  })

  test('[WIRE-04] a refusal has its name beside the code, so two refusals with one code differ', async () => {
    const { agent, member } = await server.family()
    const give = { member_id: member.id, type: TransferKind.makeUp, amount: '1' } as const
    const invalid = await agent.ask('transaction/add', { ...give, amount: '0' })
    expect(invalid).toMatchObject({
      code: errors['transfer.amount_invalid'],
      refusal: 'transfer.amount_invalid',
      data: null,
    })
    const unstorable = await agent.ask('transaction/add', { ...give, remark: 'a\0b' })
    expect(unstorable).toMatchObject({
      code: errors['request.invalid'],
      refusal: 'request.invalid',
      data: { field: 'remark' },
    })
  })

  test('a handler that refuses with a name that its call does not declare fails', async () => {
    const { agent } = await server.family()
    const table = handlers as unknown as Record<'home/view', () => Promise<unknown>>
    const refuseWith = async (name: ErrorName) => {
      const view = vi.spyOn(table, 'home/view').mockRejectedValueOnce(new Refused(name))
      const { code, refusal } = await agent.ask('home/view', {})
      view.mockRestore()
      return [code, refusal]
    }
    expect(await refuseWith('transfer.frozen')).toEqual([1500, 'server.failed'])
    expect(await refuseWith('access.denied')).toEqual([errors['access.denied'], 'access.denied'])
    vi.stubEnv('NODE_ENV', 'production')
    expect(await refuseWith('transfer.frozen')).toEqual([errors['transfer.frozen'], 'transfer.frozen'])
    vi.unstubAllEnvs()
  })

  test('[WIRE-03] refusals come in each of the eleven languages', async () => {
    for (const language of languages) {
      const { reply } = await server.post(CALL, {}, { 'accept-language': language })
      expect(reply.message).toBe(wordsFor(language, 'request.bad_envelope'))
      expect(reply.message === wordsFor('en', 'request.bad_envelope')).toBe(language === 'en')
    }
  })

  test('[WIRE-03] [WIRE-05] a call without a session, or with a dead one, gets 9998 and the reason', async () => {
    const { reply } = await server.post(CALL, good())
    expect(reply).toMatchObject({ code: errors['session.dead'], data: { reason: 'ended' } })
    const other = await server.post(CALL, good(), { authorization: `Bearer ${randomBytes(32).toString('base64url')}` })
    expect(other.reply).toEqual(reply)
  })

  test('[WIRE-06] a payload that fails validation names its field and writes nothing', async () => {
    const { agent } = await server.family()
    const reply = await agent.ask('user/add', {
      username: 'abc',
      password: 'secret1',
      password_confirmation: 'secret1',
    })
    expect(reply).toMatchObject({ code: errors['request.invalid'], data: { field: 'username' } })
    expect(reply.message).toContain('username')
    const bent = await agent.ask('user/add', {
      request_id: 'x',
      username: 'abcd',
      password: 'secret1',
      password_confirmation: 'secret1',
    })
    expect(bent).toMatchObject({ code: errors['request.invalid'], data: { field: 'request_id' } })
    expect((await agent.call('user/list', { role_id: Role.customerService })).data).toHaveLength(1)
  })

  test('[WIRE-06] a character that cannot be stored is refused naming its field', async () => {
    const { agent, room } = await server.family()
    const reply = await agent.ask('sendMessage', { code: room, type: MessageType.text, content: 'a\0b' })
    expect(reply).toMatchObject({ code: errors['request.invalid'], data: { field: 'content' } })
  })

  test('[WIRE-06] unknown and dangerous fields are dropped', async () => {
    const { agent } = await server.family()
    const body = signed(sealed('user/view', '{"__proto__":{"id":1},"constructor":{"prototype":{"x":1}},"role_id":1}'))
    const { reply } = await server.post('user/view', body, { authorization: `Bearer ${agent.token}` })
    expect(reply).toMatchObject({ code: OK, data: { id: agent.id, role_id: Role.agent } })
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  test('[WIRE-04] a body that is too large gets 413 with the usual answer', async () => {
    const { status, reply } = await server.post(CALL, { params: 'x'.repeat(300_000), key: '' })
    expect(status).toBe(413)
    expect(reply.code).toBe(errors['request.too_large'])
  })

  test('every call of the contract has its path, a handler and a row in the policy', async () => {
    expect(Object.keys(handlers).toSorted()).toEqual(callNames.toSorted())
    expect(Object.keys(policy).toSorted()).toEqual(callNames.toSorted())
    for (const name of callNames) {
      const { reply } = await server.post(name, {})
      expect([name, reply.code]).toEqual([name, errors['request.bad_envelope']])
    }
  })

  test('[GUARD-07] a role that may not make a call gets "Authority is not enough"', async () => {
    const { member, cs } = await server.family()
    expect(await member.ask('user/list', {})).toMatchObject({
      code: errors['access.denied'],
      message: 'Authority is not enough',
    })
    expect(await cs.ask('user/delete', { id: member.id })).toMatchObject({ code: errors['access.denied'] })
    expect(await cs.ask('report/sr02', { start_date: '2026-01-01', end_date: '2026-01-02' })).toMatchObject({
      code: errors['access.denied'],
    })
  })

  test('[WIRE-07] /config.json gives the address of the API', async () => {
    const config = await fetch(`${server.address}/config.json`).then((answer) => answer.json())
    // Without a public address passkeys can be tried on the machine itself, by its name.
    expect(config).toEqual({
      api: '',
      secret: SECRET,
      time_zone: 'UTC',
      passkey_sign_in: false,
      passkeys: true,
      recovery_sms: false,
    })
    const byNumber = server.address.replace('localhost', '127.0.0.1')
    const numbered = await fetch(`${byNumber}/config.json`).then((answer) => answer.json())
    expect(numbered).toMatchObject({ passkeys: false })
    const elsewhere = await startTestServer({ API_URL: 'https://api.example' })
    const other = await fetch(`${elsewhere.address}/config.json`).then((answer) => answer.json())
    expect(other).toMatchObject({ api: 'https://api.example' })
  })

  test('[WIRE-09] the success words are those of the source', () => {
    const words = [
      'done.created',
      'done.edited',
      'done.saved',
      'done.transaction',
      'done.bank',
      'done.copied',
      'done.logout',
    ] as const
    expect(words.map((key) => wordsFor('en', key))).toEqual([
      'Create succeeded',
      'Edit succeeded',
      'Saved succeeded',
      'Transaction Success',
      'success!',
      'Copied Success: {link}',
      'Logout successfully.',
    ])
  })
})

describe('a repeated write', () => {
  const fresh = () => ({
    username: `c${randomBytes(3).toString('hex')}`,
    password: 'secret1',
    password_confirmation: 'secret1',
  })

  test('[S7] the same request gets the same answer and has its effect once', async () => {
    const { agent } = await server.family()
    const input = { ...fresh(), request_id: randomUUID() }
    const first = await agent.ask('user/add', input)
    expect(first.code).toBe(OK)
    expect(await agent.ask('user/add', input)).toEqual(first)
  })

  test('[S7] a replayed envelope has its effect once', async () => {
    const { agent } = await server.family()
    const envelope = server.wire.seal('user/add', fresh())
    const bearer = { authorization: `Bearer ${agent.token}` }
    const { reply } = await server.post('user/add', envelope, bearer)
    expect((await server.post('user/add', envelope, bearer)).reply).toEqual(reply)
  })

  test('[S7] other content under the same id is refused', async () => {
    const { agent } = await server.family()
    const request_id = randomUUID()
    await agent.call('user/add', { ...fresh(), request_id })
    expect(await agent.ask('user/add', { ...fresh(), request_id })).toMatchObject({ code: errors['request.id_reused'] })
  })

  test('[R11] ten of the same at once have one effect and equal answers', async () => {
    const { agent } = await server.family()
    const input = { ...fresh(), request_id: randomUUID() }
    const replies = await Promise.all(Array.from({ length: 10 }, () => agent.ask('user/add', input)))
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
    expect(replies[0]?.code).toBe(OK)
  })
})
