import { randomBytes, randomUUID } from 'node:crypto'
import { OK } from '@tallyroom/contract'
import { resolveRefs } from '@tallyroom/contract/text/resolve-refs'
import { type ApiRight, apiRights } from '@tallyroom/contract/api/rights'
import { makeApiKey, noTerms, saveTerms } from '../../accounts/api-keys.ts'
import { openSandbox } from '../../accounts/sandbox.ts'
import { signatureOf } from '../../member-api/signing.ts'
import type { Person, Reply, TestServer } from '../app.ts'

type Manipulation = {
  timestamp?: string
  nonce?: string
  signature?: string
  key?: string
  path?: string
  signedBody?: string | Buffer
  /** The date of a form. */
  version?: string
  /** Signed with the body. */
  idempotencyKey?: string
}
export type Platform = {
  id: string
  secret: string
  /** A signed call, with parts of it manipulated. */
  post(
    name: string,
    body: unknown,
    manipulated?: Manipulation,
  ): Promise<{ status: number; reply: Reply; headers: Headers }>
  /**
   * A call that must succeed, made only from the server's OpenAPI document: a field that it does not name is an error, and
   * a `request_id` is added only where the document requires one.
   */
  call(name: string, body: object): Promise<unknown>
}

type Schema = { properties?: Record<string, unknown>; required?: string[] }
type Document = {
  paths: Record<string, { post: { requestBody: { content: Record<string, { schema: Schema }> } } }>
}

/** The server of a platform, with its own API key; with `ofSandbox` a key of its sandbox. */
export const platform = async (
  server: TestServer,
  top: Person,
  rights: readonly ApiRight[] = apiRights,
  { ofSandbox = false } = {},
): Promise<Platform> => {
  const { services } = server
  const key = await services.db.transact(async (tx) => {
    const made = ofSandbox
      ? await makeApiKey(tx, services.key, await openSandbox(tx, top.id), 'test', 'tks')
      : await makeApiKey(tx, services.key, top.id, 'test')
    await saveTerms(tx, made.id, { ...noTerms, rights: [...rights] }, services.settings.timeZone)
    return made
  })
  return platformOfKey(server, key)
}

/** The server of a platform with a key that was made before. */
export const platformOfKey = async (
  { address }: TestServer,
  { id, secret }: { id: string; secret: string },
): Promise<Platform> => {
  const { paths } = resolveRefs((await (await fetch(`${address}/member-api/v1/openapi.json`)).json()) as Document)
  const post: Platform['post'] = async (name, body, manipulated = {}) => {
    const path = `/member-api/v1/${name}`
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const timestamp = manipulated.timestamp ?? String(Math.floor(Date.now() / 1000))
    const nonce = manipulated.nonce ?? randomBytes(12).toString('hex')
    const { version, idempotencyKey } = manipulated
    const signedText = idempotencyKey ? Buffer.concat([Buffer.from(`${idempotencyKey}\n`), Buffer.from(text)]) : text
    const signed = {
      method: 'POST',
      path: manipulated.path ?? path,
      timestamp,
      nonce,
      body: manipulated.signedBody ?? signedText,
    }
    const answer = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-tallyroom-key': manipulated.key ?? id,
        'x-tallyroom-timestamp': timestamp,
        'x-tallyroom-nonce': nonce,
        ...(version ? { 'tallyroom-version': version } : {}),
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        'x-tallyroom-signature': manipulated.signature ?? signatureOf(secret, signed),
      },
      body: typeof text === 'string' ? text : new Uint8Array(text),
    })
    return { status: answer.status, reply: (await answer.json()) as Reply, headers: answer.headers }
  }
  return {
    id,
    secret,
    post,
    call: async (name, body) => {
      const schema = paths[`/${name}`]?.post.requestBody.content['application/json']?.schema
      if (!schema?.properties) throw new Error(`the document has no call ${name}`)
      for (const field of Object.keys(body))
        if (!Object.hasOwn(schema.properties, field)) throw new Error(`${name} has no field ${field} in the document`)
      const needsId = schema.required?.includes('request_id')
      const { reply } = await post(name, needsId ? { request_id: randomUUID(), ...body } : body)
      if (reply.code !== OK) throw new Error(`${name} was refused: ${reply.code} ${reply.message}`)
      return reply.data
    },
  }
}
