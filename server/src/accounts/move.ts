import { AccountStatus, fitsBelow, isCustomerService, isOperator, Role, RoomStatus } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import type { moveRefusals } from '@tallyroom/contract/calls/accounts/tree'
import type { AbilityFlag } from '@tallyroom/contract/ability-flags'
import { countWaits } from '../chat/desk/waits.ts'
import { type Db, many, one, run, type Sql, sql, type Tx } from '../data/sql.ts'
import { type Actor, idsOfPath, inBranch, visibleAccounts } from '../identity/actor.ts'
import { audit, type AuditFacts } from '../identity/audit.ts'
import type { Caller } from '../identity/caller.ts'
import { lockWallets } from '../ledger/engine/wallet-locks.ts'
import { ensure, refuse } from '../lib/refusal.ts'
import type { Hub } from '../live/hub.ts'
import { lockAbilities, rights, takeExcess } from './abilities.ts'
import { ensureAsShown, waitsForApproval } from './sensitive-changes.ts'
import { lockTree } from './tree-lock.ts'
import { is } from '../domain/is.ts'

/** All wallets of a branch are locked while it moves, and transfers there wait: this bounds how long. */
const MAX_MOVED = 20_000

type Mover = {
  actor: Actor
  caller: Caller
  services: { hub: Hub; settings: { timeZone: string; envelopeHours: number } }
}

type TreePosition = {
  id: number
  topId: number
  parentId: number | null
  groupId: number
  path: string
  role: Role
  status: AccountStatus
}
type Move = { account: TreePosition; upline: TreePosition }

/**
 * Both accounts of a move, as the actor sees them now: the actor itself may have been moved since its session was read. A key
 * sees from the place of its top account.
 */
const findMove = async (db: Db, actor: Actor, id: number, toId: number): Promise<Move> => {
  const from = idsOfPath(actor.path).at(-1) ?? actor.id
  const own = await one<{ path: string }>(db, sql`select path from accounts where id = ${from}`)
  const scope = { ...actor, path: own?.path ?? actor.path }
  const rows = await many<TreePosition>(
    db,
    sql`select a.id, a.top_id as "topId", a.parent_id as "parentId", a.group_id as "groupId", a.path, a.role_id as role, a.status
      from accounts a where a.id in (${id}, ${toId}) and not a.is_key and ${visibleAccounts(scope)}`,
  )
  const account = ensure(
    rows.find((row) => row.id === id),
    'account.not_found',
  )
  const upline = ensure(
    rows.find((row) => row.id === toId),
    'account.not_found',
  )
  return { account, upline }
}

/** Why this account can never be where it is wanted; undefined when it can. */
const wrongPosition = (actor: Actor, { account, upline }: Move): (typeof moveRefusals)[number] | undefined => {
  if (account.id === actor.id) return 'account.not_yourself'
  if (upline.path.startsWith(account.path)) return 'tree.under_itself'
  if (isCustomerService(account.role)) return 'tree.stays_with_group'
  if (!isOperator(upline.role) || !fitsBelow(account.role, upline.role)) return 'account.wrong_place'
  if (account.parentId === upline.id) return 'tree.same_place'
  if (upline.status === AccountStatus.frozen) return 'tree.upline_frozen'
  return undefined
}

type Open = Preview['across']

/**
 * Counts what is open in a branch: envelopes offered to it, requests of its members, and transfers that wait for approval.
 * `across`: the payer, the group, the maker or the holder of the limit is outside, and would no longer see the account.
 * `along`: all sides are inside, and move together.
 */
const findOpen = async (db: Db, { account }: Move): Promise<{ across: Open; along: Open }> => {
  const inside = (id: Sql) =>
    sql`exists (select from accounts b where b.id = ${id} and ${inBranch(account.path, sql`b.path`)})`
  const rows = await many<{ kind: keyof Open; along: boolean; n: number }>(
    db,
    sql`select kind, along, count(*)::int as n from (
        select 'envelopes' as kind, ${inside(sql`t.funder_id`)} as along
          from envelopes e join transfers t on t.id = e.transfer_id
          where e.status = ${is.pending} and e.type in (${is.giving}, ${is.asking}) and e.top_id = ${account.topId} and ${inside(sql`e.target_id`)}
        union all select 'requests', ${inside(sql`c.group_id`)} from cash_requests c
          where c.state in ('asked', 'taken') and c.top_id = ${account.topId} and ${inside(sql`c.member_id`)}
        union all select 'approvals', ${inside(sql`t.funder_id`)} and ${inside(sql`p.maker_id`)} and ${inside(sql`p.holder_id`)}
          from approvals p join transfers t on t.id = p.transfer_id
          where p.state = 'waiting' and p.top_id = ${account.topId}
            and (${inside(sql`t.target_id`)} or ${inside(sql`p.maker_id`)})) o
      group by kind, along`,
  )
  const counted = (along: boolean): Open => {
    const of = (kind: keyof Open) => rows.find((row) => row.kind === kind && row.along === along)?.n ?? 0
    return { envelopes: of('envelopes'), requests: of('requests'), approvals: of('approvals') }
  }
  return { across: counted(false), along: counted(true) }
}

/** The rooms that change their group: an account's own room with the group above it. All others stay with their group. */
const movedRooms = ({ account }: Move): Sql => sql`r.partner_id = ${account.id} and r.group_id <> ${account.id}`

/** The same without those that the group above the new upline has already. */
const roomsToMove = (move: Move): Sql => sql`${movedRooms(move)} and r.group_id <> ${move.upline.groupId}`

type Preview = Answer<'tree/previewMove'>

/** Shows what a move takes along and what stops it. Nothing is locked: the move looks again. */
export const previewMove = async (db: Db, actor: Actor, id: number, toId: number): Promise<Preview> => {
  const move = await findMove(db, actor, id, toId)
  const branch = await one<{ accounts: number; members: number; rooms: number }>(
    db,
    sql`select count(*)::int as accounts, (count(*) filter (where a.role_id = ${Role.member}))::int as members,
        (select count(*)::int from rooms r where r.group_id in
            (select b.id from accounts b where ${inBranch(move.account.path, sql`b.path`)} and b.role_id <= ${is.agent})
          or (${movedRooms(move)})) as rooms
      from accounts a where ${inBranch(move.account.path)}`,
  )
  const { across, along } = await findOpen(db, move)
  const planned = await one<{ texts: number }>(
    db,
    sql`select count(*)::int as texts from timed_acts t join rooms r on r.id = t.room_id
      where ${roomsToMove(move)} and t.kind = 'send' and t.state = 'waits'`,
  )
  const { accounts = 0, members = 0, rooms = 0 } = branch ?? {}
  const refused =
    wrongPosition(actor, move) ?? (accounts > MAX_MOVED ? 'tree.too_large' : isAny(across) ? 'tree.in_flight' : null)
  const lost = await lostRights(db, move)
  return { accounts, members, rooms, across, along, texts: planned?.texts ?? 0, lost, refused, most: MAX_MOVED }
}

const isAny = (open: Open) => open.envelopes + open.requests + open.approvals > 0

/** The rights that the account has and the new upline has not. */
const lostRights = async (db: Db, { account, upline }: Move): Promise<AbilityFlag[]> => {
  if (account.role !== Role.agent || upline.role !== Role.agent) return []
  const columns: Sql = {
    text: rights.map((name) => `'${name}', a.${name} > u.${name}`).join(', '),
    values: [],
  }
  const row = await one<{ more: Record<AbilityFlag, boolean> }>(
    db,
    sql`select json_build_object(${columns}) as more from accounts a, accounts u
      where a.id = ${account.id} and u.id = ${upline.id}`,
  )
  return rights.filter((name) => row?.more[name])
}

/** Whether a limit above the account no longer holds for it in its new place. */
const leavesLimits = async (db: Db, left: number[]): Promise<boolean> => {
  const limit = await one(
    db,
    sql`select 1 as is from transfer_limits l where l.account_id = any(${left}::int[])
      and coalesce(l.per_transfer, l.per_hour, l.per_day, l.per_member) is not null limit 1`,
  )
  return limit !== undefined
}

/** Whether a right that was taken above the account, or has hours there, comes back to it in its new place. */
const regainsRights = async (db: Db, left: number[], kept: number[]): Promise<boolean> => {
  const taken = await one(
    db,
    sql`select 1 as is from account_rights r where r.account_id = any(${left}::int[])
      and (not r.is_given or r.from_minute is not null)
      and not exists (select from account_rights k
        where k.account_id = any(${kept}::int[]) and k.name = r.name and not k.is_given) limit 1`,
  )
  return taken !== undefined
}

/** Whether the account may do more in its new place than before. Members have no rights. */
const gainsByMove = async (db: Db, { account, upline }: Move): Promise<boolean> => {
  const kept = idsOfPath(upline.path)
  const left = idsOfPath(account.path).filter((id) => id !== account.id && !kept.includes(id))
  return (await leavesLimits(db, left)) || (account.role !== Role.member && (await regainsRights(db, left, kept)))
}

/**
 * Moves an account with everything below it. One transaction under the locks of its wallets: what is decided before it has
 * the old place, what is decided after it the new one.
 * @param shown what a second account has approved, if it has
 * @returns whether it waits for approval, and nothing was moved: leaving a limit is like raising it, and leaving an account
 * that has lost a right is like getting it back
 */
export const moveAccount = async (
  tx: Tx,
  ctx: Mover,
  { id, to_id: toId }: { id: number; to_id: number },
  shown?: AuditFacts,
): Promise<boolean> => {
  const { actor, services } = ctx
  await lockTree(tx, actor.topId, 'move')
  await lockAbilities(tx, actor.topId, 'change')
  const move = await findMove(tx, actor, id, toId)
  const wrong = wrongPosition(actor, move)
  if (wrong) return refuse(wrong)
  const { account, upline } = move
  const newPosition = { upline_id: [account.parentId, upline.id] as const }
  if (shown) ensureAsShown(shown, newPosition)
  else if (await gainsByMove(tx, move)) {
    const sensitiveChange = {
      kind: 'rights',
      call: 'tree/move',
      input: { id, to_id: toId },
      subject: 'place',
    } as const
    if (await waitsForApproval({ ...ctx, db: tx }, { ...sensitiveChange, target: account, facts: newPosition }))
      return true
  }
  // Rows before wallets, as a freeze locks them.
  const rows = await many<{ id: number }>(
    tx,
    sql`select a.id from accounts a where ${inBranch(account.path)}
      order by a.id limit ${MAX_MOVED + 1} for no key update`,
  )
  if (rows.length > MAX_MOVED) return refuse('tree.too_large', { most: MAX_MOVED })
  await lockWallets(tx, sql`${rows.map((row) => row.id)}::int[]`)
  const { across } = await findOpen(tx, move)
  if (isAny(across)) return refuse('tree.in_flight', across)
  await keepPastPositions(tx, account, services.settings.timeZone)
  const path = `${upline.path}${account.id}/`
  const groupId = account.role === Role.member ? upline.groupId : account.groupId
  await run(
    tx,
    sql`update accounts a set path = ${path}::text || substr(a.path, ${account.path.length + 1}::int),
        parent_id = case when a.id = ${account.id} then ${upline.id}::int else a.parent_id end,
        group_id = case when a.id = ${account.id} then ${groupId}::int else a.group_id end
      where ${inBranch(account.path)}`,
  )
  const rooms = await moveRooms(tx, move, services.settings.timeZone)
  await audit(tx, ctx, 'account_moved', account, { ...newPosition, accounts: rows.length })
  // Nobody has a right that the agent above lacks (decision 8).
  await takeExcess(tx, path, ctx)
  const groups = [...new Set([...rooms.map(({ groupId: group }) => group), upline.groupId])]
  tx.afterCommit(() =>
    services.hub.accountsMoved({
      gone: rooms,
      channels: [`user:${account.id}`, `below:${account.id}`, ...groups.map((group) => `group:${group}`)],
    }),
  )
  return false
}

/**
 * Writes where the accounts of the branch were until now, with what the day has counted so far. Their wallets are locked:
 * every transfer is before or after this moment.
 */
const keepPastPositions = (tx: Tx, account: TreePosition, timeZone: string): Promise<void> =>
  run(
    tx,
    sql`insert into past_places (top_id, account_id, path, first_day, first_in, first_out, last_day, last_in, last_out, moved_at)
      select a.top_id, a.id, a.path, coalesce(p.last_day, '-infinity'), coalesce(p.last_in, 0), coalesce(p.last_out, 0),
        today.day, coalesce(d.total_in, 0), coalesce(d.total_out, 0), clock_timestamp()
      from accounts a cross join (select (statement_timestamp() at time zone ${timeZone}::text)::date as day) today
        left join lateral (select last_day, last_in, last_out from past_places where account_id = a.id order by id desc limit 1) p on true
        left join day_totals d on d.account_id = a.id and d.day = today.day
      where ${inBranch(account.path)} and a.role_id <= ${is.customerService}
        and exists (select from day_totals t where t.account_id = a.id)`,
  )

type MovedRoom = { id: number; code: string; groupId: number }

/**
 * Gives the account's own room to the group of the new upline, with its messages, notes and notebook. Its owner was a
 * colleague of the old group. @returns the rooms with their old groups
 */
const moveRooms = async (tx: Tx, { account, upline }: Move, timeZone: string): Promise<MovedRoom[]> => {
  const rooms = await many<MovedRoom>(
    tx,
    sql`select r.id, r.code, r.group_id as "groupId" from rooms r
      where ${roomsToMove({ account, upline })} order by r.id for no key update`,
  )
  if (rooms.length === 0) return []
  const ids = rooms.map(({ id }) => id)
  // The old group keeps the work that it has done.
  await countWaits(tx, sql`r.id = any(${ids}::int[])`, timeZone)
  await run(
    tx,
    sql`update rooms r set group_id = g.id, moved_at = clock_timestamp(), owner_id = null, snoozed_until = null, version = r.version + 1, desk_version = r.desk_version + 1,
        changed_xid = pg_current_xact_id(),
        status = case when r.status = ${RoomStatus.ai} and not (g.ai_rooms = 1 and g.chat_ai_bot_visible = 1)
          then ${RoomStatus.shown}::int else r.status end
      from accounts g where g.id = ${upline.groupId} and r.id = any(${ids}::int[])`,
  )
  await run(tx, sql`update messages set group_id = ${upline.groupId} where room_id = any(${ids}::int[])`)
  // The old group's browsers get no push about these rooms any more.
  await run(
    tx,
    sql`delete from pushes p using push_subscriptions s
      where s.id = p.subscription_id and p.room_id = any(${ids}::int[]) and s.account_id <> ${account.id}`,
  )
  // Texts and reminders of the old group's people.
  await run(tx, sql`delete from timed_acts where room_id = any(${ids}::int[])`)
  return rooms
}
