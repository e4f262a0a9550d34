import type { CallName, Input } from '@tallyroom/contract'
import { run, sql } from '../../server/src/data/sql.ts'
import { hashPassword, ofThisProcess } from '../../server/src/identity/passwords.ts'
import { makeWire } from '../../server/src/http/wire.ts'
import { ownSeconds } from '../lib/cpu.ts'
import { asRequest, HttpConnection, isOk } from '../lib/http.ts'
import { describeMachine } from '../lib/machine.ts'
import { makePeople, topAccount } from '../lib/people.ts'
import { report } from '../lib/report.ts'
import { seconds, alternate } from '../lib/rounds.ts'
import { openServer } from '../lib/server.ts'
import { medians, quantile } from '../lib/stats.ts'

// The time of a light call, idle and during sign-ins, each with its full argon2id.
const LIGHT_A_SECOND = 100
const SIGN_INS_A_SECOND = 20
const SECONDS = seconds(15)
const PEOPLE = 400
const PASSWORD = 'secret123'

// All sign-ins come from one address: without this the bench would measure that address's limit.
const server = await openServer({ env: { CALL_LIMITS: 'off' } })
const { db, url } = server
const people = await makePeople(db, {
  role: 2,
  under: [await topAccount(db)],
  each: PEOPLE,
  prefix: 'agent',
})
await run(db, sql`update accounts set password_hash = ${await hashPassword(PASSWORD, ofThisProcess)} where role_id = 2`)
const { secret } = (await (await fetch(`${url}/config.json`)).json()) as { secret: string }
const wire = makeWire(secret)
const requestOf = <N extends CallName>(call: N, token: string, input: Input<N>) =>
  asRequest(url, call, token, wire.seal(call, input))

/**
 * Sends requests at a steady rate, answered or not: waiting for answers would flatter a slow server. Returns the
 * milliseconds of each, counted from when it was due.
 */
const atPace = async (aSecond: number, next: (n: number) => Buffer): Promise<number[]> => {
  const idle: HttpConnection[] = []
  const all: HttpConnection[] = []
  const times: number[] = []
  const underWay: Promise<void>[] = []
  const began = performance.now()
  const send = async (n: number) => {
    const due = began + (n * 1000) / aSecond
    const connection = idle.pop() ?? (await HttpConnection.open(url))
    if (!all.includes(connection)) all.push(connection)
    await new Promise<void>((resolve, reject) => {
      connection.send(next(n), (body) => {
        times.push(performance.now() - due)
        idle.push(connection)
        if (isOk(body)) resolve()
        else reject(new Error(`refused: ${body.slice(0, 200)}`))
      })
    })
  }
  for (let n = 0; n < aSecond * SECONDS; n++) {
    const wait = began + (n * 1000) / aSecond - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    underWay.push(send(n))
  }
  await Promise.all(underWay)
  for (const connection of all) connection.close()
  return times
}

const light = () =>
  atPace(LIGHT_A_SECOND, (n) => requestOf('userMenu/auth', people[n % PEOPLE]?.token ?? '', { url: '/chat' }))
let at = 0
const signIns = () =>
  atPace(SIGN_INS_A_SECOND, () =>
    requestOf('login', '', { username: people[at++ % PEOPLE]?.username ?? '', password: PASSWORD }),
  )

const measured = async (other?: () => Promise<number[]>) => {
  const before = ownSeconds(server.pid)
  const [calls, others] = await Promise.all([light(), other?.() ?? Promise.resolve([])])
  return {
    p50: quantile(calls, 0.5),
    p99: quantile(calls, 0.99),
    signInP50: quantile(others, 0.5),
    signInP99: quantile(others, 0.99),
    cores: (ownSeconds(server.pid) - before) / SECONDS,
  }
}

const found = await alternate({ quiet: () => measured(), busy: () => measured(signIns) })
const [quiet, busy] = [medians(found.quiet), medians(found.busy)]

report({
  name: 'sign-in',
  title: `Sign-ins: a light call beside ${SIGN_INS_A_SECOND} a second`,
  machine: describeMachine(server.postgres),
  tables: [
    {
      caption: `userMenu/auth, ${LIGHT_A_SECOND} a second at a steady pace`,
      rows: [
        ['', 'p50 ms', 'p99 ms', 'sign-in p50 ms', 'sign-in p99 ms', "the server's cores"],
        ['quiet', quiet.p50, quiet.p99, quiet.signInP50, quiet.signInP99, quiet.cores],
        [
          `beside ${SIGN_INS_A_SECOND} sign-ins a second`,
          busy.p50,
          busy.p99,
          busy.signInP50,
          busy.signInP99,
          busy.cores,
        ],
      ],
    },
  ],
  ratios: [{ what: 'p99: beside sign-ins / quiet', value: busy.p99 / quiet.p99, aim: { most: 3 } }],
  notes: [
    'Each sign-in is right, and costs an argon2id of 19 MiB and two passes, a session and a row of the audit log. Both loads go at a steady pace from one other process, on the same machine, whether or not answers have come; milliseconds are counted from the moment when a request was due.',
  ],
  rounds: found,
})
await server.close()
