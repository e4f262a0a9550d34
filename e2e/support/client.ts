import { randomUUID } from 'node:crypto'
import { type Answer, type CallName, type ErrorName, type Input, OK } from '@tallyroom/contract'
import { seal } from '@tallyroom/contract/wire'
import { postTo } from '../../server/src/testing/http.ts'

export type Reply = { code: number; message: string; data: unknown; refusal?: ErrorName }
/** A client of the API without a browser. */
export type Client = {
  token: string | undefined
  /** Returns the whole answer; throws only when none came. */
  ask<N extends CallName>(name: N, input: Input<N>): Promise<Reply>
  /** Returns the data of an answer; throws when the call was refused. */
  call<N extends CallName>(name: N, input: Input<N>): Promise<Answer<N>>
}

export const makeClient = (url: string, token?: string): Client => {
  const client: Client = {
    token,
    async ask(name, input) {
      const headers = {
        'content-type': 'application/json',
        ...(client.token ? { authorization: `Bearer ${client.token}` } : {}),
      }
      const { text } = await postTo(`${url}/api/${name}`, JSON.stringify(seal(name, input, 'tallyroom')), headers)
      return JSON.parse(text) as Reply
    },
    async call(name, input) {
      const reply = await client.ask(name, input)
      if (reply.code !== OK) throw new Error(`${name} was refused: ${reply.code} ${reply.message}`)
      return reply.data as never
    },
  }
  return client
}

export const signIn = async (url: string, username: string, password: string): Promise<Client> => {
  const client = makeClient(url)
  client.token = (await client.call('login', { username, password })).token
  return client
}

/** Signs up a member below the share code's owner, and returns its client. */
export const signUp = async (url: string, share_code: string, username: string): Promise<Client & { id: number }> => {
  const client = makeClient(url)
  const password = 'secret1'
  const profile = await client.call('member/signup', {
    share_code,
    username,
    nickname: username,
    password,
    password_confirmation: password,
    request_id: randomUUID(),
  })
  return Object.assign(client, { token: profile.token, id: profile.id })
}
