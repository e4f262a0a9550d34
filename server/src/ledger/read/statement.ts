import type { StatementScope } from '@tallyroom/contract/statement'
import { type Role, WalletKind } from '@tallyroom/contract/codes'
import { spanOf } from '../../data/local-time.ts'
import { type Db, type LeftJoined, one, type Sql, sql, withFreshPlan } from '../../data/sql.ts'
import { type Actor, idsOfPath, inBranch, visibleAccounts } from '../../identity/actor.ts'
import { type Named, shownText, shownUsername, usernameFits } from '../../identity/masking.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { checkRange, type HistoryViewer, timesOf } from './history-search.ts'
import { closedUntil } from './closed.ts'
import { moment } from './history.ts'
import { sumsBefore } from './posting-marks.ts'
import { is } from '../../domain/is.ts'

export type StatementInput = {
  id?: number | undefined
  username: string
  scope: StatementScope
  wallet: 0 | 1 | 2 | 3
  start_date: string
  end_date: string
  by: string
}
type Subject = Named & { nickname: string; role: Role; path: string; upline: (Named & { nickname: string }) | null }

/** A statement whose request was found to be in order. */
export type Statement = {
  viewer: HistoryViewer
  subject: Subject
  /** The wallets of its accounts: `w` of `a`. */
  wallets: Sql
  /** Those whose movements are listed. */
  listed: Sql
  showsHeld: boolean
  start: Sql
  /** The first moment after it. */
  end: Sql
  /** The maker whose transfers are listed; undefined for everybody's. */
  byId: number | undefined
}

/** Checks the request against what the viewer may see. */
export const statementOf = async (db: Db, viewer: HistoryViewer, input: StatementInput): Promise<Statement> => {
  const { actor, timeZone } = viewer
  const { scope, wallet, start_date, end_date } = input
  checkRange(start_date, end_date)
  const found = await one<Omit<Subject, 'upline'> & UplineColumns & { isFuture: boolean }>(
    db,
    sql`select a.id, a.username, a.is_sub as "isSub", a.nickname, a.role_id as role, a.path,
        u.id as "uplineId", u.username as "uplineUsername", u.is_sub as "uplineIsSub", u.nickname as "uplineNickname",
        ${end_date}::date > (now() at time zone ${timeZone}::text)::date as "isFuture"
      from accounts a left join (select * from accounts a where ${visibleAccounts(actor)}) u on u.id = a.parent_id
      where ${isAsked(actor, input)} and a.role_id > ${is.gameAccount} and ${visibleAccounts(actor)}`,
  )
  const { isFuture, uplineId, uplineUsername, uplineIsSub, uplineNickname, ...account } = ensure(
    found,
    'account.not_found',
  )
  if (isFuture) return refuse('statement.in_future')
  const upline =
    uplineId === null ? null : { id: uplineId, username: uplineUsername, isSub: uplineIsSub, nickname: uplineNickname }
  const subject: Subject = { ...account, upline }
  const closed = await one<{ id: number }>(
    db,
    sql`select id from closed_periods where account_id = ${subject.id} and start_date = ${start_date}::date and end_date = ${end_date}::date`,
  )
  const kinds = wallet === 0 ? sql`w.kind in (${is.mainWallet}, ${is.gameWallet})` : sql`w.kind = ${wallet}::smallint`
  return {
    viewer,
    subject,
    wallets: sql`wallets w join accounts a on a.id = w.account_id
      where ${closed && scope !== 'own' ? closedIn(closed.id, subject, scope) : sql`${scoped(subject, scope)} and ${visibleAccounts(actor)}`}
        and w.seq > 0`,
    listed: kinds,
    showsHeld: wallet === 0 || wallet === WalletKind.main,
    ...spanOf(sql`${start_date}::date`, sql`${end_date}::date`, timeZone),
    byId: input.by.trim() === '' ? undefined : await personOf(db, actor, input.by),
  }
}
const isAsked = (actor: Actor, { id, username }: StatementInput): Sql =>
  username.trim() === '' ? sql`a.id = ${id ?? actor.id}::int` : isCalled(username)
/** Compares the whole username, in any case: a part of it would tell viewers who see names masked the rest. */
const isCalled = (username: string): Sql => usernameFits({ id: 0, masks: true }, sql`a.username`, username.trim())

type UplineColumns = LeftJoined<{
  uplineId: number
  uplineUsername: string
  uplineIsSub: 0 | 1
  uplineNickname: string
}>

const scoped = ({ id, path }: Subject, scope: StatementScope): Sql => {
  if (scope === 'own') return sql`a.id = ${id}::int`
  if (scope === 'direct') return sql`a.parent_id = ${id}::int`
  return inBranch(path)
}

/** The accounts with which a period was closed, wherever they are now. */
const closedIn = (periodId: number, { id }: Subject, scope: StatementScope): Sql =>
  sql`a.id in (select b.account_id from closed_balances b where b.period_id = ${periodId}::int
    and ${scope === 'direct' ? sql`b.parent_id = ${id}::int` : sql`true`})`

/** A person that the viewer sees, or one of its own group, by the whole username. */
const personOf = async (db: Db, actor: Actor, username: string): Promise<number> => {
  const found = await one<{ id: number }>(
    db,
    sql`select a.id from accounts a where ${isCalled(username)} and a.role_id > ${is.gameAccount} and (${visibleAccounts(actor)} or a.group_id = ${actor.groupId})`,
  )
  return ensure(found, 'statement.unknown_person').id
}

type Sums = {
  opening: bigint
  closing: bigint
  in: bigint
  out: bigint
  lines: number
  held: bigint
  accounts: number
  /** Movements that are not sealed yet. */
  waiting: number
}

/** Opening, in, out and closing of the listed wallets, and what is held beside them. */
export const statementSums = async (db: Db, statement: Statement): Promise<Sums & { others: bigint }> => {
  const { wallets, listed, start, end, byId } = statement
  const sums = await one<Sums>(
    db,
    // One account or ten thousand: they need different plans.
    withFreshPlan(sql`with w as materialized (select w.id, w.account_id, ${listed} as listed, w.kind = ${is.escrow} as escrow from ${wallets})
      select coalesce(sum(o.balance) filter (where listed), 0)::bigint as opening,
        coalesce(sum(c.balance) filter (where listed), 0)::bigint as closing,
        coalesce(sum(c.total_in - o.total_in) filter (where listed), 0)::bigint as in,
        coalesce(sum(c.total_out - o.total_out) filter (where listed), 0)::bigint as out,
        coalesce(sum(c.seq - o.seq) filter (where listed), 0)::int as lines,
        coalesce(sum(c.balance) filter (where escrow), 0)::bigint as held,
        coalesce(sum(greatest(c.seq - greatest(o.seq, coalesce(z.seq, 0)), 0)) filter (where listed), 0)::int as waiting,
        count(distinct w.account_id)::int as accounts
      from w left join sealed_wallets z on z.wallet_id = w.id cross join ${sumsBefore(sql`w.id`, start)} o cross join ${sumsBefore(sql`w.id`, end)} c
      where listed or escrow`),
  )
  if (!sums) throw new Error('the query for the sums of a statement returned no row')
  const { opening, closing } = sums
  // Opening and closing are balances of postings; in and out come by way of the marks. A wrong mark must not be printed.
  if (opening + sums.in - sums.out !== closing)
    throw new Error(`the marks of the postings are wrong: ${opening} + ${sums.in} - ${sums.out} is not ${closing}`)
  const held = statement.showsHeld ? sums.held : 0n
  if (byId === undefined) return { ...sums, held, others: 0n }
  const own = await movedBy(db, statement, byId)
  return { ...sums, ...own, held, others: closing - opening - own.in + own.out }
}

/** The postings `p` of the transfers that this person made, on the listed wallets `w`. */
export const postingsBy = ({ wallets, listed, start, end, viewer }: Statement, byId: number): Sql =>
  sql`transfers t join postings p on p.transfer_id = t.id
      join (select w.id, w.account_id, w.kind from ${wallets} and ${listed}) w on w.id = p.wallet_id
    where t.actor_id = ${byId}::int and t.top_id = ${viewer.actor.topId}::int and t.created_at < ${end}
      and (t.created_at >= ${start} or t.is_envelope) and p.created_at >= ${start} and p.created_at < ${end}`

const movedBy = async (db: Db, statement: Statement, byId: number) => {
  const sums = await one<Pick<Sums, 'in' | 'out' | 'lines'>>(
    db,
    withFreshPlan(sql`select coalesce(sum(greatest(p.amount, 0)), 0)::bigint as in,
        coalesce(sum(greatest(-p.amount, 0)), 0)::bigint as out, count(*)::int as lines from ${postingsBy(statement, byId)}`),
  )
  return sums ?? { in: 0n, out: 0n, lines: 0 }
}

export type StatementHead = {
  account: { id: number; role_id: Role; username: string; nickname: string }
  upline: { username: string; nickname: string }
  group: string
  closed_until: string | null
  drawn_up: string
}

/** The account that a statement is about, and the viewer that draws it up. */
export const statementHead = async (db: Db, { viewer, subject }: Statement): Promise<StatementHead> => {
  const { actor } = viewer
  const ids = idsOfPath(actor.groupPath)
  const row = await one<Named & { name: string; nickname: string; at: string }>(
    db,
    sql`select ${moment(sql`now()`, timesOf(viewer))} as at, g.id, g.username, g.nickname, g.is_sub as "isSub",
        coalesce((select s.name from settings s join accounts a on a.id = s.account_id
          where s.account_id = any(${ids}::int[]) order by length(a.path) desc limit 1), '') as name
      from accounts g where g.id = ${actor.groupId}`,
  )
  const names = (account: Named & { nickname: string }) => ({
    username: shownUsername(actor, account),
    nickname: shownText(actor, account, account.nickname),
  })
  const group = row ? { ...row, ...names(row) } : { name: '', nickname: '', username: '', at: '' }
  return {
    account: { id: subject.id, role_id: subject.role, ...names(subject) },
    upline: subject.upline ? names(subject.upline) : { username: '', nickname: '' },
    closed_until: await closedUntil(db, subject.id),
    group: group.name || group.nickname || group.username,
    drawn_up: group.at,
  }
}
