import type { CallName, Input } from '@tallyroom/contract'
import { generate } from 'otplib'
import { io } from 'socket.io-client'
import { one, run, sql } from '../data/sql.ts'
import { PASSWORD, type Person, type Reply, type TestServer } from './app.ts'

/** A client that keeps cookies and asks for bound sessions, like a browser that shows a page of `origin`. */
export const browser = (server: TestServer, origin?: string) => {
  const jar = new Map<string, string>()
  const ask = async <N extends CallName>(name: N, input: Input<N>, token?: string): Promise<Reply> => {
    const { reply, headers } = await server.post(name, server.wire.seal(name, input), {
      'x-bound-session': 'office',
      ...(origin ? { origin } : {}),
      cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; '),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    })
    for (const line of headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(key, value)
    }
    return reply
  }
  return { jar, ask }
}

/** A client without cookies. */
export const bare =
  (server: TestServer) =>
  async <N extends CallName>(name: N, input: Input<N>): Promise<Reply> =>
    (await server.post(name, server.wire.seal(name, input))).reply

/** Tries to open a socket: 'open', or the reason why not. */
export const socketWith = (server: TestServer, token: string | undefined, jar: Map<string, string>): Promise<string> =>
  new Promise((resolve) => {
    const cookie = [...jar].map(([key, value]) => `${key}=${value}`).join('; ')
    const socket = io(server.address, {
      path: '/socket',
      auth: token === undefined ? {} : { token },
      extraHeaders: { cookie },
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
    })
    const end = (outcome: string) => {
      socket.disconnect()
      resolve(outcome)
    }
    socket.once('connect', () => end('open'))
    socket.once('connect_error', ({ message }) => end(message))
  })

/** Catches the SMS that are sent from now on, newest last. */
export const caughtSms = (server: TestServer) => {
  const sent: { to: string; text: string }[] = []
  server.services.sms = {
    send: async (to, text) => {
      sent.push({ to, text })
    },
  }
  return { sent, code: () => /\d{6}/.exec(sent.at(-1)?.text ?? '')?.[0] ?? '' }
}

/** The authenticator's code some steps from now, by the database's clock. */
export const codeOf = async ({ services }: TestServer, secret: string, steps = 0): Promise<string> => {
  const now = await one<{ epoch: number }>(services.db, sql`select floor(extract(epoch from now()))::int as epoch`)
  return generate({ secret, epoch: (now?.epoch ?? 0) + 30 * steps })
}

/** Sets up an authenticator by its calls; afterwards the current code can be used again. */
export const withAuthenticator = async (server: TestServer, person: Person) => {
  const { secret } = await person.call('factor/begin', { password: PASSWORD })
  const { recovery_codes } = await person.call('factor/confirm', { code: await codeOf(server, secret) })
  await run(server.services.db, sql`update second_factors set totp_step = 0 where account_id = ${person.id}`)
  return { secret, recovery: recovery_codes }
}

/** `code`: a code of the present authenticator, if there is one. */
export const withPhone = async (server: TestServer, person: Person, code = '', mobile = '+886912345678') => {
  const sms = caughtSms(server)
  await person.call('factor/sendPhoneCode', { password: PASSWORD, code, mobile })
  await person.call('factor/setPhone', { code: sms.code() })
  await minutesPass(server, person.id, 2)
  return mobile
}

/** Makes everything stored about an account's sign-ins older. */
export const minutesPass = async ({ services }: TestServer, accountId: number, minutes: number) => {
  const by = sql`make_interval(mins => ${minutes}::int)`
  await run(
    services.db,
    sql`update sms_codes set sent_at = sent_at - ${by}, expires_at = expires_at - ${by} where account_id = ${accountId}`,
  )
  await run(
    services.db,
    sql`update challenges set expires_at = expires_at - ${by}, proof_expires_at = proof_expires_at - ${by}
      where account_id = ${accountId}`,
  )
  await run(services.db, sql`update sign_in_tries set last_at = last_at - ${by}, blocked_until = blocked_until - ${by}`)
}
