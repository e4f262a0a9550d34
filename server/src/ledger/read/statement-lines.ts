import type { Role, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { type Db, many, one, type Sql, sql, withFreshPlan } from '../../data/sql.ts'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { type Named, shownText, shownUsername } from '../../identity/masking.ts'
import { moment } from './history.ts'
import { timesOf } from './history-search.ts'
import { sumsBefore } from './posting-marks.ts'
import { postingsBy, type Statement } from './statement.ts'

type LineColumns = {
  walletId: number
  seq: bigint
  micros: bigint
  at: string
  transaction_id: string
  type: TransferKind
  corrects_type: TransferKind | null
  accountId: number
  wallet: WalletKind
  otherId: number
  otherWallet: WalletKind
  actorId: number
  targetId: number
  remark: string
  amount: bigint
  balance: bigint | null
}
type Side = Named & { nickname: string; role: Role | 0; isSeen: boolean }
type Shown = { id?: number; username: string; nickname: string }
export type StatementLine = Omit<LineColumns, 'otherId' | 'otherWallet'> & {
  account: Shown
  other: Shown & { role_id: Role | 0; wallet: WalletKind }
  by: string
}

/** Where a page ends: micros-wallet-seq of its last line. */
const cursorOf = ({ micros, walletId, seq }: LineColumns) => `${micros}-${walletId}-${seq}`
const order = sql`p.created_at, p.wallet_id, p.seq`
/** After the last line of the page before. */
const isAfter = (after: string | undefined): Sql => {
  if (after === undefined) return sql`true`
  const [, wallet = '0', seq = '0'] = after.split('-')
  return sql`(p.created_at, p.wallet_id, p.seq) > (${timeOf(after)}, ${wallet}::bigint, ${seq}::bigint)`
}
const timeOf = (after: string): Sql =>
  sql`('epoch'::timestamptz + ${after.split('-')[0] ?? '0'}::bigint * interval '1 microsecond')`

/** At most `limit` movements, oldest first, and the place after the last one; null at the end. */
export const statementLines = async (
  db: Db,
  statement: Statement,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<{ lines: StatementLine[]; next: string | null }> => {
  const postings =
    statement.byId === undefined
      ? await postingsOfAll(db, statement, limit + 1, after)
      : sql`select p.*, w.account_id, w.kind, null::bigint as balance from ${postingsBy(statement, statement.byId)}`
  const found = await readLines(
    db,
    statement,
    sql`(select * from (${postings}) p where ${isAfter(after)} order by ${order} limit ${limit + 1})`,
  )
  const lines = found.slice(0, limit)
  const last = lines.at(-1)
  return {
    lines: await withNames(db, statement.viewer.actor, lines),
    next: found.length > limit && last ? cursorOf(last) : null,
  }
}

/** The length of time that is tried first, and the longest. */
const [HOUR, YEAR] = [1, 367 * 24]

/**
 * The postings of the listed wallets after the place, with the balance of all wallets together: of so short a time that
 * few more than `wanted` are read, however many there are in the period.
 */
const postingsOfAll = async (db: Db, statement: Statement, wanted: number, after: string | undefined): Promise<Sql> => {
  const { wallets, listed, start, end } = statement
  // A place from elsewhere shows nothing from before the period.
  const from = after === undefined ? start : sql`greatest(${start}, ${timeOf(after)})`
  const listedWallets = sql`w as materialized (select w.id, w.account_id, w.kind from ${wallets} and ${listed})`
  const count = async (until: Sql) => {
    const counted = await one<{ n: number; isWhole: boolean }>(
      db,
      withFreshPlan(sql`with ${listedWallets}
        select coalesce(sum(u.seq - b.seq), 0)::int as n, ${until} = ${end} as "isWhole"
        from w cross join ${sumsBefore(sql`w.id`, from)} b cross join ${sumsBefore(sql`w.id`, until)} u`),
    )
    return counted ?? { n: 0, isWhole: true }
  }
  // Those of the place's own microsecond may all be before it.
  const needed = wanted + (after === undefined ? 0 : (await count(sql`(${from} + interval '1 microsecond')`)).n)
  let until = end
  for (let hours = HOUR; hours < YEAR; ) {
    until = sql`least(${end}, ${from} + ${hours}::int * interval '1 hour')`
    const { n, isWhole } = await count(until)
    if (isWhole || n >= needed) break
    // As much longer as the postings so far suggest, and a half more.
    hours = Math.ceil(hours * Math.min(Math.max((1.5 * needed) / Math.max(n, 1), 2), 48))
    until = end
  }
  return sql`with ${listedWallets}, b as materialized (select w.id, w.account_id, w.kind, b.seq, b.balance, u.seq as until
      from w cross join ${sumsBefore(sql`w.id`, from)} b cross join ${sumsBefore(sql`w.id`, until)} u)
    select p.*, b.account_id, b.kind,
      ((select sum(balance) from b) + sum(p.amount) over (order by ${order} rows unbounded preceding))::bigint as balance
    from b cross join lateral (select * from postings p
      where p.wallet_id = b.id and p.seq > b.seq and p.seq <= b.until offset 0) p`
}

/** Joins the rest of the columns, for the rows of a page only. */
const readLines = (db: Db, { viewer }: Statement, found: Sql) =>
  many<LineColumns>(
    db,
    withFreshPlan(sql`with p as materialized ${found}
      select p.wallet_id as "walletId", p.seq, (extract(epoch from p.created_at) * 1000000)::bigint as micros,
        ${moment(sql`p.created_at`, timesOf(viewer))} as at, t.transaction_id, t.op as type, c.op as corrects_type,
        p.account_id as "accountId", p.kind as wallet, o.account_id as "otherId", o.kind as "otherWallet",
        t.actor_id as "actorId", t.target_id as "targetId", coalesce(x.remark, t.remark) as remark, p.amount, p.balance
      from p join transfers t on t.id = p.transfer_id left join transfers c on c.id = t.corrects
        cross join lateral (select w.account_id, w.kind from postings q join wallets w on w.id = q.wallet_id
          where q.transfer_id = p.transfer_id and q.leg = p.leg and q.wallet_id <> p.wallet_id limit 1) o
        left join lateral (select remark from remark_edits where transfer_id = t.id order by seq desc limit 1) x on true
      order by ${order}`),
  )

/** Loads each account once. */
export const sidesOf = async (db: Db, actor: Actor, wanted: number[]): Promise<(id: number) => Side> => {
  const ids = [...new Set(wanted)]
  const found = await many<Side>(
    db,
    sql`select a.id, a.username, a.nickname, a.is_sub as "isSub", a.role_id as role, ${visibleAccounts(actor)} as "isSeen"
      from accounts a where a.id = any(${ids}::int[])`,
  )
  const byId = new Map(found.map((side) => [side.id, side]))
  return (id) => {
    const side = byId.get(id)
    if (!side) throw new Error(`account ${id} of a statement does not exist`)
    return side
  }
}

/** Names as the viewer sees them, and the id of an account that it may open. The game account has neither. */
export const shownSide = (actor: Actor, side: Side): Shown =>
  side.role === 0
    ? { username: '', nickname: '' }
    : {
        ...(side.isSeen ? { id: side.id } : {}),
        username: shownUsername(actor, side),
        nickname: shownText(actor, side, side.nickname),
      }

const withNames = async (db: Db, actor: Actor, rows: LineColumns[]): Promise<StatementLine[]> => {
  const sideOf = await sidesOf(
    db,
    actor,
    rows.flatMap((row) => [row.accountId, row.otherId, row.actorId, row.targetId]),
  )
  return rows.map(({ otherId, otherWallet, ...row }) => {
    const [other, maker] = [sideOf(otherId), sideOf(row.actorId)]
    return {
      ...row,
      account: shownSide(actor, sideOf(row.accountId)),
      other: { ...shownSide(actor, other), role_id: other.role, wallet: otherWallet },
      by: shownSide(actor, maker).username,
      remark: shownText(actor, maker, shownText(actor, sideOf(row.targetId), row.remark)),
    }
  })
}
