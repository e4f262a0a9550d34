import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, type CallName, contract, type ErrorName, type Input, OK } from '@tallyroom/contract'
import type { ClientEvents, ServerEvents } from '@tallyroom/contract/events'
import { parsePoints } from '@tallyroom/contract/points'
import type { Logger } from 'pino'
import { io, type Socket } from 'socket.io-client'
import { makeAccount } from '../accounts/accounts.ts'
import { Role } from '@tallyroom/contract/codes'
import type { Running } from '../start/serve.ts'
import { startServices } from '../start/services.ts'
import { createRoom } from '../chat/create-room.ts'
import type { DatabaseConfig } from '../data/servers.ts'
import { one, sql } from '../data/sql.ts'
import { hashPassword, ofThisProcess } from '../identity/passwords.ts'
import { openSession } from '../identity/sessions.ts'
import { settingsFrom } from '../config/settings.ts'
import { networkOf } from '../lib/address.ts'
import { makeWire } from '../http/wire.ts'
import { postTo } from './http.ts'
import { testDatabase, whenDone } from './postgres.ts'

export type Reply = { code: number; message: string; data: unknown; refusal?: ErrorName }
export type Person = {
  id: number
  username: string
  token: string
  /** Makes a call over HTTP and returns the whole answer. */
  ask<N extends CallName>(name: N, input: Input<N>): Promise<Reply>
  /** Makes a call that must succeed and returns its data. */
  call<N extends CallName>(name: N, input: Input<N>): Promise<Answer<N>>
  socket(): Promise<Socket<ServerEvents, ClientEvents>>
}
export type TestServer = Running & {
  wire: ReturnType<typeof makeWire>
  /** Posts any name, body and headers, without a session. */
  post(
    name: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; reply: Reply; headers: Headers }>
  person(made: { role: Role; under?: Person; points?: string; limit?: string; unlimited?: boolean }): Promise<Person>
  /** The same person as a client of this server, when several run on one database. */
  here(person: Person): Person
  /** The member bets its whole remaining turnover and wins it back. */
  meetTurnover(member: Person): Promise<void>
  /** Makes a top account, an agent, customer service and a member with a room, for one test. */
  family(): Promise<{ top: Person; agent: Person; cs: Person; member: Person; room: string }>
}

export const PASSWORD = 'secret123'
let hashed: Promise<string> | undefined
const passwordHash = () => (hashed ??= hashPassword(PASSWORD, ofThisProcess))

/** Starts a server on the database of this test file and closes it after the file. `way` replaces how it is reached. */
export const startTestServer = async (
  env: Record<string, string> = {},
  log?: Logger,
  way: DatabaseConfig = {},
): Promise<TestServer> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tallyroom-test-'))
  const settings = settingsFrom({
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    TALLYROOM_KEY: '5e'.repeat(32),
    CALL_LIMITS: 'off',
    // Tests that look at the seal write it themselves.
    SEAL_LEDGER: '0',
    ...env,
  })
  const running = await startServices(settings, { ...(await testDatabase()), ...way }, log)
  const sockets: Socket[] = []
  let closed: Promise<void> | undefined
  const close = () => (closed ??= running.close())
  whenDone(async () => {
    for (const socket of sockets) socket.disconnect()
    await close()
  })
  const wire = makeWire(settings.wireSecret)
  const { services, address } = running

  const post: TestServer['post'] = async (name, body, headers = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const all = { 'content-type': 'application/json', ...headers }
    const answer = await postTo(`${address}/api/${name}`, text, all)
    return { status: answer.status, reply: JSON.parse(answer.text) as Reply, headers: answer.headers }
  }

  const asPerson = (id: number, username: string, token: string): Person => {
    const ask: Person['ask'] = async (name, input) =>
      (await post(name, wire.seal(name, input), { authorization: `Bearer ${token}` })).reply
    return {
      id,
      username,
      token,
      ask,
      call: async (name, input) => {
        const reply = await ask(name, input)
        if (reply.code !== OK) throw new Error(`${name} was refused: ${reply.code} ${reply.message}`)
        return contract[name].response.parse(reply.data) as never
      },
      socket: () =>
        new Promise((resolve, reject) => {
          const socket: Socket<ServerEvents, ClientEvents> = io(address, {
            path: '/socket',
            auth: { token },
            transports: ['websocket'],
          })
          sockets.push(socket)
          socket.once('connect', () => resolve(socket))
          socket.once('connect_error', reject)
        }),
    }
  }

  const person: TestServer['person'] = async (made) => {
    const { id, username, token } = await makePerson(running, made)
    const self = asPerson(id, username, token)
    const { points, under } = made
    if (points && under)
      await under.call('user/transaction', { id, amount: points, remark: 'start', request_id: randomUUID() })
    return self
  }

  const family: TestServer['family'] = async () => {
    const top = await person({ role: Role.admin, unlimited: true })
    const agent = await person({ role: Role.agent, under: top, points: '1000' })
    const cs = await person({ role: Role.customerService, under: agent })
    const member = await person({ role: Role.member, under: agent })
    const { data } = await member.call('room/list', {})
    return { top, agent, cs, member, room: data[0]?.code ?? '' }
  }

  const meetTurnover: TestServer['meetTurnover'] = async ({ id }) => {
    const due = await one<{ topId: number; amount: bigint }>(
      services.db,
      sql`select top_id as "topId", flow_due as amount from wallets where account_id = ${id} and kind = 1`,
    )
    if (!due?.amount) return
    const bet = { ...due, memberId: id, betId: randomUUID() }
    await services.ledger.bet(bet)
    await services.ledger.win(bet)
  }

  const here: TestServer['here'] = ({ id, username, token }) => asPerson(id, username, token)
  return { ...running, close, wire, post, person, here, meetTurnover, family }
}

type NewPerson = Parameters<TestServer['person']>[0]
/** Writes an account and opens its session. Signing in has its own tests and would only hash passwords here. */
const makePerson = async ({ services }: Running, { role, under, limit, unlimited = false }: NewPerson) => {
  const username = `t${randomBytes(4).toString('hex')}`
  const parent = under
    ? await one<{ id: number; topId: number; path: string; groupId: number }>(
        services.db,
        sql`select id, top_id as "topId", path, group_id as "groupId" from accounts where id = ${under.id}`,
      )
    : undefined
  const hash = await passwordHash()
  const made = await services.db.transact(async (tx) => {
    const limitOfCredit = parsePoints(limit ?? '0') ?? 0n
    const account = {
      parent,
      role,
      username,
      nickname: `Nick ${username}`,
      passwordHash: hash,
      limitOfCredit,
      unlimited,
    }
    const fresh = await makeAccount(tx, account)
    if (role === Role.member) await createRoom(tx, fresh)
    return fresh
  })
  const caller = {
    address: 'test',
    network: networkOf('test'),
    userAgent: 'test',
    language: 'en',
    secure: false,
    wantsBound: false,
    callId: 'test',
  } as const
  const face = role === Role.member ? 'member' : 'office'
  const token = await openSession(
    services.db,
    { id: made.id, face },
    caller,
    { setCookie: () => {} },
    services.settings.sessions,
  )
  return { id: made.id, username, token }
}
