import type { CallName } from '@tallyroom/contract'
import type { ApiRight } from '@tallyroom/contract/api/rights'
import type { sensitiveChangeCalls } from '@tallyroom/contract/calls/office/change'
import {
  approvalMoves,
  type ApprovalState,
  guardedKinds,
  type SensitiveChangeKind,
  type GuardedKind,
} from '@tallyroom/contract/limits'
import {
  askForApproval,
  ensureAsShown,
  otherAdmins,
  refuseByToken,
  tellOfSensitiveChange,
} from '../../accounts/sensitive-changes.ts'
import { ringBells } from '../../chat/bell/ring.ts'
import { once } from '../../data/idempotency.ts'
import { type Db, one, run, type Sql, sql, type Tx } from '../../data/sql.ts'
import { type Actor, actorOfAccount, withScopeOfTop } from '../../identity/actor.ts'
import { audit, type AuditFacts } from '../../identity/audit.ts'
import { keyHas } from '../../identity/api-keys.ts'
import { may } from '../../identity/policy.ts'
import { needFreshSignIn } from '../../identity/sessions.ts'
import { mayDecideSensitiveChange } from '../../identity/approvers.ts'
import { isWaiting } from '../../ledger/engine/sensitive-changes.ts'
import { ensure, refuse, Refused } from '../../lib/refusal.ts'
import type { Hub } from '../../live/hub.ts'
import { sensitiveChangeList } from './change/list.ts'
import { type BatchedCtx, type Ctx, type Handlers, orderSource } from '../handler.ts'

/** Makes an approved change. `ctx` is the approver's, with the maker as its actor. `facts` is what was shown. */
type Make = (ctx: Ctx, input: never, facts: AuditFacts) => Promise<unknown>
/** The calls whose changes can wait, each with what makes them. Corrections are made by the ledger, files by their call. */
export type Makers = Partial<Record<CallName, Make>>

type Move = 'approve' | 'refuse' | 'withdraw'
type Found = {
  id: number
  topId: number
  kind: SensitiveChangeKind
  call: CallName
  makerId: number
  targetId: number
  input: Record<string, unknown>
  facts: AuditFacts
  isWaiting: boolean
}

/** The change if the actor may decide it, or for `withdraw` has made it; every other one looks as if it did not exist. */
const sensitiveChangeFor = async (db: Db, actor: Actor, id: number, move: Move, lock?: Sql) => {
  const isAllowed =
    move === 'withdraw' ? sql`c.maker_id = ${actor.id}` : mayDecideSensitiveChange(sql`${actor.id}::int`)
  const found = await one<Found>(
    db,
    sql`select c.id, c.top_id as "topId", c.kind, c.call, c.maker_id as "makerId", c.target_id as "targetId", c.change as input, c.facts,
        ${isWaiting} as "isWaiting"
      from sensitive_changes c join accounts a on a.id = c.maker_id
      where c.id = ${id} and c.top_id = ${actor.topId} and ${isAllowed} ${lock ?? sql``}`,
  )
  return ensure(found, 'approval.not_found')
}

type Ended = Pick<Found, 'id' | 'makerId'>
type Ending = { state: Exclude<ApprovalState, 'waiting'>; by: number | null; answer?: string }

const endAs = async (db: Tx, hub: Hub, { id, makerId }: Ended, { state, by, answer = '' }: Ending) => {
  await run(
    db,
    sql`update sensitive_changes set state = ${state}, ended_at = now(), ended_by = ${by}, answer = ${answer}
      where id = ${id} and state = 'waiting'`,
  )
  if (state !== 'withdrawn')
    await ringBells(db, hub, [{ accountId: makerId, kind: 'decision', byId: by, changeId: id }])
}

const end = async (ctx: Ctx, id: number, move: 'refuse' | 'withdraw', reason = '') => {
  const { db, actor, services } = ctx
  const { topId, kind, makerId, targetId, ...found } = await sensitiveChangeFor(
    db,
    actor,
    id,
    move,
    sql`for no key update of c`,
  )
  if (!found.isWaiting) return refuse('approval.ended')
  const { to } = approvalMoves[move]
  await endAs(db, services.hub, { id, makerId }, { state: to, by: actor.id, answer: reason })
  const target = { id: targetId, topId }
  if (move === 'refuse') await audit(db, ctx, 'approval_refused', target, { change: kind, maker: makerId, reason })
  await tellOfSensitiveChange(db, services.hub, { topId, makerId })
  return { id, state: to }
}

/** The maker as it is now. The change is made in its name, so it must still be allowed to make it. */
const makerOf = async ({ db, services }: BatchedCtx | Ctx, { makerId, call }: Found): Promise<Actor> => {
  const maker = ensure(await actorOfAccount(db, makerId, services.settings.timeZone), 'account.not_found')
  if (maker.status === 0) return refuse('change.maker_frozen')
  if (may(maker, call)) return maker
  const right = rightOfKey[call]
  if (!right || !(await keyHas(db, makerId, right))) return refuse('access.denied')
  return right === 'accounts:write' ? withScopeOfTop(db, maker, services.settings.timeZone) : maker
}
/** The rights with which keys ask for changes. */
const rightOfKey: Partial<Record<CallName, ApiRight>> = {
  'transaction/correct': 'points:correct',
  'user/saveAbilities': 'accounts:write',
  'limit/save': 'accounts:write',
  'tree/move': 'accounts:write',
}

const approve = (makers: Makers) => async (ctx: Ctx, id: number) => {
  const { db, actor, services } = ctx
  const found = await sensitiveChangeFor(db, actor, id, 'approve', sql`for no key update of c`)
  const { topId, kind, makerId, targetId } = found
  if (!found.isWaiting) return refuse('approval.ended')
  const maker = await makerOf(ctx, found)
  await endAs(db, services.hub, found, { state: 'approved', by: actor.id })
  await makers[found.call]?.({ ...ctx, actor: maker }, found.input as never, found.facts)
  await audit(db, ctx, 'approval_given', { id: targetId, topId }, { change: kind, maker: makerId, ...found.facts })
  await tellOfSensitiveChange(db, services.hub, { topId, makerId })
  return { id, state: 'approved' as const }
}

/** The ledger's writer makes the correction and ends the change in one batch. */
const approveCorrection = async (ctx: BatchedCtx, found: Found) => {
  const { id, topId, makerId, input } = found
  const { db, services } = ctx
  const maker = await makerOf(ctx, found)
  const { transaction_id, remark } = input as { transaction_id: string; remark: string }
  await services.ledger.correct({
    ...orderSource(ctx, 'change/approve'),
    transactionId: transaction_id,
    remark,
    approves: { sensitiveChangeId: id, maker },
  })
  await db.transact((tx) => tellOfSensitiveChange(tx, services.hub, { topId, makerId }))
  return { id, state: 'approved' as const }
}

/** A change that no longer fits can never be approved: it ends. */
const endFailed = ({ db, services: { hub } }: BatchedCtx, { id, topId, makerId }: Found) =>
  db.transact(async (tx) => {
    await endAs(tx, hub, { id, makerId }, { state: 'failed', by: null })
    await tellOfSensitiveChange(tx, hub, { topId, makerId })
  })

const rulesOf = async (db: Db, topId: number, lock = sql``): Promise<GuardedKind[]> => {
  const found = await one<{ kinds: string[] }>(
    db,
    sql`select four_eyes as kinds from accounts where id = ${topId} ${lock}`,
  )
  return guardedKinds.filter((kind) => found?.kinds.includes(kind))
}
const rulesFacts = (before: string[], after: string[]): AuditFacts => ({
  four_eyes: [before.join(', '), after.join(', ')],
})

const storeRules = async (ctx: Ctx, after: string[], facts: AuditFacts) => {
  const { db, actor } = ctx
  await run(db, sql`update accounts set four_eyes = ${after}::text[] where id = ${actor.topId}`)
  await audit(db, ctx, 'settings_changed', { id: actor.topId, topId: actor.topId }, facts)
}

/** Takes kinds out of the rules, after another admin has approved it. */
const makeRules = async (ctx: Ctx, { kinds }: { kinds: string[] }, shown: AuditFacts) => {
  const before = await rulesOf(ctx.db, ctx.actor.topId, sql`for no key update`)
  ensureAsShown(shown, rulesFacts(before, kinds))
  await storeRules(ctx, kinds, shown)
}

export const sensitiveChangeHandlers = (makers: Makers) =>
  ({
    'change/list': ({ db, actor, services }, search) =>
      sensitiveChangeList(db, actor, services.settings.envelopeHours, search),

    'change/approve': {
      batched: async (ctx, { id, current_password }) => {
        const { db, actor, idempotencyKey } = ctx
        const found = await sensitiveChangeFor(db, actor, id, 'approve')
        refuseByToken(actor)
        await needFreshSignIn(ctx, current_password)
        try {
          if (found.call === 'transaction/correct') return await approveCorrection(ctx, found)
          return await once(db, { actorId: actor.id, call: 'change/approve', idempotencyKey }, (tx) =>
            approve({ ...makers, 'change/saveRules': makeRules })({ ...ctx, db: tx }, id),
          )
        } catch (error) {
          if (error instanceof Refused && outdated.has(error.refusal)) await endFailed(ctx, found)
          throw error
        }
      },
    },

    'change/refuse': (ctx, { id, reason }) => {
      refuseByToken(ctx.actor)
      return end(ctx, id, 'refuse', reason)
    },
    'change/withdraw': (ctx, { id }) => end(ctx, id, 'withdraw'),

    'change/rules': async ({ db, actor }) => ({ kinds: await rulesOf(db, actor.topId) }),

    'change/saveRules': async (ctx, { kinds, current_password }) => {
      const { db, actor } = ctx
      const before = await rulesOf(db, actor.topId, sql`for no key update`)
      const after = guardedKinds.filter((kind) => kinds.includes(kind))
      if (before.join() === after.join()) return { approval: 0 }
      await needFreshSignIn(ctx, current_password)
      // Otherwise nobody could approve what the only admin changes.
      if (after.length > 0 && (await otherAdmins(db, actor)) === 0) return refuse('change.needs_two')
      const facts = rulesFacts(before, after)
      if (before.every((kind) => after.includes(kind))) {
        await storeRules(ctx, after, facts)
        return { approval: 0 }
      }
      const target = { id: actor.topId, topId: actor.topId }
      await askForApproval(ctx, {
        kind: 'four_eyes',
        call: 'change/saveRules',
        input: { kinds: after },
        target,
        facts,
      })
      return { approval: 1 }
    },
  }) satisfies Handlers<typeof sensitiveChangeCalls>

/** Refusals after which the same change can never be made. */
const outdated = new Set<string>([
  'approval.changed',
  'transfer.already_corrected',
  'transfer.not_correctable',
  'tree.under_itself',
  'tree.same_place',
  'account.wrong_place',
])
