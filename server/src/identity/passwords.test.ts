import argon2 from '@node-rs/argon2'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { checkPassword, hashPassword, ofThisProcess } from './passwords.ts'
import { type TestServer, startTestServer } from '../testing/app.ts'
import { hashAtFullCost } from '../testing/cheap-passwords.ts'
import { platform } from '../testing/fakes/platform.ts'

/** Hashing that waits until the gate is opened. */
const slow = { begun: 0, close: () => {}, open: () => {} }

let server: TestServer
let family: Awaited<ReturnType<TestServer['family']>>
beforeAll(async () => {
  server = await startTestServer()
  // Other files share the hashes of the test people and of unknown users: these must be real ones.
  family = await server.family()
  await checkPassword(undefined, 'secret1', ofThisProcess)
  let gate = Promise.resolve()
  slow.close = () => {
    gate = new Promise<void>((resolve) => (slow.open = resolve))
  }
  vi.spyOn(argon2, 'hash').mockImplementation(async () => {
    slow.begun++
    await gate
    return '$hash'
  })
  vi.spyOn(argon2, 'verify').mockResolvedValue(false)
})
beforeEach(() => () => slow.open())

const crowd = <T>(many: number, work: (at: number) => Promise<T>) => Array.from({ length: many }, (_, at) => work(at))

test('after the queue was full, unknown users are refused as wrong again', async () => {
  slow.close()
  const waiting = crowd(1100, () => hashPassword('secret1', ofThisProcess).catch((refusal: unknown) => refusal))
  const maybeRefused = checkPassword(undefined, 'secret1', ofThisProcess).catch((refusal: unknown) => refusal)
  slow.open()
  await Promise.all([...waiting, maybeRefused])
  expect(await checkPassword(undefined, 'secret1', ofThisProcess)).toBe('wrong')
})

test('[R15] signing up and adding hold no connection while the password is hashed', async () => {
  const { top, agent, cs } = family
  const { share_code } = await agent.call('user/view', {})
  const api = await platform(server, top)
  const passwords = { password: 'secret1', password_confirmation: 'secret1' }
  const before = slow.begun
  slow.close()
  const asked = [
    ...crowd(12, (at) => {
      const form = { share_code, username: `s${cs.id}x${at}`, ...passwords }
      return server.post('member/signup', server.wire.seal('member/signup', form)).then(({ reply }) => reply)
    }),
    ...crowd(12, (at) => agent.ask('user/add', { username: `a${cs.id}x${at}`, ...passwords })),
    ...crowd(12, (at) => api.call('member/add', { username: `m${cs.id}x${at}`, password: 'secret1' })),
  ]
  await vi.waitFor(() => expect(slow.begun).toBeGreaterThan(before))
  // A member without a password needs no hash, and is made while the others wait.
  await api.call('member/add', { username: `none${cs.id}` })
  expect((await cs.call('room/list', {})).data).toHaveLength(1)
  slow.open()
  await Promise.all(asked)
  expect((await cs.call('room/list', {})).data).toHaveLength(13)
})

test('a stored password costs 19 MiB and two passes of argon2id', async () => {
  vi.spyOn(argon2, 'hash').mockImplementation(hashAtFullCost)
  expect(await hashPassword('secret1', ofThisProcess)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})
