import { createCipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { MessageType, Role, TransferKind } from '@tallyroom/contract/codes'
import { run, sql } from '../data/sql.ts'
import { PASSWORD, type Person, type Reply, startTestServer } from './app.ts'
import { bankRules } from './bank.ts'
import { caughtSms, codeOf, withAuthenticator, withPhone } from './sign-in.ts'

export type Payload = Record<string, unknown>
export type SourceReply = Reply & { data: Payload | null }

const SECRET = 'tallyroom'
const sealed = (path: string, payload: Payload) => {
  const cipherKey = Buffer.from(hkdfSync('sha256', SECRET, '', 'tallyroom/params/v1', 32))
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce).setAAD(Buffer.from(path))
  const parts = [nonce, cipher.update(JSON.stringify(payload)), cipher.final(), cipher.getAuthTag()]
  const params = Buffer.concat(parts).toString('base64url')
  return { params, key: createHash('md5').update(`${params}${SECRET}`).digest('hex') }
}

/** A client that shares no code or type with this product, and one of everything that a call can be about. */
export const sourceWorld = async () => {
  const server = await startTestServer()
  const { top, agent, cs, member, room: code } = await server.family()
  const idle = await server.person({ role: Role.customerService, under: agent })
  const leaver = await server.person({ role: Role.customerService, under: agent })
  const withSms = await server.person({ role: Role.agent, under: top })
  await withPhone(server, withSms)
  const withApp = await server.person({ role: Role.agent, under: top })
  const { secret } = await withAuthenticator(server, withApp)
  await top.call('user/saveAbilities', { id: agent.id, flow_limit_modify_permission: 1 })
  await top.call('bank_setting/save', { ...bankRules, has_bank_card_setting: 1, bank_card_amount: 3 })
  await agent.call('setting/save', { name: 'Before' })
  const payment = { payment_password: 'pay123', payment_password_confirmation: 'pay123' }
  await agent.call('user/paymentPassword', { password: PASSWORD, ...payment })
  const bank_id = (await top.call('orderType/save', { name: 'North' })).id
  const account = { member_id: member.id, bank_id, account_name: 'Ann', account_no: '12345678' }
  await cs.call('members/bank-account/create', account)
  const { room_id } = (await agent.call('room/enter', { code })).room
  const { note_id } = await agent.call('note/add', { room_id, title: 'About' })
  const given = {
    member_id: member.id,
    type: TransferKind.send,
    amount: '5',
    remark: 'five',
    payment_password: 'pay123',
  } as const
  const ids = {
    code,
    room_id,
    note_id,
    bank_id,
    message_id: (await member.call('sendMessage', { code, type: MessageType.text, content: 'hello' })).message_id,
    transaction_id: (await agent.call('transaction/add', given)).transaction_id,
    content_id: (await agent.call('note_content/add', { note_id, content: 'first' })).content_id,
    content_to_delete: (await agent.call('note_content/add', { note_id, content: 'wrong' })).content_id,
    template_id: (await agent.call('message-template/create', { title: 'Hi', content: 'hello' })).id,
    template_to_delete: (await agent.call('message-template/create', { title: 'Old', content: 'bye' })).id,
    account_id: (await cs.call('members/bank-account', { member_id: member.id })).data?.id,
  }
  const signedIn = { top, agent, cs, leaver }
  const post = async (path: string, payload: Payload, as?: keyof typeof signedIn): Promise<SourceReply> => {
    const answer = await fetch(`${server.address}/api/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'accept-language': 'en',
        ...(as ? { authorization: `Bearer ${signedIn[as].token}` } : {}),
      },
      body: JSON.stringify(sealed(path, payload)),
    })
    return (await answer.json()) as SourceReply
  }
  /** The first step of a sign-in that needs a second factor. */
  const begin = async ({ username }: Person) => {
    const { data } = await post('login', { username, password: PASSWORD })
    return { challenge: data?.challenge, mobile: data?.mobile }
  }
  /** An unused code of the authenticator. */
  const freshCode = async () => {
    await run(server.services.db, sql`update second_factors set totp_step = 0 where account_id = ${withApp.id}`)
    return codeOf(server, secret)
  }
  return {
    house: server,
    ...signedIn,
    member,
    idle,
    withSms,
    withApp,
    ...ids,
    post,
    begin,
    freshCode,
    sms: caughtSms(server),
  }
}
