import { randomUUID } from 'node:crypto'
import { EnvelopeType, TransferStatus } from '@tallyroom/contract/codes'
import { type Client, signIn, signUp } from '../../e2e/support/client.ts'
import { amountIn, CONSENTING, TAKEN, type Line, ROOMS, script } from './script.ts'

export const PASSWORD = 'demo1234'
export type Member = { username: string; id: number; code: string; client: Client }
export type Desk = { members: Member[]; omar: Client; dana: Client }

/** The demo's group with twenty members, nobody waiting, one conversation taken if it is wanted, and the quick reply of the hour. */
export const prepare = async (url: string, adminPassword: string, { isTaken = true } = {}): Promise<Desk> => {
  const [dana, mika, omar] = await Promise.all(['dana', 'mika', 'omar'].map((name) => signIn(url, name, PASSWORD)))
  if (!dana || !mika || !omar) throw new Error('the demo has changed its people')
  const { id, share_code } = await dana.call('user/view', {})
  // Dana may then give points without turnover, so that they can be taken back.
  const admin = await signIn(url, 'admin', adminPassword)
  await admin.call('user/saveAbilities', { id, flow_limit_modify_permission: 1, request_id: randomUUID() })
  const members: Member[] = []
  for (let n = 0; n < ROOMS; n++) {
    const username = `hour${String(n).padStart(2, '0')}`
    const client = await signUp(url, share_code, username)
    const room = (await client.call('room/list', {})).data[0]
    if (!room) throw new Error(`${username} has no room`)
    members.push({ username, id: client.id, code: room.code, client })
    await dana.call('transaction/add', {
      member_id: client.id,
      type: 1,
      amount: '100',
      audit_amount: '0',
      code: room.code,
      request_id: randomUUID(),
    })
    // Who gives points has the conversation.
    await dana.call('desk/release', { code: room.code, request_id: randomUUID() })
    // Points out go to a bank account.
    if (script().some(({ who, need }) => who === n && need === 'pay out')) await addAccount(client)
    if (CONSENTING.includes(n))
      await dana.call('user/edit', { id: client.id, withdraw_confirm: 1, request_id: randomUUID() })
  }
  for (const { code, waiting_since } of (await omar.call('room/list', {})).data)
    if (waiting_since) await omar.call('desk/settle', { code, request_id: randomUUID() })
  const taken = isTaken ? members[TAKEN] : undefined
  if (taken) await omar.call('desk/take', { code: taken.code, request_id: randomUUID() })
  await mika.call('message-template/create', {
    title: 'hour',
    content: 'It is on its way, {nickname}.',
    request_id: randomUUID(),
  })
  return { members, omar, dana }
}

const addAccount = async (client: Client) => {
  const { first_account: asked } = await client.call('cash/view', {})
  const [bank] = asked?.banks ?? []
  if (!asked || !bank) throw new Error('the demo has no bank')
  const account_no = `${asked.code === null ? '' : '062000__'}12345678`
  const account = { bank_id: bank.id, account_name: 'Hour', account_no }
  await client.call('bank/addOwn', { ...account, request_id: randomUUID() })
}

export const sendLine = async ({ members }: Desk, { who, text, need }: Line) => {
  const member = members[who]
  if (!member) throw new Error(`there is no member ${who}`)
  if (need === 'pay in' || need === 'pay out') {
    const [account] = need === 'pay out' ? (await member.client.call('cash/view', {})).accounts : []
    const asked = { direction: account ? ('out' as const) : ('in' as const), amount: amountIn(text) }
    await member.client.call('cash/ask', {
      ...asked,
      ...(account ? { account_id: account.id } : {}),
      request_id: randomUUID(),
    })
  }
  return member.client.call('sendMessage', { code: member.code, type: 1, content: text, request_id: randomUUID() })
}

/** The member accepts the envelope that waits in its room. */
export const acceptEnvelope = async ({ client, code }: Member) => {
  const { messages } = await client.call('room/history', { code })
  const open = messages.findLast(
    ({ transaction_type, transaction_status }) =>
      transaction_type === EnvelopeType.give && transaction_status === TransferStatus.pending,
  )
  if (!open?.transaction_id) throw new Error('there is no open envelope')
  await client.call('envelope/answer', {
    transaction_id: open.transaction_id,
    accept: true,
    request_id: randomUUID(),
  })
}
