import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { RoomChange } from '@tallyroom/contract/events'
import { expect } from 'vitest'
import { makeAccount } from '../../accounts/accounts.ts'
import { isOperator, Role, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { createRoom } from '../../chat/create-room.ts'
import { connect, one, sql } from '../../data/sql.ts'
import { Refused } from '../../lib/refusal.ts'
import type { Hub } from '../../live/hub.ts'
import { silentHub } from '../no-sockets.ts'
import { freshDatabase, whenDone } from '../postgres.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { type AnswerOrder, type Ledger, makeLedger, type MoveOrder } from '../../ledger/engine/ledger.ts'
import { type Caps } from '../../ledger/rules/rules.ts'
import { roleRights } from '../../identity/menu-pages.ts'

export type Someone = MoveOrder['actor']
type Made = { under?: Someone; credit?: bigint; unlimited?: boolean; points?: bigint; withoutRoom?: boolean }
type MoveTerms = Partial<Omit<MoveOrder, 'kind' | 'actor' | 'idempotencyKey'>> & { id?: string; body?: string }

const idempotencyKey = (id: string = randomUUID(), body = 'the same') => ({
  id,
  hash: createHash('sha256').update(body).digest(),
})

/** The outcome of an order as one word: its status or the name of its refusal. */
export const outcome = (answer: Promise<{ status: number }>): Promise<string> =>
  answer.then(
    ({ status }) => ['failed', 'success', 'rejected', 'expired', 'pending'][status] ?? '',
    (error: unknown) => {
      if (error instanceof Refused) return error.refusal
      throw error
    },
  )

const noCaps: Caps = { envelope: undefined, day: undefined }

/** A ledger on a database of its own, with one pool for each process. */
export const world = async ({ processes = 1, envelopeHours = 24, timeZone = 'UTC', caps = noCaps } = {}) => {
  const config = await freshDatabase()
  const changes: RoomChange[] = []
  const notified: number[] = []
  const hub: Hub = {
    ...silentHub,
    roomChanged: (_room, render) => changes.push(render('partner')),
    notify: (id) => notified.push(id),
  }
  const pools = Array.from({ length: processes }, () => connect({ ...config, max: 4 }))
  const ledgers = pools.map((db): Ledger => makeLedger({ db, hub, settings: { timeZone, envelopeHours, caps } }))
  const [db, ledger] = [pools[0], ledgers[0]]
  if (!db || !ledger) throw new Error('a world needs a process')
  whenDone(async () => {
    for (const pool of pools) await pool.end()
  })

  const someone = async (
    role: Role,
    { under, credit, unlimited, points, withoutRoom }: Made = {},
  ): Promise<Someone> => {
    const username = `t${randomBytes(4).toString('hex')}`
    const parent = under && { id: under.id, topId: under.topId, path: under.path, groupId: under.groupId }
    const terms = {
      username,
      nickname: '',
      passwordHash: '-',
      limitOfCredit: credit ?? 0n,
      unlimited: unlimited ?? false,
    }
    const made = await db.transact(async (tx) => {
      const account = await makeAccount(tx, { parent, role, ...terms })
      if (role === Role.member && !withoutRoom) await createRoom(tx, account)
      return account
    })
    const path = `${under?.path ?? '/'}${made.id}/`
    const groupPath = isOperator(role) ? path : (under?.groupPath ?? path)
    const funderId = role === Role.customerService ? made.groupId : made.id
    const rights = roleRights[role]
    const self = { ...made, role, path, groupPath, funderId, username, nickname: '', rights }
    if (points && under) await ledger.move(order(under, self.id, points))
    return self
  }

  const order = (actor: Someone, targetId: number, amount: bigint, terms: MoveTerms = {}): Omit<MoveOrder, 'kind'> => {
    const { id, body, ...rest } = terms
    const orderSource = { call: 'user/transaction', actor, idempotencyKey: idempotencyKey(id, body) }
    return {
      ...orderSource,
      targetId,
      amount,
      transferKind: TransferKind.send,
      wallet: WalletKind.main,
      remark: '',
      room: undefined,
      ...rest,
    }
  }
  /** Terms of an envelope, offered in the member's room. */
  const inRoom = (terms: MoveTerms = {}): MoveTerms => ({
    room: { code: undefined, auditAmount: undefined },
    call: 'transaction/add',
    ...terms,
  })
  const reply = (actor: Someone, transactionId: string, accept: boolean, id?: string): Omit<AnswerOrder, 'kind'> => ({
    call: 'envelope/answer',
    actor,
    idempotencyKey: idempotencyKey(id, String(accept)),
    transactionId,
    accept,
  })
  const family = async (points = 10_000_000n) => {
    const top = await someone(Role.admin, { unlimited: true })
    const agent = await someone(Role.agent, { under: top, points })
    const cs = await someone(Role.customerService, { under: agent })
    const member = await someone(Role.member, { under: agent })
    return { top, agent, cs, member }
  }
  const balance = async (who: Someone, kind: WalletKind = WalletKind.main) =>
    (
      await one<{ balance: bigint }>(
        db,
        sql`select balance from wallets where account_id = ${who.id} and kind = ${kind}`,
      )
    )?.balance
  /** The member bets its whole remaining turnover and wins it back. */
  const meetTurnover = async (member: Someone) => {
    const due = await one<{ amount: bigint }>(
      db,
      sql`select flow_due as amount from wallets where account_id = ${member.id} and kind = 1`,
    )
    if (!due?.amount) return
    const bet = { topId: member.topId, memberId: member.id, betId: randomUUID(), amount: due.amount }
    await ledger.bet(bet)
    await ledger.win(bet)
  }
  /** Expects every invariant of the ledger to hold. */
  const isSound = async () => {
    const findings = await checkLedger(db, timeZone)
    expect(findings.filter(({ breaches }) => breaches.length)).toEqual([])
    expect(findings.length).toBeGreaterThan(10)
  }
  return {
    config,
    db,
    pools,
    ledger,
    ledgers,
    changes,
    notified,
    someone,
    family,
    order,
    inRoom,
    reply,
    balance,
    meetTurnover,
    isSound,
  }
}
