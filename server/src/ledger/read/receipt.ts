import { Role, type WalletKind } from '@tallyroom/contract/codes'
import { type Actor, visibleAccounts, groupRooms } from '../../identity/actor.ts'
import { type Db, many, one, type Row, sql } from '../../data/sql.ts'
import { type Named, shownText, shownUsername } from '../../identity/masking.ts'
import { moment } from './history.ts'

type PostingRow = Row &
  Named & {
    leg: 0 | 1
    at: string
    role: Role | 0
    wallet: WalletKind
    amount: bigint
    balance: bigint
    is_seen: boolean
  }

/** The postings of a transfer and of its settling. The balance is hidden for wallets that the viewer may not see. */
export const postingsOf = async (db: Db, actor: Actor, timeZone: string, transferId: bigint) => {
  const rows = await many<PostingRow>(
    db,
    sql`select p.leg, ${moment(sql`p.created_at`, timeZone)} as at, a.id, a.username, a.is_sub as "isSub", a.role_id as role,
        w.kind as wallet, p.amount, p.balance_after as balance, (${visibleAccounts(actor)} or a.id = ${actor.funderId}) as is_seen
      from postings p join wallets w on w.id = p.wallet_id join accounts a on a.id = w.account_id
      where p.transfer_id = ${transferId} order by p.leg, p.amount, p.wallet_id`,
  )
  return rows.map((row) => ({
    ...row,
    // The game account has no name.
    username: row.role === Role.game ? '' : shownUsername(actor, row),
    balance: row.is_seen ? row.balance : null,
  }))
}

type EditRow = Row & Named & { at: string; old_remark: string; remark: string }

/** The remark before each change, oldest first, with names masked for the viewer. */
export const editsOf = async (db: Db, actor: Actor, timeZone: string, transferId: bigint) => {
  const rows = await many<EditRow & { member_id: number; member: string; member_is_sub: 0 | 1 }>(
    db,
    sql`select ${moment(sql`x.created_at`, timeZone)} as at, x.old_remark, x.remark, a.id, a.username, a.is_sub as "isSub",
        m.id as member_id, m.username as member, m.is_sub as member_is_sub
      from remark_edits x join accounts a on a.id = x.actor_id join transfers t on t.id = x.transfer_id
        join accounts m on m.id = t.target_id
      where x.transfer_id = ${transferId} order by x.seq`,
  )
  return rows.map((row) => {
    const member = { id: row.member_id, username: row.member, isSub: row.member_is_sub }
    const shown = (text: string) => shownText(actor, row, shownText(actor, member, text))
    return { at: row.at, by: shownUsername(actor, row), old_remark: shown(row.old_remark), remark: shown(row.remark) }
  })
}

/** The transfer that it corrects, and its own correction. */
export const correctionsOf = (db: Db, transferId: bigint) =>
  one<{ corrects: string | null; corrected_by: string | null }>(
    db,
    sql`select o.transaction_id as corrects, c.transaction_id as corrected_by from transfers t
        left join transfers o on o.id = t.corrects left join transfers c on c.corrects = t.id
      where t.id = ${transferId}`,
  )

/** The bank's reference, if it paid a member's request. */
export const bankReferenceOf = async (db: Db, actor: Actor, transferId: bigint) => {
  const found = await one<Named & { reference: string }>(
    db,
    sql`select c.bank_reference as reference, a.id, a.username, a.is_sub as "isSub" from cash_requests c
        join accounts a on a.id = c.member_id where c.transfer_id = ${transferId} and c.bank_reference <> ''`,
  )
  return found ? { bank_reference: shownText(actor, found, found.reference) } : {}
}

/** The room in which it was offered, if the actor has access to it. */
export const roomOf = (db: Db, actor: Actor, transferId: bigint) =>
  one<{ room_id: number; member_id: number; code: string }>(
    db,
    sql`select r.id as room_id, r.partner_id as member_id, r.code from rooms r where r.id in (
        select room_id from messages where transfer_id = ${transferId}
        union all select room_id from transfers where id = ${transferId}) and ${groupRooms(actor)} limit 1`,
  )
