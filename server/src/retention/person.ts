import type { AuditFacts } from '../identity/audit.ts'
import { audit } from '../identity/audit.ts'
import { digestOf } from '../identity/audit-erasures.ts'
import { countWaits } from '../chat/desk/waits.ts'
import { noteDeletions } from '../data/media/deletions.ts'
import { type Db, many, one, run, sql, type Tx } from '../data/sql.ts'
import { is } from '../domain/is.ts'
import { lockWallets } from '../ledger/engine/wallet-locks.ts'
import { refuse } from '../lib/refusal.ts'

/** `name`: as who asks may see it, for the words of a refusal. */
export type Person = { id: number; topId: number; name: string }

/** Everything of a member that moves points, or will: it has to end before the member is erased. */
type StillOpen = { points: boolean; offers: number; cashRequests: number; sensitiveChanges: number }

export const stillOpen = async (db: Db, id: number): Promise<StillOpen> => {
  const open = await one<StillOpen>(
    db,
    sql`select exists (select from wallets where account_id = ${id} and balance <> 0) as points,
      (select count(*)::int from envelopes e join transfers t on t.id = e.transfer_id
        where e.status = ${is.pending} and ${id}::int in (t.target_id, t.funder_id)) as offers,
      (select count(*)::int from cash_requests where member_id = ${id} and state in ('asked', 'taken')) as "cashRequests",
      (select count(*)::int from sensitive_changes where target_id = ${id} and state = 'waiting' and expires_at > now()) as "sensitiveChanges"`,
  )
  return open ?? { points: false, offers: 0, cashRequests: 0, sensitiveChanges: 0 }
}

/**
 * Locks the member's wallets, so that no transfer of it begins before the end of the transaction.
 * @throws Refused while points are left or something is open
 */
export const ensureSettled = async (tx: Tx, { id, name }: Person): Promise<void> => {
  await lockWallets(tx, sql`array[${id}::int]`)
  const { points, offers, cashRequests, sensitiveChanges } = await stillOpen(tx, id)
  if (points) return refuse('person.has_points', { name })
  if (offers) return refuse('person.has_offers', { name, count: offers })
  if (cashRequests) return refuse('person.has_requests', { name })
  if (sensitiveChanges) return refuse('person.has_changes', { name })
}

/** Names the emptied rows of the audit log, and holds a hash of them as they are now (audit-erasures.ts). */
const sealOf = async (tx: Tx, { id }: Pick<Person, 'id'>) => {
  const rows = await many<{ id: bigint }>(
    tx,
    sql`select id from audit_log where (target_id = ${id} or actor_id = ${id}) and kind <> 'account_erased' order by id`,
  )
  const ids = rows.map((row) => String(row.id))
  return { erased: ids.join(','), digest: await digestOf(tx, ids) }
}

/**
 * Erases what names a member and what it wrote. Repeatable. Postings and amounts stay.
 * @returns the files that have to go after the commit (deleteNoted); what is left then goes within an hour
 * @throws Refused while points are left or something is open
 */
export const erasePerson = async (
  tx: Tx,
  source: Parameters<typeof audit>[1],
  person: Person,
  timeZone: string,
  facts: AuditFacts = {},
): Promise<string[]> => {
  await ensureSettled(tx, person)
  return eraseUnsettled(tx, source, person, timeZone, facts)
}

/** Erases a member who may have points: only in a sandbox, where they are worth nothing. */
export const eraseUnsettled = async (
  tx: Tx,
  source: Parameters<typeof audit>[1],
  person: Pick<Person, 'id' | 'topId'>,
  timeZone: string,
  facts: AuditFacts = {},
): Promise<string[]> => {
  await lockRoomsOf(tx, person)
  // The report of work keeps who answered, and when; afterwards the messages are gone.
  await countWaits(tx, sql`r.partner_id = ${person.id}`, timeZone)
  await deleteViewsOf(tx, person)
  await run(tx, sql`delete from payment_offers where member_id = ${person.id}`)
  await run(tx, sql`delete from timed_acts where room_id in (select id from rooms where partner_id = ${person.id})`)
  await run(tx, sql`delete from bell_items where room_id in (select id from rooms where partner_id = ${person.id})`)
  await run(tx, sql`delete from slip_pictures where member_id = ${person.id}`)
  const found = await many<{ file: string }>(tx, sql`select file from erase_member(${person.id})`)
  const files = found.map(({ file }) => file)
  await noteDeletions(tx, files)
  const seal = await sealOf(tx, person)
  await audit(tx, source, 'account_erased', person, { ...seal, ...facts })
  return files
}

/** A message that is being written is stored before the erasing, which then finds it; a later one finds a frozen sender. */
const lockRoomsOf = (tx: Tx, { id }: Pick<Person, 'id'>): Promise<void> =>
  run(tx, sql`select 1 from rooms where partner_id = ${id} order by id for no key update`)

/** Saved views of colleagues that filter by the member's name. The name is read here, because the caller's may be masked. */
const deleteViewsOf = (tx: Tx, { id, topId }: Pick<Person, 'id' | 'topId'>): Promise<void> =>
  run(
    tx,
    sql`delete from list_views v using accounts a
      where a.id = ${id} and v.top_id = ${topId}
        and exists (select from jsonb_each_text(v.filters) f
          where lower(f.value) in (lower(a.username), nullif(lower(a.nickname), ''), lower(a.third_party_id)))`,
  )

/** The name of the account afterwards (erase_member() in the database). */
export const erasedName = (id: number): string => `erased-${id}`
