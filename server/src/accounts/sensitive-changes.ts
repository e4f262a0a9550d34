import { createHash } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import type { SensitiveChangeKind } from '@tallyroom/contract/limits'
import { formatPoints } from '@tallyroom/contract/points'
import type { Logger } from 'pino'
import { tellApprovers } from '../chat/push/approval-pushes.ts'
import { type NewBellItem, ringBells } from '../chat/bell/ring.ts'
import { type Database, type Db, many, one, type Sql, sql, type Tx } from '../data/sql.ts'
import type { Actor } from '../identity/actor.ts'
import { mayDecideSensitiveChange } from '../identity/approvers.ts'
import { audit, type AuditFacts } from '../identity/audit.ts'
import { repeat } from '../lib/concurrency.ts'
import { refuse } from '../lib/refusal.ts'
import type { Hub } from '../live/hub.ts'

/** The part of a call's context that the guard needs. */
type GuardedCtx = {
  db: Tx
  actor: Actor
  caller: { address: string }
  services: { hub: Pick<Hub, 'notify'>; settings: { envelopeHours: number } }
}

export type SensitiveChange = {
  kind: SensitiveChangeKind
  /** The call that makes it once it is approved (calls/office/change.ts), and what it needs for that. */
  call: string
  input: Record<string, unknown>
  target: { id: number; topId: number }
  /** The part of the target that changes. Only one change of a subject waits at a time. */
  subject?: string
  /** The approver sees these values, before and after. The change is approved exactly so or not at all. */
  facts: AuditFacts
}

/** Whether a platform wants a second account for changes of a kind. */
export const isGuarded = async (db: Db, topId: number, kind: SensitiveChangeKind): Promise<boolean> =>
  (await one<{ is: boolean }>(db, sql`select ${kind} = any(four_eyes) as is from accounts where id = ${topId}`))?.is ===
  true

/**
 * The guard of sensitive changes, called in the transaction that is about to make one. True: a second account has to
 * approve it, it waits now, and the caller must not make it.
 * @throws Refused change.waits_already, change.signed_in_by_link
 */
export const waitsForApproval = async (ctx: GuardedCtx, sensitiveChange: SensitiveChange): Promise<boolean> => {
  if (!(await isGuarded(ctx.db, ctx.actor.topId, sensitiveChange.kind))) return false
  await askForApproval(ctx, sensitiveChange)
  return true
}

/**
 * An admin that a token signed in neither asks nor approves, nor makes another admin: with the tokens of its API key the
 * top account could ask as one admin and approve as another.
 * @throws Refused change.signed_in_by_link
 */
export const refuseByToken = ({ role, session }: Actor): void => {
  if (role === Role.admin && session.byToken) refuse('change.signed_in_by_link')
}

export const askForApproval = async (ctx: GuardedCtx, asked: SensitiveChange): Promise<void> => {
  const { db, actor, services } = ctx
  refuseByToken(actor)
  const { kind, call, input, target, subject = '', facts } = asked
  const same = sql`top_id = ${actor.topId} and kind = ${kind} and target_id = ${target.id} and subject = ${subject}
    and state = 'waiting'`
  await expireSensitiveChanges(db, services.hub, same)
  const made = await one<{ id: number }>(
    db,
    sql`insert into sensitive_changes (top_id, kind, call, maker_id, target_id, subject, change, facts, expires_at)
      values (${actor.topId}, ${kind}, ${call}, ${actor.id}, ${target.id}, ${subject}, ${JSON.stringify(input)},
        ${JSON.stringify(facts)}, now() + make_interval(secs => ${services.settings.envelopeHours * 3600}::float8))
      on conflict do nothing returning id`,
  )
  if (!made) {
    const waiting = await one<{ makerId: number; input: unknown }>(
      db,
      sql`select maker_id as "makerId", change as input from sensitive_changes where ${same}`,
    )
    if (waiting?.makerId === actor.id && canonical(waiting.input) === canonical(input)) return
    return refuse('change.waits_already')
  }
  await audit(db, ctx, 'approval_asked', target, { change: kind, ...facts })
  await tellOfSensitiveChange(db, services.hub, { topId: actor.topId, makerId: actor.id, made: made.id })
}

/** Ends the changes `which` whose deadline is over, and tells their makers. @returns how many */
export const expireSensitiveChanges = async (tx: Tx, hub: Pick<Hub, 'notify'>, which: Sql): Promise<number> => {
  const expired = await many<{ id: number; topId: number; makerId: number }>(
    tx,
    sql`update sensitive_changes set state = 'expired', ended_at = expires_at
      where state = 'waiting' and expires_at <= now() and ${which} returning id, top_id as "topId", maker_id as "makerId"`,
  )
  const items = expired.map(
    ({ id, makerId }): NewBellItem => ({ accountId: makerId, kind: 'decision', byId: null, changeId: id }),
  )
  await ringBells(tx, hub, items)
  await tellApprovers(tx, hub, {
    topIds: expired.map(({ topId }) => topId),
    makerIds: expired.map(({ makerId }) => makerId),
    made: undefined,
  })
  return expired.length
}

const EXPIRE_MS = 5000

type Expiring = { db: Database; hub: Hub; log: Pick<Logger, 'error'> }
/** Ends sensitive changes whose deadline is over, until it is stopped. */
export const startExpiring = ({ db, hub, log }: Expiring): (() => Promise<void>) =>
  repeat({
    everyMs: EXPIRE_MS,
    work: () => db.transact((tx) => expireSensitiveChanges(tx, hub, sql`true`)),
    onError: (error) => log.error({ err: error }, 'Could not end the changes whose deadline is over; trying again'),
  })

/** `made`: the change that waits now; its approvers are called. */
export const tellOfSensitiveChange = (
  tx: Tx,
  hub: Pick<Hub, 'notify'>,
  { topId, makerId, made }: { topId: number; makerId: number; made?: number },
): Promise<void> =>
  tellApprovers(tx, hub, {
    topIds: [topId],
    makerIds: [makerId],
    made: made === undefined ? undefined : { about: 'change', which: sql`i.id = ${made}` },
  })

/** Text that is equal for equal JSON values; points as they are sent. */
const canonical = (value: unknown): string => {
  if (typeof value === 'bigint') return JSON.stringify(formatPoints(value))
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`)
    .join()}}`
}

/** An approved change is made as it was shown. @throws Refused approval.changed */
export const ensureAsShown = (shown: AuditFacts, now: AuditFacts): void => {
  if (canonical(shown) !== canonical(now)) refuse('approval.changed')
}

type Export = {
  call: string
  filter: Record<string, unknown>
  what: string
  rows: number
  /** The account that it is about, if it is about one. */
  about?: number
}

/**
 * Whether the maker of an approved export `c` may fetch it again. The connection may have been lost before
 * the file arrived, and another account would have to approve the same again.
 */
export const mayFetchAgain = sql`c.used_at > now() - interval '10 minutes'`

/**
 * Whether a file must wait: it names members in full, and the platform wants a second account for that. An approved one
 * is made once, until the deadline for approvals is over once more, and again within ten minutes.
 */
export const exportWaits = async (ctx: GuardedCtx, { call, filter, what, rows, about }: Export): Promise<boolean> => {
  const { db, actor, services } = ctx
  if (actor.masks || !(await isGuarded(db, actor.topId, 'export'))) return false
  const input = JSON.parse(canonical(filter)) as Record<string, unknown>
  const subject = `${actor.id}/${createHash('sha256').update(canonical({ call, input })).digest('base64url').slice(0, 22)}`
  const allowed = await one(
    db,
    sql`with approved as (select id, used_at from sensitive_changes c
        where maker_id = ${actor.id} and kind = 'export' and subject = ${subject} and state = 'approved'
          and (${mayFetchAgain} or used_at is null
            and ended_at > now() - make_interval(secs => ${services.settings.envelopeHours * 3600}::float8))
        order by used_at, id limit 1 for update),
      made as (update sensitive_changes c set used_at = now() from approved a where c.id = a.id and a.used_at is null)
      select id from approved`,
  )
  if (allowed) return false
  await askForApproval(ctx, {
    kind: 'export',
    call,
    input,
    target: { id: about ?? actor.id, topId: actor.topId },
    subject,
    facts: { what, rows, ...shownFilter(input) },
  })
  return true
}

export type ExportCtx = Omit<GuardedCtx, 'db'> & {
  services: GuardedCtx['services'] & { db: Pick<Database, 'transact'>; settings: { timeZone: string } }
}

/**
 * For a call that reads, which has no transaction: whether its file must wait; otherwise the file is audited. Both in one
 * transaction, so that an approval is not used up without a file, and nothing waits without an entry.
 */
export const exportMustWait = (ctx: ExportCtx, asked: Export): Promise<boolean> =>
  ctx.services.db.transact(async (tx) => {
    if (await exportWaits({ ...ctx, db: tx }, asked)) return true
    const { what, rows, about } = asked
    const target = about === undefined ? undefined : { id: about, topId: ctx.actor.topId }
    await audit(tx, ctx, 'exported', target, { what, rows })
    return false
  })

const isPlain = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** The filters of the file; empty fields are left out. */
const shownFilter = (input: Record<string, unknown>): AuditFacts =>
  Object.fromEntries(
    Object.entries(input).flatMap(([field, value]) => {
      const text = Array.isArray(value) ? value.join(', ') : isPlain(value) ? String(value) : ''
      // In a file of transfers it is a number, the tab of the page, which `what` names already.
      const isTab = field === 'kind' && typeof value === 'number'
      return text === '' || field === 'menu_id' || field === 'id' || field === 'role_id' || isTab ? [] : [[field, text]]
    }),
  )

/** An export that waits: no file yet. */
export const noFile = { name: '', csv: '', cut: false, approval: 1 } as const

/** How many accounts could approve the changes of an admin. */
export const otherAdmins = async (db: Db, { id, topId }: Actor): Promise<number> =>
  (
    await one<{ n: number }>(
      db,
      sql`select count(*)::int as n from accounts o, accounts a where o.top_id = ${topId} and o.role_id = ${Role.admin} and a.id = ${id}
      and ${mayDecideSensitiveChange(sql`o.id`)}`,
    )
  )?.n ?? 0
