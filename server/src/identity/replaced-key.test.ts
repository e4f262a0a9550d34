import { randomBytes, randomUUID } from 'node:crypto'
import { MessageType } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/app.ts'
import { acceptKey } from '../data/installation-key.ts'

const [FORMER, PRESENT] = ['5e'.repeat(32), '7a'.repeat(32)]
const username = () => `k${randomBytes(4).toString('hex')}`
const password = { password: 'first123', password_confirmation: 'first123' }

let server: TestServer
let done: Awaited<ReturnType<typeof writeAll>>

const signUp = async (at: TestServer, input: object) =>
  (await at.post('member/signup', at.wire.seal('member/signup', input))).reply

/** A write of each kind that stores its outcome in its own way. */
const writeAll = async (at: TestServer) => {
  const { agent, member, room } = await at.family()
  const { share_code } = await agent.call('user/view', {})
  const inputs = {
    transfer: { id: member.id, amount: '25', remark: '', request_id: randomUUID() },
    message: { code: room, type: MessageType.text, content: 'hello', request_id: randomUUID() },
    account: { username: username(), ...password, request_id: randomUUID() },
    signUp: { share_code, username: username(), nickname: 'New', ...password, request_id: randomUUID() },
  }
  const answers = {
    transfer: await agent.call('user/transaction', inputs.transfer),
    message: await agent.call('sendMessage', inputs.message),
    account: await agent.call('user/add', inputs.account),
    signUp: (await signUp(at, inputs.signUp)).data as { id: number },
  }
  return { agent, member, inputs, answers }
}

beforeAll(async () => {
  const former = await startTestServer({ TALLYROOM_KEY: FORMER })
  done = await writeAll(former)
  await acceptKey(former.services.db, { installationKey: Buffer.from(PRESENT, 'hex'), dataDir: '/nowhere' })
  await former.close()
  server = await startTestServer({ TALLYROOM_KEY: PRESENT })
})

describe('[R11] a write of before the key was replaced', () => {
  test('gets its stored outcome when it is repeated, and moves nothing twice', async () => {
    const { inputs, answers } = done
    const [agent, member] = [server.here(done.agent), server.here(done.member)]
    expect(await agent.call('user/transaction', inputs.transfer)).toEqual(answers.transfer)
    expect((await member.call('user/view', {})).balance).toBe(answers.transfer.target_balance)
    expect(await agent.call('sendMessage', inputs.message)).toEqual(answers.message)
    expect(await agent.call('user/add', inputs.account)).toEqual(answers.account)
    expect(await signUp(server, inputs.signUp)).toMatchObject({ code: OK, data: { id: answers.signUp.id } })
  })

  test('is refused with other content, as far as that can be seen', async () => {
    const { inputs } = done
    const agent = server.here(done.agent)
    const { request_id } = inputs.transfer
    expect(await agent.ask('user/add', { username: username(), ...password, request_id })).toBeRefusal(
      'request.id_reused',
    )
    const transfer = { ...inputs.transfer, request_id: inputs.account.request_id }
    expect(await agent.ask('user/transaction', transfer)).toBeRefusal('request.id_reused')
    expect(await agent.ask('sendMessage', { ...inputs.message, content: 'other' })).toBeRefusal('request.id_reused')
    const other = { password: 'other123', password_confirmation: 'other123' }
    expect(await signUp(server, { ...inputs.signUp, ...other })).toBeRefusal('request.id_reused')
    expect(await signUp(server, { ...inputs.signUp, username: username() })).toBeRefusal('request.id_reused')
  })
})

test('[R11] a write of after that is refused with other content', async () => {
  const { agent, inputs, answers } = await writeAll(server)
  expect(await agent.call('user/transaction', inputs.transfer)).toEqual(answers.transfer)
  expect(await agent.ask('user/transaction', { ...inputs.transfer, amount: '26' })).toBeRefusal('request.id_reused')
  expect(await agent.ask('sendMessage', { ...inputs.message, content: 'other' })).toBeRefusal('request.id_reused')
  expect(await agent.ask('user/add', { ...inputs.account, nickname: 'Other' })).toBeRefusal('request.id_reused')
  expect(await signUp(server, { ...inputs.signUp, nickname: 'Other' })).toBeRefusal('request.id_reused')
})

test('accepting the key that the database already has replaces nothing', async () => {
  const { db, key } = server.services
  await acceptKey(db, { installationKey: Buffer.from(PRESENT, 'hex'), dataDir: '/nowhere' })
  const next = await startTestServer({ TALLYROOM_KEY: PRESENT })
  expect(next.services.key.since).toBe(key.since)
  expect(key.since).toBeDefined()
})
