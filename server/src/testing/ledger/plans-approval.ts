import { randomUUID } from 'node:crypto'
import { Role, TransferKind } from '@tallyroom/contract/codes'
import { many, run, sql } from '../../data/sql.ts'
import { conversationRoom, conversationVersion } from '../../ledger/engine/load/approvals.ts'
import { seenOf } from '../../ledger/rules/rules-approval.ts'
import type { ApprovalModel, DecisionName, SeenBalances } from './model-approval.ts'
import type { Model, TransferName } from './model.ts'
import { type NamedTransfer, type Plan, stateOf } from './plans-cash.ts'
import type { Someone, world } from './world.ts'
import { asSuperuser } from '../postgres.ts'

type Parts = {
  w: Awaited<ReturnType<typeof world>>
  model: Model
  approvals: ApprovalModel
  /** The transfers of both ledgers. */
  made: readonly NamedTransfer[]
  /** Payments of requests. Several may have waited for one transfer: that of a request for points out. */
  payments: readonly NamedTransfer[]
  everyone: Someone[]
  pick: <T>(items: readonly T[]) => T
  chance: (part: number) => boolean
}

/** Every outcome that these orders must have had; their expiry is counted by itself. */
export const approvalWords = [
  'approved',
  'refused',
  'withdrawn',
  'approval.not_found',
  'approval.ended',
  'approval.changed',
]

type SeenRow = Parameters<typeof seenOf>[0]
type Decided = { name: string; target: number; approvalId: number; seen: string }

/** Random decisions on transfers above a limit. */
export const approvalPlans = ({ w, model, approvals, made, payments, everyone, pick, chance }: Parts) => {
  const all = () => [...made, ...payments]
  /** What approvers see of these transfers in the real ledger. */
  const shown = async (names: string[]): Promise<Decided[]> => {
    const ids = all().flatMap(({ name, transactionId }) => (names.includes(name) ? [transactionId] : []))
    const rows = await many<{ transactionId: string; id: number; nth: number; target: number } & SeenRow>(
      w.db,
      sql`select t.transaction_id as "transactionId", p.id, t.target_id as target, t.amount, f.balance as "funderBalance",
          g.balance as "targetBalance", ${conversationVersion(conversationRoom)} as conversation,
          (row_number() over (partition by p.transfer_id order by p.id))::int - 1 as nth
        from approvals p join transfers t on t.id = p.transfer_id join accounts k on k.id = t.target_id
          join wallets f on f.account_id = t.funder_id and f.kind = 1
          join wallets g on g.account_id = t.target_id and g.kind = t.wallet
        where t.transaction_id = any(${ids}::uuid[])`,
    )
    return rows.flatMap(({ transactionId, target, nth, ...row }) => {
      const name = all().filter((one) => one.transactionId === transactionId)[nth]?.name ?? ''
      return names.includes(name) ? [{ name, target, approvalId: row.id, seen: seenOf(row) }] : []
    })
  }
  const planOf = ({ name, approvalId, seen }: Decided): Plan => {
    const maker = approvals.approvals.get(name)?.maker
    const move: DecisionName = pick(['approve', 'approve', 'approve', 'approve', 'refuse', 'withdraw'])
    // Mostly of those who could decide it; whether they may, the model says.
    const near = everyone.filter((one) => one.role !== Role.member && maker?.path.startsWith(one.groupPath))
    const actor = move === 'withdraw' && maker && chance(0.9) ? maker : chance(0.9) ? pick(near) : pick(everyone)
    const isCurrent = chance(0.85)
    const balances: SeenBalances | undefined = isCurrent ? approvals.seen(name) : undefined
    const body = `${move} ${name} ${isCurrent}`
    return {
      actor,
      plan: (id) => ({
        expected: () => model.once(actor.id, id, body, () => approvals.decide(move, actor, name, balances)),
        real: () =>
          stateOf(
            w.ledger.decide({
              ...w.order(actor, 0, 0n, { id, body, call: `approval/${move}` }),
              approvalId,
              move,
              seen: isCurrent ? seen : 'of another time',
              reason: 'why',
            }),
          ),
      }),
    }
  }
  return {
    /**
     * Decisions for the beginning of a batch, one for each receiver: the model knows no conversations, and later orders
     * of the batch may write into them.
     */
    plans: async (): Promise<(Plan & { id: string })[]> => {
      const known = [...approvals.approvals]
      const open = known.flatMap(([name, { state }]) => (state === 'waiting' ? [name] : []))
      const ended = known.flatMap(([name, { state }]) => (state === 'waiting' ? [] : [name]))
      const names = new Set([1, 2, 3, 4, 5].flatMap(() => (open.length ? [pick(open)] : [])))
      if (ended.length && chance(0.1)) names.add(pick(ended))
      const found = await shown([...names])
      const firsts = found.filter(({ target }, at) => found.findIndex((one) => one.target === target) === at)
      return firsts.map((one) => ({ ...planOf(one), id: randomUUID() }))
    },
    /** Ends the time of some of them in both ledgers. */
    passTimes: async () => {
      for (const [name, approval] of approvals.approvals) {
        if (approval.state !== 'waiting' || approval.overdue || !chance(0.03)) continue
        const transactionId = all().find((one) => one.name === name)?.transactionId ?? ''
        approval.overdue = true
        await asSuperuser(
          (tx) =>
            run(
              tx,
              sql`update approvals p set expires_at = now() - interval '1 second' from transfers t
                where t.id = p.transfer_id and t.transaction_id = ${transactionId} and p.state = 'waiting'`,
            ),
          w.config,
        )
      }
    },
    /** Limits these accounts in both ledgers. */
    limit: async (accounts: readonly (readonly [Someone, { transfer?: bigint; day?: bigint; member?: bigint }])[]) => {
      const kinds: TransferName[] = ['send', 'receive', 'gift', 'makeUp', 'gameSend', 'gameDeduct']
      for (const [who, most] of accounts)
        for (const kind of kinds) {
          approvals.limit(who, kind, most)
          await run(
            w.db,
            sql`insert into transfer_limits (account_id, top_id, op, per_transfer, per_day, per_member)
              values (${who.id}, ${who.topId}, ${TransferKind[kind]}, ${most.transfer ?? null}, ${most.day ?? null},
                ${most.member ?? null})`,
          )
        }
    },
  }
}
