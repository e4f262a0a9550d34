import { TransferKind } from '@tallyroom/contract/codes'
import { batcher } from '../../lib/batcher.ts'
import { codeOf, type Database, many, sql } from '../../data/sql.ts'
import { Refused } from '../../lib/refusal.ts'
import type { Hub } from '../../live/hub.ts'
import type { Outcome } from '../../data/idempotency.ts'
import type { Settings } from '../../config/settings.ts'
import { runBatch } from './batch.ts'
import { BrokenOrder } from './broken-order.ts'
import { houseFinder } from './house-account.ts'
import type {
  EnvelopeAnswer,
  AnswerOrder,
  BetAnswer,
  BetOrder,
  CorrectOrder,
  Moved,
  MovedOwn,
  MoveOrder,
  Order,
  Report,
  ToGameOrder,
} from '../rules/orders.ts'

export type { AnswerOrder, MoveOrder, Mover } from '../rules/orders.ts'

/**
 * The one writer of balances. Orders gather while a batch is in flight; each batch is one transaction.
 * An order is answered after its commit, and the same request again gets the same answer. Any number of
 * processes may do this at once: locks, checks and unique keys of the database keep it right.
 */
export type Ledger = {
  /** Moves points, or offers them in a room. @throws Refused */
  move(order: Omit<MoveOrder, 'kind'>): Promise<Moved>
  /** The member's answer to an envelope. @throws Refused */
  answer(order: Omit<AnswerOrder, 'kind'>): Promise<EnvelopeAnswer>
  /** A member moves its own points into its game wallet. @throws Refused */
  toGame(order: Omit<ToGameOrder, 'kind'>): Promise<MovedOwn>
  /** Takes an earlier transfer back, once. @throws Refused */
  correct(order: Omit<CorrectOrder, 'kind'>): Promise<Moved>
  /**
   * A bet of a member, from the wallet it plays from (the game wallet when it has several, else the main one) to the house of
   * its top account. `amount` and `valid` are 1/10000 points; `valid`, at most the amount and by default all of it, is what
   * counts as turnover. Unique by `betId` (1 to 64 letters) within the top account: the same bet again gets the same answer
   * and moves nothing; with another member, amount or `valid` it is refused. What was refused may be reported again. `report` is the
   * request it comes by, if the platform gave it an id: then the answer is stored with it too.
   * @throws Refused bet.id_reused, account.not_found, transfer.amount_invalid, transfer.frozen, transfer.member_not_enough
   */
  bet(bet: Bet & { valid?: bigint }): Promise<BetAnswer>
  /**
   * What a bet has won, from the house to the member: once for a bet, whose id it carries. Also to who was frozen meanwhile.
   * @throws Refused bet.not_found, bet.id_reused, account.not_found, transfer.amount_invalid
   */
  win(win: Bet): Promise<BetAnswer>
  /** Ends the envelopes whose time is over or one of whose sides is frozen; how many. */
  expireDue(): Promise<number>
}

/** Of a member below the top account; `amount` in 1/10000 points, positive. */
export type Bet = { topId: number; memberId: number; betId: string; amount: bigint; report?: Report | undefined }

type Parts = { db: Database; hub: Hub; settings: Pick<Settings, 'timeZone' | 'envelopeHours' | 'caps'> }

export const makeLedger = ({ db, hub, settings }: Parts): Ledger => {
  const run = (orders: Order[]) => db.transact((tx) => runBatch(tx, { hub, frame: settings, orders }))

  const alone = async (order: Order): Promise<Outcome | Error> => {
    for (let tries = 1; ; tries++) {
      try {
        const [outcome] = await run([order])
        return outcome ?? new Error('an order without an outcome')
      } catch (error) {
        if (tries < MOST_TRIES && isPassing(error)) continue
        return error instanceof Error ? error : new Error(String(error))
      }
    }
  }

  const submit = batcher<Order, Outcome>(async (orders) => {
    try {
      return await run(orders)
    } catch (error) {
      // One bad item must not fail its neighbours. A lost connection is no item's fault: whoever asks again with the
      // same request_id learns what became of it.
      if (!(error instanceof BrokenOrder) && !isOfAStatement(error)) throw error
      const outcomes: (Outcome | Error)[] = []
      for (const order of orders) outcomes.push(await alone(order))
      return outcomes
    }
  })

  const answered = async <T>(order: Order): Promise<T> => {
    const outcome = await submit(order)
    if ('refused' in outcome) throw new Refused(outcome.refused, outcome.with)
    return outcome.data as T
  }

  const houseOf = houseFinder(db)
  const played = async ({ topId, ...bet }: Bet, terms: Pick<BetOrder, 'transferKind' | 'counts'>) =>
    answered<BetAnswer>({ ...bet, ...terms, kind: 'bet', topId, houseId: await houseOf(topId) })

  return {
    bet: ({ valid, ...bet }) => played(bet, { transferKind: TransferKind.bet, counts: valid ?? bet.amount }),
    win: (win) => played(win, { transferKind: TransferKind.win, counts: 0n }),
    toGame: (order) => answered<MovedOwn>({ ...order, kind: 'toGame' }),
    correct: (order) => answered<Moved>({ ...order, kind: 'correct' }),
    move: (order) => answered<Moved>({ ...order, kind: 'move' }),
    answer: (order) => answered<EnvelopeAnswer>({ ...order, kind: 'answer' }),
    expireDue: async () => {
      // Without locks: two processes may find the same ones, and the second sees under the lock that they are settled.
      const due = await many<{ id: bigint }>(
        db,
        sql`select e.transfer_id as id from envelopes e join transfers t on t.id = e.transfer_id
          where e.status = 4 and (e.expires_at <= now()
            or exists (select from accounts a where a.id in (t.funder_id, t.target_id) and a.status = 0))
          order by e.expires_at limit 1000`,
      )
      const ended = await Promise.all(due.map(({ id }) => answered<boolean>({ kind: 'lapse', transferId: id })))
      return ended.filter(Boolean).length
    },
  }
}

const MOST_TRIES = 5

/** An SQL error of a statement, not of the connection (08), the server's resources (53) or its shutdown (57). */
const isOfAStatement = (error: unknown) => /^(?!08|53|57)[0-9A-Z]{5}$/.test(codeOf(error))

/** Serialization, deadlock, and the same request_id or room at the same moment elsewhere: the next try finds it settled. */
const isPassing = (error: unknown) => ['40001', '40P01', '23505'].includes(codeOf(error))
