import { BankStatus } from '@tallyroom/contract/codes'
import type { ReceivingAccount, receivingCalls } from '@tallyroom/contract/calls/points/receiving'
import { formatPoints, parsePoints } from '@tallyroom/contract/points'
import {
  type Account,
  accountColumns,
  asPayTo,
  freeAmount,
  inOneLine,
  KEPT,
  lockedAccounts,
  ownOffer,
  type StoredAccount,
  type Usable,
} from '../../accounts/payment-offers.ts'
import { ensureAsShown, waitsForApproval } from '../../accounts/sensitive-changes.ts'
import { mediaIdOf } from '../../chat/media-url.ts'
import { many, one, run, sql, type Tx } from '../../data/sql.ts'
import { minuteOf } from '../../domain/day-hours.ts'
import { nearestSetting } from '../../domain/nearest-setting.ts'
import type { Actor } from '../../identity/actor.ts'
import { audit, type AuditFacts, differencesOf } from '../../identity/audit.ts'
import { needFreshSignIn } from '../../identity/sessions.ts'
import { takesCashRequests } from '../../ledger/engine/load/cash.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import type { Ctx, Handlers } from '../handler.ts'

const MAX_ACCOUNTS = 20

const asShown = ({ version: _, changedAt, day_limit, ...account }: StoredAccount): ReceivingAccount => ({
  ...account,
  day_limit: day_limit === null ? null : formatPoints(day_limit),
  changed_at: changedAt?.toISOString() ?? null,
})

export const receivingHandlers = {
  'receiving/list': async ({ db, actor }) => {
    const rows = await many<StoredAccount>(
      db,
      sql`select ${accountColumns} from receiving_accounts v where v.group_id = ${actor.groupId} order by v.position, v.id`,
    )
    return { data: rows.map(asShown) }
  },

  'receiving/save': async (ctx, { id, qr, current_password, ...given }) => {
    const { db, actor, services } = ctx
    const before = await lockedAccount(db, actor, id)
    const owner = { topId: actor.topId, senderId: actor.id }
    const picture = qr ? `/media/${await services.media.savePicture(db, owner, 'code', qr)}` : qr
    const after: Account = { ...given, qr: picture ?? before?.qr ?? '' }
    const facts = factsOf(before, after)
    if (Object.keys(facts).length === 0) return { approval: 0 }
    await needFreshSignIn(ctx, current_password)
    const input = { ...after, day_limit: after.day_limit === null ? null : formatPoints(after.day_limit) }
    const waits = await waitsForApproval(ctx, {
      kind: 'receiving',
      call: 'receiving/save',
      input: { ...(id === undefined ? {} : { id }), ...input },
      target: actor,
      subject: id === undefined ? inOneLine(after) : String(id),
      facts: { receiving_account: inOneLine(before ?? after), ...facts },
    })
    if (waits) return { approval: 1 }
    await store(ctx, before, after, facts)
    return { approval: 0 }
  },

  'cash/payTo': async ({ db, actor, services }, { amount }) => {
    if (amount <= 0n) return refuse('transfer.amount_invalid')
    const group = await one<{ isOn: boolean; hasOddCents: boolean }>(
      db,
      sql`select ${takesCashRequests(sql`${actor.groupId}::int`)} as "isOn",
          coalesce(${nearestSetting(sql`s.odd_cents`, sql`g.path`)}, 0) = 1 as "hasOddCents"
        from accounts g where g.id = ${actor.groupId}`,
    )
    if (!group?.isOn) return refuse('cash.off')
    // Two members who ask at once get different cents, and no account gets more than its limit.
    const accounts = await lockedAccounts(db, actor, services.settings.timeZone)
    const own = await ownOffer(db, actor)
    const kept = accounts.find(({ id, version }) => own?.accountId === id && own.version === version)
    const isSame = own && kept && (own.wanted === amount || own.amount === amount)
    const toPay = isSame ? own.amount : await freeAmount(db, actor, amount, group)
    const takes = ({ isOpen, day_limit, used }: Usable) => isOpen && (day_limit === null || used + toPay <= day_limit)
    // A member who was shown an account may have paid by now: it stays with that one.
    const account = isSame && kept.isOpen ? kept : accounts.find(takes)
    if (!account) return { pay_to: null }
    await run(
      db,
      sql`insert into payment_offers (member_id, top_id, group_id, receiving_account_id, version, pay_to, wanted, amount, offered_at)
        values (${actor.id}, ${actor.topId}, ${actor.groupId}, ${account.id}, ${account.version}, ${inOneLine(account)},
          ${isSame ? own.wanted : amount}, ${toPay}, now())
        on conflict (member_id) do update set group_id = excluded.group_id,
          receiving_account_id = excluded.receiving_account_id, version = excluded.version, pay_to = excluded.pay_to,
          wanted = excluded.wanted, amount = excluded.amount, offered_at = excluded.offered_at`,
    )
    return { pay_to: asPayTo(account, toPay) }
  },
} satisfies Handlers<typeof receivingCalls>

const lockedAccount = async (db: Tx, actor: Actor, id: number | undefined): Promise<StoredAccount | undefined> => {
  // The lock makes concurrent saves wait: the second one starts from what the first has saved.
  await run(db, sql`select 1 from accounts where id = ${actor.id} for no key update`)
  const accounts = await many<StoredAccount>(
    db,
    sql`select ${accountColumns} from receiving_accounts v where v.group_id = ${actor.groupId} for no key update`,
  )
  if (id === undefined && accounts.length >= MAX_ACCOUNTS) return refuse('receiving.too_many', { most: MAX_ACCOUNTS })
  return id === undefined
    ? undefined
    : ensure(
        accounts.find((account) => account.id === id),
        'receiving.not_found',
      )
}

const shownFacts = ({ qr: _, day_limit, times, status, ...account }: Account) => ({
  ...account,
  times: times ? `${times.from} – ${times.until}` : '',
  day_limit: day_limit === null ? '' : formatPoints(day_limit),
  bank_offered: status,
})

/** The change as the audit log and the person who approves it read it. */
const factsOf = (before: StoredAccount | undefined, after: Account): AuditFacts => {
  const picture = after.qr === (before?.qr ?? '') ? {} : { receiving_qr: after.qr === '' ? 'removed' : 'changed' }
  if (!before) return { ...shownFacts(after), ...picture }
  const { id: _, version: _version, changedAt: _at, ...old } = before
  return { ...differencesOf(shownFacts(old), shownFacts(after)), ...picture }
}

const redirects = (before: StoredAccount, after: Account) =>
  (['bank', 'account_name', 'account_no', 'qr'] as const).some((field) => before[field] !== after[field])

const store = async (ctx: Ctx, before: StoredAccount | undefined, after: Account, facts: AuditFacts): Promise<void> => {
  const { db, actor, services } = ctx
  const { bank, account_name, account_no, qr, times, day_limit, position, status } = after
  const [from, until] = [minuteOf(times?.from), minuteOf(times?.until)]
  const isElsewhere = before !== undefined && redirects(before, after)
  if (before) {
    await run(
      db,
      sql`update receiving_accounts set bank = ${bank}, account_name = ${account_name}, account_no = ${account_no}, qr = ${qr},
          from_minute = ${from}, until_minute = ${until}, day_limit = ${day_limit}, position = ${position},
          status = ${status}, version = version + ${isElsewhere ? 1 : 0},
          changed_at = case when ${isElsewhere} then now() else changed_at end,
          changed_by = case when ${isElsewhere} then ${actor.id}::int else changed_by end
        where id = ${before.id}`,
    )
    if (before.qr !== '' && before.qr !== qr) await services.media.remove(db, mediaIdOf(before.qr))
  } else
    await run(
      db,
      sql`insert into receiving_accounts (top_id, group_id, bank, account_name, account_no, qr, from_minute, until_minute, day_limit,
          position, status)
        values (${actor.topId}, ${actor.groupId}, ${bank}, ${account_name}, ${account_no}, ${qr}, ${from}, ${until},
          ${day_limit}, ${position}, ${status})`,
    )
  await audit(db, ctx, 'settings_changed', actor, { receiving_account: inOneLine(before ?? after), ...facts })
  if (before && (isElsewhere || status !== BankStatus.offered)) await tellMembers(ctx, before.id)
}

/** The pages of the members who were shown it look again. */
const tellMembers = async ({ db, services }: Ctx, id: number): Promise<void> => {
  const members = await many<{ id: number }>(
    db,
    sql`select member_id as id from payment_offers where receiving_account_id = ${id} and offered_at > now() - ${KEPT}`,
  )
  db.afterCommit(() => {
    for (const member of members) services.hub.notify(member.id, 'account', { account_id: member.id })
  })
}

type ApprovedAccount = Omit<Account, 'day_limit'> & { id?: number; day_limit: string | null }

/** Makes the change of an account that was approved, as `shown`. */
export const makeReceiving = async (
  ctx: Ctx,
  { id, ...approved }: ApprovedAccount,
  shown: AuditFacts,
): Promise<void> => {
  const { receiving_account: _, ...asked } = shown
  const before = await lockedAccount(ctx.db, ctx.actor, id)
  const after = {
    ...approved,
    day_limit: approved.day_limit === null ? null : (parsePoints(approved.day_limit) ?? null),
  }
  const facts = factsOf(before, after)
  ensureAsShown(asked, facts)
  await store(ctx, before, after, facts)
}
