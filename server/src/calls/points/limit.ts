import type { limitCalls } from '@tallyroom/contract/calls/points/limit'
import { isOperator, Role } from '@tallyroom/contract/codes'
import { type LimitPart, limitParts } from '@tallyroom/contract/limits'
import { formatPoints, parsePoints } from '@tallyroom/contract/points'
import { type OfficeKind, officeKinds } from '@tallyroom/contract/transfer-kinds'
import { ensureAsShown, waitsForApproval } from '../../accounts/sensitive-changes.ts'
import { many, one, run, sql } from '../../data/sql.ts'
import { idsOfPath, visibleAccounts } from '../../identity/actor.ts'
import { audit, type AuditFacts } from '../../identity/audit.ts'
import { nameFor } from '../../identity/explain-rights.ts'
import { shownUsername } from '../../identity/masking.ts'
import { mayAct } from '../../identity/policy.ts'
import {
  type BatchLimit,
  limitColumns,
  type LimitRow,
  type LimitSum,
  readLimits,
} from '../../ledger/engine/load/limits.ts'
import { limitsAlong } from '../../ledger/rules/rules-limits.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import type { Ctx, Handlers, ReadCtx } from '../handler.ts'

type Most = Record<LimitPart, bigint | null>
const byPart = <T>(of: (part: LimitPart) => T): Record<LimitPart, T> => ({
  transfer: of('transfer'),
  hour: of('hour'),
  day: of('day'),
  member: of('member'),
})
const nothing: Most = byPart(() => null)
const texts = (most: Most) => byPart((part) => asText(most[part]))
const asText = (points: bigint | null) => (points === null ? null : formatPoints(points))

/** The limits of an account of the downline: its own, and what holds for it with those above. */
export const viewLimits = async (ctx: Pick<ReadCtx, 'db' | 'actor' | 'services'>, id: number) => {
  const { db, actor, services } = ctx
  const { caps, timeZone } = services.settings
  const target = await limitedBelow(ctx, id)
  const holderIds = idsOfPath(target.path)
  const found = ensure(
    await one<{ limits: LimitRow[]; limitSums: LimitSum[] }>(
      db,
      sql`select ${limitColumns({ holderIds, targetIds: [] }, timeZone, sql``)}`,
    ),
    'server.failed',
  )
  const limits = readLimits(found)
  const holders = await many<Holder>(
    db,
    sql`select a.id, a.username, a.nickname, a.is_sub as "isSub", a.path from accounts a
      where a.id = any(${limits.map(({ accountId }) => accountId)}::int[])`,
  )
  const names = new Map(holders.map((holder) => [holder.id, nameFor(actor, holder)]))
  return {
    id,
    username: shownUsername(actor, target),
    limits: officeKinds.map((type) => viewOf(type, target, limits, names)),
    ceiling: { envelope: asText(caps.envelope ?? null), day: asText(caps.day ?? null) },
  }
}

export const limitHandlers = {
  'limit/view': (ctx, { id }) => viewLimits(ctx, id),

  'limit/save': async (ctx, { id, limits }) => {
    const target = await limitedBelow(ctx, id)
    const before = await limitsBefore(ctx, id)
    const raised = limits.filter((limit) => isRaised(limit, before))
    const waits =
      raised.length > 0 &&
      (await waitsForApproval(ctx, {
        kind: 'rights',
        call: 'limit/save',
        input: { id, limits: raised.map(({ type, ...most }) => ({ type, ...texts(most) })) },
        target,
        subject: 'limits',
        facts: factsOf(raised, before),
      }))
    const kept = waits ? limits.filter((limit) => !raised.includes(limit)) : limits
    await storeLimits(ctx, target, kept)
    const facts = factsOf(kept, before)
    if (Object.keys(facts).length) await audit(ctx.db, ctx, 'limits_changed', target, facts)
    return waits ? { approval: 1 as const } : null
  },
} satisfies Handlers<typeof limitCalls>

type NewLimit = { type: OfficeKind } & Most
type StoredLimits = { id: number; limits: ({ type: OfficeKind } & Record<LimitPart, string | null>)[] }

/** Makes raised limits that were approved, as `shown`. */
export const makeLimits = async (ctx: Ctx, { id, limits }: StoredLimits, shown: AuditFacts) => {
  const target = await limitedBelow(ctx, id)
  const points = (text: string | null) => (text === null ? null : (parsePoints(text) ?? null))
  const after = limits.map(({ type, ...most }) => ({ type, ...byPart((part) => points(most[part])) }))
  ensureAsShown(shown, factsOf(after, await limitsBefore(ctx, id)))
  await storeLimits(ctx, target, after)
  await audit(ctx.db, ctx, 'limits_changed', target, shown)
}

/** Locked in the order in which the ledger locks them. */
const limitsBefore = ({ db }: Ctx, id: number) =>
  many<NewLimit>(
    db,
    sql`select op as type, per_transfer as transfer, per_hour as hour, per_day as day, per_member as member
      from transfer_limits where account_id = ${id} order by op for no key update`,
  )

/** More may be moved without approval than before: a limit is higher, or gone. */
const isRaised = (after: NewLimit, before: NewLimit[]): boolean => {
  const was = before.find(({ type }) => type === after.type)
  return limitParts.some((part) => {
    const [old, now] = [was?.[part] ?? null, after[part]]
    return old !== null && (now === null || now > old)
  })
}

const storeLimits = async ({ db }: Ctx, { id, topId }: Limited, limits: NewLimit[]): Promise<void> => {
  if (limits.length === 0) return
  const column = <T>(pick: (limit: NewLimit) => T) => limits.map(pick)
  await run(
    db,
    sql`insert into transfer_limits (account_id, top_id, op, per_transfer, per_hour, per_day, per_member)
        select ${id}::int, ${topId}::int, * from unnest(${column(({ type }) => type)}::smallint[],
          ${column(({ transfer }) => transfer)}::bigint[], ${column(({ hour }) => hour)}::bigint[],
          ${column(({ day }) => day)}::bigint[], ${column(({ member }) => member)}::bigint[])
        on conflict (account_id, op) do update set per_transfer = excluded.per_transfer, per_hour = excluded.per_hour,
          per_day = excluded.per_day, per_member = excluded.per_member`,
  )
}

const factsOf = (limits: NewLimit[], before: NewLimit[]): AuditFacts =>
  limits.reduce<AuditFacts>(
    (all, after) => ({ ...all, ...limitDifferences(after, before.find(({ type }) => type === after.type) ?? nothing) }),
    {},
  )

const limitDifferences = (after: NewLimit, before: Most): AuditFacts =>
  Object.fromEntries(
    limitParts.flatMap((part) =>
      before[part] === after[part]
        ? []
        : [[`limit_${after.type}_${part}`, [asText(before[part]), asText(after[part])] as const]],
    ),
  )

type Holder = Parameters<typeof nameFor>[1]

const viewOf = (
  type: OfficeKind,
  { id, path }: { id: number; path: string },
  all: BatchLimit[],
  names: ReadonlyMap<number, string>,
) => {
  const along = limitsAlong(
    path,
    all.filter(({ transferKind }) => transferKind === type),
  )
  const own = along.find(({ accountId }) => accountId === id)
  /** The lowest limit; among equal ones, that of the highest account. */
  const leastOf = (part: LimitPart, limits: BatchLimit[]) =>
    limits.reduce<{ most: bigint; holderId: number } | null>((least, { accountId, most }) => {
      const here = most[part]
      return here === null || (least !== null && least.most <= here) ? least : { most: here, holderId: accountId }
    }, null)
  const effectiveOf = (part: LimitPart) => asText(leastOf(part, along)?.most ?? null)
  const aboveOf = (part: LimitPart) => {
    const least = leastOf(
      part,
      along.filter((limit) => limit !== own),
    )
    return least && { most: formatPoints(least.most), of: names.get(least.holderId) ?? '' }
  }
  return {
    type,
    ...texts(own?.most ?? nothing),
    effective: byPart(effectiveOf),
    above: byPart(aboveOf),
    used: { hour: formatPoints(own?.hourUsed ?? 0n), day: formatPoints(own?.dayUsed ?? 0n) },
  }
}

type Limited = { id: number; topId: number; role: Role; path: string; username: string; isSub: 0 | 1 }

/** An agent or customer service of the downline; nobody limits the own account. */
const limitedBelow = async ({ db, actor }: Pick<ReadCtx, 'db' | 'actor'>, id: number): Promise<Limited> => {
  if (id === actor.id) return refuse('account.not_yourself')
  const row = ensure(
    await one<Limited>(
      db,
      sql`select a.id, a.top_id as "topId", a.role_id as role, a.path, a.username, a.is_sub as "isSub" from accounts a
        where a.id = ${id} and ${visibleAccounts(actor)}`,
    ),
    'account.not_found',
  )
  const isMover = isOperator(row.role) || row.role === Role.customerService
  return isMover && mayAct(actor, 'limit/save', row.role) ? row : refuse('access.denied')
}
