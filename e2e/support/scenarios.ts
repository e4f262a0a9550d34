import { MessageType, TransferKind } from '@tallyroom/contract/codes'
import { type Client, signIn, signUp } from './client.ts'

/** A running server, and its console (`npm run account`) for what no call does. */
export type ScenarioContext = {
  url: string
  account: (...words: string[]) => Promise<unknown>
  /** Prefix of every username, so that each scenario has its own accounts. At most five characters. */
  name: string
  password: string
}
type Member = Client & { id: number; username: string; room: string }
export type Family = {
  admin: Client
  agent: Client
  cs: Client
  /** Signs up below the agent. */
  member: (suffix: string) => Promise<Member>
  /** The usernames of the members so far. */
  members: string[]
  shareCode: string
}

/** An admin, below it an agent with 10,000 points, below that a customer service; members on request. */
export const empty = async ({ url, account, name, password }: ScenarioContext): Promise<Family> => {
  await account('add', 'admin', `${name}admin`, '--under', 'admin', '--password', password, '--unlimited')
  await account('add', 'agent', `${name}agent`, '--under', `${name}admin`, '--password', password)
  await account('add', 'cs', `${name}cs`, '--under', `${name}agent`, '--password', password)
  const admin = await signIn(url, `${name}admin`, password)
  const agent = await signIn(url, `${name}agent`, password)
  const cs = await signIn(url, `${name}cs`, password)
  const { id, share_code } = await agent.call('user/view', {})
  await admin.call('user/transaction', { id, amount: '10000', remark: 'opening' })
  const members: string[] = []
  const member = async (suffix: string): Promise<Member> => {
    const username = `${name}${suffix}`
    const client = await signUp(url, share_code, username)
    members.push(username)
    const { data } = await client.call('room/list', {})
    return Object.assign(client, { username, room: data[0]?.code ?? '' })
  }
  return { admin, agent, cs, member, members, shareCode: share_code }
}

/** Five members have written and wait for an answer. */
export const waitingRooms = async (context: ScenarioContext): Promise<Family> => {
  const family = await empty(context)
  const texts = ['Hello!', 'Did my points arrive?', '你好', 'வணக்கம்', 'Please call me back.']
  for (const [at, content] of texts.entries()) {
    const member = await family.member(`m${at + 1}`)
    await member.call('sendMessage', { code: member.room, type: MessageType.text, content })
  }
  return family
}

/** Three members with an offer each that needs their consent: the first is open, the second accepted, the third rejected. */
export const envelopes = async (context: ScenarioContext): Promise<Family> => {
  const family = await empty(context)
  for (const answer of ['open', 'yes', 'no']) {
    const member = await family.member(answer)
    await family.agent.call('user/edit', { id: member.id, withdraw_confirm: 1 })
    const offer = {
      member_id: member.id,
      type: TransferKind.send,
      amount: '25',
      remark: 'welcome',
      code: member.room,
    }
    const { transaction_id } = await family.agent.call('transaction/add', offer)
    if (answer !== 'open') await member.call('envelope/answer', { transaction_id, accept: answer === 'yes' })
  }
  return family
}

/** Agent and customer service see the usernames of others masked; two members have written. */
export const masked = async (context: ScenarioContext): Promise<Family> => {
  const family = await empty(context)
  const { id } = await family.agent.call('user/view', {})
  await family.admin.call('user/saveAbilities', { id, masks_usernames: 1 })
  for (const suffix of ['m1', 'm2']) {
    const member = await family.member(suffix)
    await member.call('sendMessage', { code: member.room, type: MessageType.text, content: 'Who sees my name?' })
  }
  return family
}

export const scenarios: Record<string, (context: ScenarioContext) => Promise<Family>> = {
  empty,
  'waiting-rooms': waitingRooms,
  envelopes,
  masked,
}
