import { randomUUID } from 'node:crypto'
import { type Answer, type CallName, declared, type Input, OK } from '@tallyroom/contract'
import type { Face } from '../config/setting-types.ts'
import type { Running } from '../start/serve.ts'
import { openSession } from '../identity/sessions.ts'
import { networkOf } from '../lib/address.ts'
import { makeWire } from '../http/wire.ts'

/** A client of a sample account, which makes calls over HTTP like any client. */
export type DemoClient = {
  id: number
  call<N extends CallName>(name: N, input: Input<N>): Promise<Answer<N>>
  /** Sends a file or voice note of one part. */
  sendFile(code: string, file: { bytes: Buffer; name?: string; waveform?: number[] }): Promise<void>
}

export const demoClient = async ({ services, address }: Running, id: number, face: Face): Promise<DemoClient> => {
  const wire = makeWire(services.settings.wireSecret)
  const caller = {
    address: 'demo',
    network: networkOf('demo'),
    userAgent: 'demo',
    language: 'en',
    secure: false,
    wantsBound: false,
    callId: 'demo',
  } as const
  const token = await openSession(
    services.db,
    { id, face },
    caller,
    { setCookie: () => {} },
    services.settings.sessions,
  )
  const headers = { authorization: `Bearer ${token}` }
  const call: DemoClient['call'] = async (name, input) => {
    const own = declared(name).effect === 'write' ? { request_id: randomUUID(), ...input } : input
    const answer = await fetch(`${address}/api/${name}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(wire.seal(name, own)),
    })
    const reply = (await answer.json()) as { code: number; message: string; data: never }
    if (reply.code !== OK) throw new Error(`${name}: ${reply.message}`)
    return reply.data
  }
  return {
    id,
    call,
    async sendFile(code, { bytes, name = '', waveform = [] }) {
      const { upload } = await call('upload/begin', { code, name, size: bytes.length })
      await fetch(`${address}/upload/${upload}?offset=0`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: new Uint8Array(bytes),
      })
      await call('message/sendFile', { code, upload, waveform })
    },
  }
}
