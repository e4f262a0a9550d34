import { TransferKind } from '@tallyroom/contract/codes'
import { batcher } from '../../lib/batcher.ts'
import type { RepeatableWrite } from '../../lib/idempotency-key.ts'
import type { BatchFacts } from '../../lib/measures.ts'
import { codeOf } from '../../data/faults.ts'
import { type Database, many, one, sql } from '../../data/sql.ts'
import { Refused } from '../../lib/refusal.ts'
import type { Traces } from '../../lib/traces.ts'
import type { Hub } from '../../live/hub.ts'
import type { Outcome } from '../../data/idempotency.ts'
import type { Settings } from '../../config/settings.ts'
import { adoptZone, OtherTimeZone, type ZoneSettings } from '../check/time-zone.ts'
import { runBatch } from './batch.ts'
import { BrokenOrder } from './broken-order.ts'
import { gameAccountFinder } from './game-account.ts'
import { is } from '../../domain/is.ts'
import type {
  EnvelopeAnswer,
  AnswerOrder,
  BetAnswer,
  BetOrder,
  CashActAnswer,
  CashActOrder,
  CashAskAnswer,
  CashAskOrder,
  CashPayAnswer,
  CorrectOrder,
  DecideAnswer,
  DecideOrder,
  TransferAnswer,
  ToGameAnswer,
  MoveOrder,
  Order,
  ToGameOrder,
} from '../rules/orders.ts'

export type { AnswerOrder, MoveOrder } from '../rules/orders.ts'

/**
 * The only writer of balances. Orders are queued while a batch is in flight; each batch is one transaction. An order is
 * answered after its commit, and the same request again gets the same answer. Any number of processes may write at once:
 * the database's locks, checks and unique keys keep balances right.
 */
export type Ledger = {
  /** Moves points, or offers them in a room. @throws Refused */
  move(order: Omit<MoveOrder, 'kind'>): Promise<TransferAnswer>
  /** The member's answer to an envelope. @throws Refused */
  answer(order: Omit<AnswerOrder, 'kind'>): Promise<EnvelopeAnswer>
  /** A member moves its own points into its game wallet. @throws Refused */
  toGame(order: Omit<ToGameOrder, 'kind'>): Promise<ToGameAnswer>
  /** Reverses an earlier transfer, once. @throws Refused */
  correct(order: Omit<CorrectOrder, 'kind'>): Promise<TransferAnswer>
  /**
   * A member's bet, from the wallet it plays from (the game wallet if it has one, else the main one) to the game account.
   * `amount` and `valid` are 1/10000 points; `valid` is what counts as turnover, at most and by default the amount. Unique
   * by `betId` (1 to 64 characters) below the top account: the same bet again moves nothing and gets the same answer; with
   * another member, amount or `valid` it is refused. A refused bet may be reported again. `report` is the platform's
   * request, if it has an id; the answer is then stored with it too.
   * @throws Refused bet.id_reused, bet.voided, account.not_found, transfer.amount_invalid, transfer.frozen, transfer.member_not_enough
   */
  bet(bet: Bet & { valid?: bigint }): Promise<BetAnswer>
  /**
   * The win of a bet, from the game account to the member: once for each `betId`, also when the member is frozen by now.
   * @throws Refused bet.not_found, bet.id_reused, bet.voided, account.not_found, transfer.amount_invalid
   */
  win(win: Bet): Promise<BetAnswer>
  /**
   * Gives a bet without a win back, once for each `betId`, with the turnover that it filled. The bet and its win are
   * refused from then on.
   * @throws Refused bet.not_found, bet.has_win, transfer.amount_invalid
   */
  voidBet(of: Pick<Bet, 'topId' | 'betId' | 'report'>): Promise<BetAnswer>
  /** A member asks for points; points out are held until the request ends. @throws Refused */
  askForPoints(order: Omit<CashAskOrder, 'kind'>): Promise<CashAskAnswer>
  /** Moves a member's request to its next state. @throws Refused */
  actOnCashRequest(order: Omit<CashActOrder, 'kind'>): Promise<CashActAnswer>
  /** Ends a member's request with the transfer that it asks for, in one transaction. @throws Refused */
  payCashRequest(order: Omit<CashActOrder, 'kind' | 'move'>): Promise<CashPayAnswer>
  /** Approves or refuses what is above a limit of its maker, or takes it back. @throws Refused */
  decide(order: Omit<DecideOrder, 'kind'>): Promise<DecideAnswer>
  /**
   * Ends envelopes and approvals that are overdue or have a frozen side, and requests that are overdue; gives back requests whose lease is
   * over. Returns how many.
   */
  expireDue(): Promise<number>
}

/** A bet or win of a member below the top account; `amount` in 1/10000 points, positive. */
type Bet = {
  topId: number
  memberId: number
  betId: string
  amount: bigint
  report?: RepeatableWrite | undefined
}

type LedgerOptions = {
  db: Database
  hub: Hub
  settings: ZoneSettings & Pick<Settings, 'envelopeHours' | 'caps'>
  onBatch?: (batch: BatchFacts) => void
  traces?: Traces | undefined
}

export const makeLedger = ({ db, hub, settings, onBatch, traces }: LedgerOptions): Ledger => {
  const runOnce = (orders: Order[]) => db.transact((tx) => runBatch(tx, { hub, frame: settings, orders }), true)
  const run = (orders: Order[]) =>
    runOnce(orders).catch(async (error: unknown) => {
      // An admin has just chosen the zone on another copy.
      if (error instanceof OtherTimeZone && (await adoptZone(db, settings))) return runOnce(orders)
      throw error
    })

  const runAlone = async (order: Order): Promise<Outcome | Error> => {
    for (let tries = 1; ; tries++) {
      try {
        const [outcome] = await run([order])
        return outcome ?? new Error('the batch returned no outcome for an order')
      } catch (error) {
        if (tries < MAX_TRIES && isTransient(error)) continue
        return error instanceof Error ? error : new Error(String(error))
      }
    }
  }

  const submit = batcher<Order, Outcome>(
    async (orders) => {
      try {
        return await run(orders)
      } catch (error) {
        // A bad item must not fail the others. A lost connection is no item's fault: callers repeat the request and learn
        // its outcome.
        if (!(error instanceof BrokenOrder) && !isStatementError(error)) throw error
        const outcomes: (Outcome | Error)[] = []
        for (const order of orders) outcomes.push(await runAlone(order))
        return outcomes
      }
    },
    { onBatch, traces: traces?.batches('transfers') },
  )

  const submitOrder = async <T>(order: Order): Promise<T> => {
    const outcome = await submit(order)
    if ('refused' in outcome) throw new Refused(outcome.refused, outcome.with)
    return outcome.data as T
  }

  const gameAccountOf = gameAccountFinder(db)
  const playGame = async ({ topId, ...bet }: Bet, terms: Pick<BetOrder, 'transferKind' | 'counts'>) =>
    submitOrder<BetAnswer>({ ...bet, ...terms, kind: 'bet', topId, gameAccountId: await gameAccountOf(topId) })

  return {
    bet: ({ valid, ...bet }) => playGame(bet, { transferKind: TransferKind.bet, counts: valid ?? bet.amount }),
    win: (win) => playGame(win, { transferKind: TransferKind.win, counts: 0n }),
    voidBet: async ({ topId, betId, report }) => {
      // Neither can change, so they may be read before the lock.
      const bet = await one<{ memberId: number; amount: bigint }>(
        db,
        sql`select target_id as "memberId", amount from transfers
          where top_id = ${topId} and bet_id = ${betId} and op = ${is.bet}`,
      )
      if (!bet) throw new Refused('bet.not_found')
      return playGame({ topId, betId, report, ...bet }, { transferKind: TransferKind.betVoid, counts: 0n })
    },
    toGame: (order) => submitOrder<ToGameAnswer>({ ...order, kind: 'toGame' }),
    correct: (order) => submitOrder<TransferAnswer>({ ...order, kind: 'correct' }),
    move: (order) => submitOrder<TransferAnswer>({ ...order, kind: 'move' }),
    answer: (order) => submitOrder<EnvelopeAnswer>({ ...order, kind: 'answer' }),
    askForPoints: (order) => submitOrder<CashAskAnswer>({ ...order, kind: 'cashAsk' }),
    actOnCashRequest: (order) => submitOrder<CashActAnswer>({ ...order, kind: 'cashAct' }),
    payCashRequest: (order) => submitOrder<CashPayAnswer>({ ...order, kind: 'cashAct', move: 'pay' }),
    decide: (order) => submitOrder<DecideAnswer>({ ...order, kind: 'decide' }),
    expireDue: async () => {
      // Without locks: another process may find the same ones, and sees under the lock that they are settled.
      const due = await many<{ id: bigint }>(
        db,
        sql`select e.transfer_id as id from envelopes e join transfers t on t.id = e.transfer_id
          where e.status = ${is.pending} and e.type in (${is.giving}, ${is.asking}) and (e.expires_at <= now()
            or exists (select from accounts a where a.id in (t.funder_id, t.target_id) and a.status = ${is.frozen}))
          order by e.expires_at limit 1000`,
      )
      const cashRequests = await many<{ id: number }>(
        db,
        sql`select id from cash_requests where state in ('asked', 'taken')
          and (lease_until <= now() or (taken_by is null and expires_at <= now() and maybe_paid_by is null)) order by id limit 1000`,
      )
      const approvals = await many<{ id: number }>(
        db,
        sql`select p.id from approvals p join transfers t on t.id = p.transfer_id where p.state = 'waiting'
          and (p.expires_at <= now() or exists (select from accounts a
            where a.id in (p.maker_id, t.funder_id, t.target_id) and a.status = ${is.frozen})) order by p.id limit 1000`,
      )
      const ended = await Promise.all([
        ...due.map(({ id }) => submitOrder<boolean>({ kind: 'lapse', transferId: id })),
        ...approvals.map(({ id }) => submitOrder<boolean>({ kind: 'approvalLapse', approvalId: id })),
        ...cashRequests.map(({ id }) => submitOrder<boolean>({ kind: 'cashLapse', cashId: id })),
      ])
      return ended.filter(Boolean).length
    },
  }
}

const MAX_TRIES = 5

/** An SQL error of a statement, not of the connection (08), the server's resources (53) or its shutdown (57). */
const isStatementError = (error: unknown) => /^(?!08|53|57)[0-9A-Z]{5}$/.test(codeOf(error))

/** Serialization failure, deadlock, or a unique key taken at the same moment: the next try finds it settled. */
const isTransient = (error: unknown) => ['40001', '40P01', '23505'].includes(codeOf(error))
