import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type Answer, type Input, OK } from '@tallyroom/contract'
import type { Assertion, SignOptions } from '@tallyroom/contract/calls/sign-in/passkey'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { browser } from '../sign-in.ts'
import { PASSWORD, type Person, type Reply, type TestServer } from '../app.ts'

export const ORIGIN = 'https://office.example'
export const HOST = 'office.example'
/** The settings with which passkeys work at ORIGIN. */
export const passkeyEnv = { PUBLIC_URL: ORIGIN }

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_KEY = 0x40

/** What a hostile browser or authenticator does differently. */
export type Bent = {
  origin?: string
  host?: string
  challenge?: string
  type?: string
  flags?: number
  counter?: number
  crossOrigin?: boolean
  /** Signs with a key that the server does not know. */
  otherKey?: KeyObject
  /** Changes what was signed, afterwards. */
  after?: (assertion: Assertion) => Assertion
}

export const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** A browser with one passkey, in software: ES256, no attestation, a counter that stays 0 unless it is set. */
export const softwarePasskey = (origin = ORIGIN, host = HOST) => {
  const { privateKey, publicKey } = newKey()
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')

  const clientData = (type: string, challenge: string, bent: Bent) =>
    Buffer.from(
      JSON.stringify({
        type: bent.type ?? type,
        challenge: bent.challenge ?? challenge,
        origin: bent.origin ?? origin,
        crossOrigin: bent.crossOrigin ?? false,
      }),
    )
  const head = (flags: number, bent: Bent) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(bent.counter ?? 0)
    return Buffer.concat([sha256(bent.host ?? host), Buffer.from([bent.flags ?? flags]), counter])
  }
  const cosePublicKey = () => {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const part = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
    return Buffer.from(
      isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, part(x)],
          [-3, part(y)],
        ]),
      ),
    )
  }
  const create = ({ challenge }: { challenge: string }, bent: Bent = {}): Input<'passkey/add'>['passkey'] => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(credentialId.length)
    const authData = Buffer.concat([
      head(
        USER_PRESENT | USER_VERIFIED | HAS_KEY,
        bent.flags === undefined ? bent : { ...bent, flags: bent.flags | HAS_KEY },
      ),
      Buffer.alloc(16),
      length,
      credentialId,
      cosePublicKey(),
    ])
    const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', new Uint8Array(authData)],
    ])
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData('webauthn.create', challenge, bent).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
        transports: ['internal'],
      },
    }
  }
  const assert = ({ challenge }: Pick<SignOptions, 'challenge'>, bent: Bent = {}): Assertion => {
    const data = clientData('webauthn.get', challenge, bent)
    const authData = head(USER_PRESENT | USER_VERIFIED, bent)
    const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), bent.otherKey ?? privateKey)
    const assertion: Assertion = {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    }
    return bent.after ? bent.after(assertion) : assertion
  }
  return { id, create, assert }
}
export type SoftwarePasskey = ReturnType<typeof softwarePasskey>

/** Makes a call from a page at `origin`. */
export const askFrom = async <N extends Parameters<Person['ask']>[0]>(
  server: TestServer,
  person: Pick<Person, 'token'> | undefined,
  name: N,
  input: Input<N>,
  origin = ORIGIN,
): Promise<Reply> =>
  (
    await server.post(name, server.wire.seal(name, input), {
      origin,
      ...(person ? { authorization: `Bearer ${person.token}` } : {}),
    })
  ).reply

/** Adds a passkey by its calls. `code` proves the present second factor, if there is one. */
export const withPasskey = async (server: TestServer, person: Person, { name = 'Phone', code = '' } = {}) => {
  const passkey = softwarePasskey()
  const begun = await askFrom(server, person, 'passkey/beginAdd', { password: PASSWORD, code })
  const options = begun.data as Answer<'passkey/beginAdd'>
  const added = await askFrom(server, person, 'passkey/add', { passkey: passkey.create(options), name })
  if (added.code !== OK) throw new Error(`passkey/add was refused: ${begun.message} ${added.message}`)
  return { passkey, ...(added.data as Answer<'passkey/add'>) }
}

/** Signs in with a passkey in a browser of its own. */
export const signInWith = async (
  server: TestServer,
  passkey: SoftwarePasskey,
  face: 'office' | 'member' = 'office',
  bent: Bent = {},
): Promise<Reply> => {
  const own = browser(server, ORIGIN)
  const options = (await own.ask('passkey/begin', {})).data as SignOptions
  return own.ask('login', { face, passkey: passkey.assert(options, bent) })
}
