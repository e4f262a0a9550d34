import { type Sql, sql } from '../../data/sql.ts'

/**
 * The hash of a posting `p` and its transfer `t`, in SQL, so that no row is sent here to be hashed. No two rows have the
 * same bytes: a width is fixed, or record_send writes it. A new column of either table is not sealed by itself. It would
 * need a second form of this, because the hashes of the blocks so far must stay what they are.
 */

/** Most have none: then it is the hash of the salt, which PostgreSQL computes once. */
const remark = (salt: Sql) =>
  sql`case when t.remark = '' then sha256(${salt}) else sha256(${salt} || convert_to(t.remark, 'UTF8')) end`

/** Hashes the fields that a statement need not show with the block's salt, so that they can be proven without being shown. */
const restWith = (salt: Sql, remarkHash: Sql): Sql =>
  sql`sha256(${salt} || ${remarkHash} || record_send(row(p.top_id, t.id, t.top_id, t.actor_id, t.funder_id, t.target_id, t.wallet, t.amount,
    t.audit_amount, t.is_envelope, t.room_id, t.created_at, t.target_balance, t.bet_id, t.bet_valid, t.corrects, t.overrides_flow)))`
export const restOf = (salt: Sql): Sql => restWith(salt, remark(salt))
/** The same for a posting that is sealed: its remark may have been erased with a person, which leaves the remark's hash. */
export const sealedRestOf = (salt: Sql): Sql =>
  restWith(
    salt,
    sql`coalesce((select e.hash from erased_remarks e where e.wallet_id = p.wallet_id and e.seq = p.seq), ${remark(salt)})`,
  )

/** Empty when the transfer is gone: string_agg would leave a null out. */
export const leafOf = (rest: Sql): Sql =>
  sql`coalesce(sha256(int4send(p.wallet_id) || int8send(p.seq) || timestamptz_send(p.created_at) || uuid_send(t.transaction_id)
    || int2send(p.leg) || int2send(t.op) || int8send(p.amount) || int8send(p.balance_after) || ${rest}), '')`

/** Microseconds since 1970. */
export const microsOf = (time: Sql): Sql => sql`(extract(epoch from ${time}) * 1000000)::bigint`
