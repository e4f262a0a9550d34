import { randomBytes } from 'node:crypto'
import { OK } from '@tallyroom/contract'
import type { ApiName, MemberApi } from '@tallyroom/contract/member-api'
import type { ApiRight } from '@tallyroom/contract/api/rights'
import type { z } from 'zod'
import type { Client, Reply } from './client.ts'
import { signatureOf } from '../../server/src/member-api/signing.ts'

export type ApiKey = { id: string; secret: string }
export type Form = { version?: string | undefined; idempotencyKey?: string | undefined }
export const addKey = async (admin: Client, password: string, rights: ApiRight[]): Promise<ApiKey> =>
  admin.call('apiKey/add', { label: 'proof', rights, current_password: password })

/** Signed calls of a platform's server, each sent once: what has no answer is an error. */
export const platformAt = (url: string, { id, secret }: ApiKey) => {
  /** @param version the date of a form; `idempotencyKey` goes in place of the `request_id` */
  const post = async (
    name: ApiName,
    body: unknown,
    { version, idempotencyKey }: Form = {},
  ): Promise<{ status: number; reply: Reply }> => {
    const path = `/member-api/v1/${name}`
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomBytes(12).toString('hex')]
    const signedText = idempotencyKey ? `${idempotencyKey}\n${text}` : text
    const signed = { method: 'POST', path, timestamp, nonce, body: signedText }
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-tallyroom-key': id,
        'x-tallyroom-timestamp': timestamp,
        'x-tallyroom-nonce': nonce,
        ...(version ? { 'tallyroom-version': version } : {}),
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        'x-tallyroom-signature': signatureOf(secret, signed),
      },
      body: text,
    })
    return { status: answer.status, reply: (await answer.json()) as Reply }
  }
  const call = async <N extends ApiName>(
    name: N,
    body: z.input<MemberApi[N]['request']> & { request_id?: string },
  ): Promise<z.output<MemberApi[N]['response']>> => {
    const { reply } = await post(name, body)
    if (reply.code !== OK) throw new Error(`${name} was refused: ${reply.code} ${reply.message}`)
    return reply.data as z.output<MemberApi[N]['response']>
  }
  return { post, call }
}
