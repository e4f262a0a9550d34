import { formatPoints, type Points } from '@tallyroom/contract/points'
import type { PayTo } from '@tallyroom/contract/calls/points/cash'
import { spanOf } from '../data/local-time.ts'
import { type Db, many, one, type Sql, sql, type Tx } from '../data/sql.ts'
import { hoursJson, minuteOfDay, withinHours } from '../domain/day-hours.ts'
import { is } from '../domain/is.ts'
import type { Actor } from '../identity/actor.ts'

/** An amount that a member is shown to pay is kept for it so long. */
export const KEPT = sql`interval '1 hour'`
const CENT = 100n

/** An account as its head writes it; all of it is saved at once. */
export type Account = {
  bank: string
  account_name: string
  account_no: string
  qr: string
  times: { from: string; until: string } | null
  day_limit: Points | null
  position: number
  status: 0 | 1
}
export type StoredAccount = Account & { id: number; version: number; changedAt: Date | null }

export const accountColumns: Sql = sql`v.id, v.bank, v.account_name, v.account_no, v.qr, ${hoursJson('v')} as times, v.day_limit,
  v.position, v.status, v.version, v.changed_at as "changedAt"`

/** How an account is written in a request, in one line. */
export const inOneLine = ({ bank, account_no, account_name }: Pick<Account, 'bank' | 'account_no' | 'account_name'>) =>
  `${bank} ${account_no} · ${account_name}`

export const asPayTo = ({ id, bank, account_name, account_no, qr }: Omit<PayTo, 'amount'>, amount: Points): PayTo => ({
  id,
  bank,
  account_name,
  account_no,
  qr,
  amount: formatPoints(amount),
})

export type Usable = StoredAccount & { isOpen: boolean; used: Points }

/** The offered accounts of the member's group, locked, each with what is asked for with it today, and by others in this hour. */
export const lockedAccounts = async (db: Tx, { id, groupId }: Actor, timeZone: string): Promise<Usable[]> => {
  const today = sql`(now() at time zone ${timeZone}::text)::date`
  const { start } = spanOf(today, today, timeZone)
  const isOpen = { text: withinHours('v', minuteOfDay('z.zone')), values: [] }
  const accounts = await many<Omit<Usable, 'used'>>(
    db,
    sql`select ${accountColumns}, ${isOpen} as "isOpen" from receiving_accounts v, (select ${timeZone}::text as zone) z
      where v.group_id = ${groupId} and v.status = ${is.offered} order by v.position, v.id for no key update of v`,
  )
  // After the lock, so that what another member was shown meanwhile counts.
  const used = await many<{ id: number; used: Points }>(
    db,
    sql`select v.id, (coalesce((select sum(c.amount) from cash_requests c where c.receiving_account_id = v.id
            and c.asked_at >= ${start} and c.state in ('asked', 'taken', 'paid')), 0)
          + coalesce((select sum(o.amount) from payment_offers o where o.receiving_account_id = v.id and o.member_id <> ${id}
            and ${isKept}), 0))::bigint as used
      from receiving_accounts v where v.group_id = ${groupId}`,
  )
  return accounts.map((account) => ({ ...account, used: used.find((row) => row.id === account.id)?.used ?? 0n }))
}

/** Offer `o` of the last hour, after which its member has not asked for points. */
const isKept: Sql = sql`o.offered_at > now() - ${KEPT} and not exists (select from cash_requests a
  where a.member_id = o.member_id and a.asked_at >= o.offered_at)`

type Offer = { accountId: number; version: number; wanted: Points; amount: Points }
export const ownOffer = (db: Db, { id, groupId }: Actor) =>
  one<Offer>(
    db,
    sql`select o.receiving_account_id as "accountId", o.version, o.wanted, o.amount from payment_offers o
      where o.member_id = ${id} and o.group_id = ${groupId} and ${isKept}`,
  )

/** The amount itself or, where the group wants other cents, the next one that nobody else is to pay now. */
export const freeAmount = async (
  db: Db,
  { id, groupId }: Actor,
  amount: Points,
  { hasOddCents }: { hasOddCents: boolean },
) => {
  if (!hasOddCents) return amount
  const taken = await many<{ amount: Points }>(
    db,
    sql`select o.amount from payment_offers o where o.group_id = ${groupId} and o.member_id <> ${id} and ${isKept}
      union select c.amount from cash_requests c where c.group_id = ${groupId} and c.direction = 'in'
        and c.state in ('asked', 'taken')`,
  )
  const isTaken = new Set(taken.map((row) => row.amount))
  for (let cents = 1n; cents < 100n; cents++) if (!isTaken.has(amount + cents * CENT)) return amount + cents * CENT
  return amount
}

/** The account that the member was shown for this amount in the last day. A request names it, also when it has changed since. */
export const offerOf = (db: Db, { id, groupId }: Pick<Actor, 'id' | 'groupId'>, amount: Points) =>
  one<{ id: number; version: number; text: string }>(
    db,
    sql`select receiving_account_id as id, version, pay_to as text from payment_offers
      where member_id = ${id} and group_id = ${groupId} and amount = ${amount} and offered_at > now() - interval '1 day'`,
  )

/** The payment that the member was shown in the last hour and has not asked for yet, or that its account has changed since. */
export const currentOffer = async (db: Db, { id, groupId }: Pick<Actor, 'id' | 'groupId'>) => {
  const found = await one<
    Omit<PayTo, 'amount'> & { amount: Points; text: string; offeredAt: Date; isOutdated: boolean }
  >(
    db,
    sql`select v.id, v.bank, v.account_name, v.account_no, v.qr, o.amount, o.pay_to as text, o.offered_at as "offeredAt",
        v.version <> o.version or v.status <> ${is.offered} as "isOutdated"
      from payment_offers o join receiving_accounts v on v.id = o.receiving_account_id
      where o.member_id = ${id} and o.group_id = ${groupId} and ${isKept}`,
  )
  if (!found) return { pay_to: null, receiving_changed: null }
  const { amount, text, offeredAt, isOutdated, ...account } = found
  if (!isOutdated) return { pay_to: asPayTo(account, amount), receiving_changed: null }
  const changed = { pay_to: text, amount: formatPoints(amount), offered_at: offeredAt.toISOString() }
  return { pay_to: null, receiving_changed: changed }
}
