import { randomBytes, randomUUID } from 'node:crypto'
import type { CallName, Input } from '@tallyroom/contract'
import { signatureOf } from '../../server/src/member-api/signing.ts'
import type { Wire } from '../../server/src/http/wire.ts'
import { asPost, asRequest } from '../lib/http.ts'

/** Payer and target. The bench leaves game wallets of `plain` and `consenting` members alone: they never owe turnover. */
export type Pair = { agent: string; service: string; id: number; token: string; room: string; username: string }
export type People = { plain: Pair[]; playing: Pair[]; consenting: Pair[] }
export type Key = { id: string; secret: string }
export type Frame = { url: string; wire: Wire; admin: string; key: Key }

/** A request, or a function that makes it from the answer to the request before it. */
type Step = Buffer | ((before: string) => Buffer)
/** The requests that one client sends in order for one operation. */
export type Job = { steps: Step[]; transfers: number }
/** `mine`: members of this client alone, because a member may have only one open request for points. */
export type Choice = { people: People; mine: Pair[] }
export type Mix = 'deposits' | 'envelopes' | 'requests paid' | 'all kinds'

const AMOUNT = '0.01'
/** Points each member starts with, so that points can be taken back. */
const FUNDS = '100'

const pick = <T>(from: T[]): T => from[Math.floor(Math.random() * from.length)] as T
const requestIn = (answer: string) => Number(/"id":(\d+)/.exec(answer)?.[1])
const transactionIn = (answer: string) => /"transaction_id":"([0-9a-f-]{36})"/.exec(answer)?.[1] ?? ''

/** All operations of the ledger by name. Each picks its member. */
const makeOperations = ({ url, wire, admin, key }: Frame) => {
  const ask = <N extends CallName>(call: N, token: string, input: Input<N>): Buffer =>
    asRequest(url, call, token, wire.seal(call, { ...input, request_id: randomUUID() }))
  const one = (request: Buffer): Job => ({ steps: [request], transfers: 1 })

  const listed = ({ agent, id }: Pair, amount: string, type: 1 | 2) =>
    ask('user/transaction', agent, { id, amount, remark: 'bench', type })
  const inRoom = ({ service, id, room }: Pair, type: 1 | 2 | 3 | 4 | 5 | 6) =>
    ask('transaction/add', service, { member_id: id, type, amount: AMOUNT, remark: 'bench', code: room })
  const answered = (pair: Pair, type: 1 | 2, accept: boolean): Job => ({
    steps: [
      inRoom(pair, type),
      (before) => ask('envelope/answer', pair.token, { transaction_id: transactionIn(before), accept }),
    ],
    transfers: 1,
  })
  const reported = (name: 'bet/report' | 'win/report', { username }: Pair, betId: string) => {
    const path = `/member-api/v1/${name}`
    const body = JSON.stringify({ username, bet_id: betId, amount: AMOUNT, request_id: randomUUID() })
    const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomBytes(16).toString('hex')]
    const signature = signatureOf(key.secret, { method: 'POST', path, timestamp, nonce, body })
    const signed = { key: key.id, timestamp, nonce, signature }
    const headers = Object.entries(signed).map(([of, value]) => `x-tallyroom-${of}: ${value}`)
    return asPost(url, path, headers, body)
  }
  const betAndWin = (pair: Pair): Job => {
    const betId = randomUUID()
    return { steps: [reported('bet/report', pair, betId), () => reported('win/report', pair, betId)], transfers: 2 }
  }
  const corrected = (pair: Pair): Job => ({
    steps: [
      listed(pair, AMOUNT, 1),
      (before) => ask('transaction/correct', admin, { transaction_id: transactionIn(before), remark: 'bench' }),
    ],
    transfers: 2,
  })

  /** A member asks, customer service takes the request and pays it. */
  const paid = (pair: Pair, direction: 'in' | 'out'): Job => ({
    steps: [
      ask('cash/ask', pair.token, { direction, amount: AMOUNT }),
      (before) => ask('cash/take', pair.service, { id: requestIn(before) }),
      (before) => ask('cash/pay', pair.service, { id: requestIn(before), amount: AMOUNT }),
    ],
    transfers: 1,
  })

  const envelopes = {
    accept: ({ mine }: Choice) => answered(pick(mine), 1, true),
    reject: ({ mine }: Choice) => answered(pick(mine), 1, false),
    'request, accept': ({ mine }: Choice) => answered(pick(mine), 2, true),
    'request, reject': ({ mine }: Choice) => answered(pick(mine), 2, false),
  }
  const deposits = { deposit: ({ people }: Choice) => one(listed(pick(people.plain), AMOUNT, 1)) }
  return {
    deposits,
    envelopes,
    'requests paid': {
      in: ({ mine }: Choice) => paid(pick(mine), 'in'),
      out: ({ mine }: Choice) => paid(pick(mine), 'out'),
    },
    'all kinds': {
      ...deposits,
      ...envelopes,
      'wash out': ({ people }: Choice) => one(listed(pick(people.plain), `-${AMOUNT}`, 1)),
      'game wallet': ({ people }: Choice) => one(listed(pick(people.playing), AMOUNT, 2)),
      'out of the game wallet': ({ people }: Choice) => one(listed(pick(people.playing), `-${AMOUNT}`, 2)),
      send: ({ people }: Choice) => one(inRoom(pick(people.plain), 1)),
      receive: ({ people }: Choice) => one(inRoom(pick(people.plain), 2)),
      gift: ({ people }: Choice) => one(inRoom(pick(people.plain), 3)),
      'make-up': ({ people }: Choice) => one(inRoom(pick(people.plain), 4)),
      'game send': ({ people }: Choice) => one(inRoom(pick(people.playing), 5)),
      'game deduct': ({ people }: Choice) => one(inRoom(pick(people.playing), 6)),
      'to the own game wallet': ({ people }: Choice) =>
        one(ask('wallet/toGame', pick(people.playing).token, { amount: AMOUNT })),
      'bet and win': ({ people }: Choice) => betAndWin(pick(people.playing)),
      correction: ({ people }: Choice) => corrected(pick(people.plain)),
    },
    /** The opening balances. */
    funds: ({ plain, playing, consenting }: People): Job[] => [
      ...[...plain, ...playing, ...consenting].map((pair) => one(listed(pair, FUNDS, 1))),
      ...playing.map((pair) => one(listed(pair, FUNDS, 2))),
    ],
  }
}

/** Jobs for many clients, picked at random from the operations of a mix; each client has its own list. */
export const makeJobs = (frame: Frame, people: People, mix: Mix | 'funds', clients: number, count: number): Job[][] => {
  const all = makeOperations(frame)
  if (mix === 'funds') {
    const rows: Job[][] = Array.from({ length: clients }, () => [])
    for (const [at, job] of all.funds(people).entries()) rows[at % clients]?.push(job)
    return rows
  }
  const operations = Object.values(all[mix])
  return Array.from({ length: clients }, (_, client) => {
    const mine = people.consenting.filter((_pair, at) => at % clients === client)
    return Array.from({ length: Math.ceil(count / clients) }, () => pick(operations)({ people, mine }))
  })
}
