import type { Face } from '../config/setting-types.ts'
import { keyList } from '../data/key-list.ts'
import { type Db, many, type Sql, sql } from '../data/sql.ts'
import { batcher } from '../lib/batcher.ts'
import { isOffice, isOperator, Role } from '@tallyroom/contract/codes'
import { refuse } from '../lib/refusal.ts'
import { meetsOthers } from './menu-pages.ts'
import { factorExists } from './factor-exists.ts'
import { type EffectiveRights, effectiveRights, type RightRow, rightRows } from './rights.ts'
import { is } from '../domain/is.ts'

/** The caller: an account and its session, read from the database for every call. */
export type Actor = {
  id: number
  role: Role
  topId: number
  parentId: number | null
  username: string
  nickname: string
  status: 0 | 1
  path: string
  /** The agent or admin that heads the actor's group: the actor itself for roles 1 and 2. */
  groupId: number
  groupPath: string
  /** The account whose wallet pays for the actor's transfers. */
  funderId: number
  hasPaymentPassword: boolean
  seesFlowLimits: boolean
  /** Sees others' usernames masked (masking.ts). */
  masks: boolean
  /** Its role needs a second factor and it has none: only the calls that set one up are open. */
  mustSetUp: boolean
  session: Session
  /** How far the database's log was when the session was read: all that this person had written before is in it. */
  lsn: string
} & EffectiveRights
type Session = {
  id: bigint
  face: Face
  agentLogin: boolean
  /** Opened with a sign-in token, so by an API key of the top account, perhaps without this person. */
  byToken: boolean
  cookieHash: Buffer | null
}
export type FoundSession = { actor: Actor; over: string | null }

type ActorRow = Omit<Actor, 'session' | 'lsn' | keyof EffectiveRights> & { rightRows: RightRow[] | null }
type FoundRow = ActorRow & {
  tokenHash: Buffer
  sessionId: bigint
  face: Face
  agentLogin: boolean
  byToken: boolean
  cookieHash: Buffer | null
  over: string | null
  lsn: string
}

/** An account (`a`) masks by its own switch; customer service also by that of its group (`g`). */
const masks = `a.role_id <= ${is.customerService.text} and (a.masks_usernames = 1 or (a.role_id = ${is.customerService.text} and g.masks_usernames = 1))`

const actorFields = `a.id, a.role_id as role, a.top_id as "topId", a.parent_id as "parentId", a.username, a.nickname,
  a.status, a.path, a.group_id as "groupId", g.path as "groupPath",
  case when a.is_funded then a.id else a.group_id end as "funderId",
  a.payment_password_hash is not null as "hasPaymentPassword",
  a.cs_flow_limit_button_visible = 1 as "seesFlowLimits",
  ${masks} as masks,
  (a.role_id = any(t.factor_roles) and not ${factorExists(sql`a.id`).text}) as "mustSetUp",
  ${rightRows('$2::text')} as "rightRows"`
const actorTables = `join accounts g on g.id = a.group_id join accounts t on t.id = a.top_id`

const withRights = <T extends ActorRow>({ rightRows: rows, ...account }: T) => ({
  ...account,
  ...effectiveRights(account.role, rows),
})

/** `idle_minutes` was fixed when the session was opened. */
const bySession = `select ${actorFields}, s.token_hash as "tokenHash", s.id as "sessionId", s.face,
    s.agent_login as "agentLogin", s.agent_login or s.by_token as "byToken", s.cookie_hash as "cookieHash",
    case when s.ended_at is not null then coalesce(s.end_reason, 'ended')
      when a.is_key then 'ended'
      when a.status = ${is.frozen.text} then 'frozen'
      when s.expires_at <= now() then 'expired'
      when s.seen_at < now() - make_interval(mins => s.idle_minutes) then 'expired'
    end as over, pg_current_wal_flush_lsn()::text as lsn
  from sessions s join accounts a on a.id = s.account_id ${actorTables}
  where s.token_hash = any(${keyList('bytea', []).text})`

/**
 * Finds sessions by the hashes of their tokens, many calls in one query. Sessions are never cached: one that ended on
 * any copy must be over for the next call on every copy.
 */
export const sessionFinder = (db: Db, settings: { timeZone: string }) =>
  batcher<Buffer, FoundSession | undefined>(async (hashes) => {
    const rows = await db.query<FoundRow>(bySession, [hashes, settings.timeZone])
    const found = new Map(rows.map((row) => [row.tokenHash.toString('hex'), row]))
    return hashes.map((hash) => asFound(found.get(hash.toString('hex'))))
  })

const asFound = (row: FoundRow | undefined): FoundSession | undefined => {
  if (!row) return undefined
  const { tokenHash: _, sessionId, face, agentLogin, byToken, cookieHash, over, lsn, ...account } = row
  const session = { id: sessionId, face, agentLogin, byToken, cookieHash }
  return { actor: { ...withRights(account), lsn, session }, over }
}

/** An actor without a session, for calls that an API key makes in the account's name (member-api). */
export const actorOfAccount = async (db: Db, id: number, timeZone: string): Promise<Actor | undefined> => {
  const text = `select ${actorFields} from accounts a ${actorTables} where a.id = $1`
  const [row] = await db.query<ActorRow>(text, [id, timeZone])
  const session = { id: 0n, face: 'office', agentLogin: false, byToken: false, cookieHash: null } as const
  return row && { ...withRights(row), lsn: '', session }
}

/**
 * The account of a key as the one that changes accounts: with the scope and the rights of its top account, below which it
 * reaches everything, and under its own name.
 */
export const withScopeOfTop = async (db: Db, key: Actor, timeZone: string): Promise<Actor> => {
  const top = await actorOfAccount(db, key.topId, timeZone)
  if (!top) throw new Error(`the top account ${key.topId} of the key's account ${key.id} is missing`)
  const { id, parentId, username, nickname, status } = key
  return { ...top, id, parentId, username, nickname, status, masks: false }
}

/** Marks sessions and their accounts as seen. One statement and one commit for all that come while the last one runs. */
export const seenMarker = (db: Db) =>
  batcher<bigint, undefined>(
    async (ids) => {
      // Without waiting: two copies that mark the same accounts could otherwise wait for each other. Who is skipped is
      // marked a minute later.
      await db.query(
        `with found as (select id from sessions where id = any(${keyList('bigint', []).text}) for no key update skip locked),
          seen as (update sessions s set seen_at = now() from found where s.id = found.id returning s.account_id),
          people as (select id from accounts where id in (select account_id from seen) for no key update skip locked)
        update accounts a set last_seen_at = now() from people where a.id = people.id`,
        [ids],
      )
      return ids.map(() => undefined)
    },
    { maxBatch: 1000 },
  )

/** The accounts of a path, from the top down. */
export const idsOfPath = (path: string): number[] => path.split('/').filter(Boolean).map(Number)

/** Everything from an account down. Every id in a path ends with '/', so all below '/1/5/' sorts before '/1/50'. */
export const inBranch = (path: string, column = sql`a.path`): Sql =>
  sql`(${column} >= ${path} and ${column} < ${`${path.slice(0, -1)}0`})`

/**
 * The accounts that an actor may see, as a condition on the alias `a`: admins and agents see themselves and their
 * downline, customer service itself and the members of its group, a member itself, and an account without
 * a page that shows others itself alone. All access to accounts goes through it.
 */
export const visibleAccounts = (actor: Actor) => {
  if (!meetsOthers(actor.rights)) return sql`a.id = ${actor.id}`
  const below = inBranch(isOperator(actor.role) ? actor.path : actor.groupPath)
  if (isOperator(actor.role)) return below
  if (actor.role === Role.customerService) return sql`(a.id = ${actor.id} or (a.role_id = ${is.member} and ${below}))`
  return sql`a.id = ${actor.id}`
}

/**
 * The rooms of an actor, as a condition on the alias `r`: its group's rooms, or a member's own room. All access to
 * rooms and to what belongs to a room goes through it.
 */
export const groupRooms = (actor: Actor): Sql =>
  isOffice(actor.role) ? sql`r.group_id = ${actor.groupId}` : sql`r.partner_id = ${actor.id}`

/**
 * The rooms in which an actor reads and writes: `groupRooms`, and for an agent also its own room with its upline's
 * customer service, where the agent is the partner. What a group does with its rooms uses `groupRooms`.
 */
export const joinedRooms = (actor: Actor): Sql => {
  if (!isOffice(actor.role)) return groupRooms(actor)
  const own = sql`r.group_id = ${chatGroup(actor)}`
  return actor.role === Role.agent ? sql`(${own} or r.partner_id = ${actor.id})` : own
}

/** The group whose conversations an actor has; no group has the id 0. */
export const chatGroup = ({ rights, groupId }: Pick<Actor, 'rights' | 'groupId'>): number =>
  rights.has('chat') ? groupId : 0

/** The ids of the accounts whose sockets get the events of a group's rooms. */
export const groupAccounts = async (db: Db, groupId: number): Promise<number[]> =>
  (
    await many<{ id: number }>(
      db,
      sql`select id from accounts where group_id = ${groupId} and role_id <= ${is.customerService}`,
    )
  ).map(({ id }) => id)

/** Whether each of these accounts sees others' usernames masked. */
export const masksNames = (db: Db, ids: number[]): Promise<{ id: number; masks: boolean }[]> =>
  db.query(
    `select a.id, ${masks} as masks from accounts a join accounts g on g.id = a.group_id where a.id = any($1::int[])`,
    [ids],
  )

/** Where each of these accounts is in the tree now, and whether it sees others' usernames masked. */
export const positionsOf = (db: Db, ids: number[]): Promise<Pick<Actor, 'id' | 'groupPath' | 'masks'>[]> =>
  db.query(
    `select a.id, g.path as "groupPath", ${masks} as masks from accounts a join accounts g on g.id = a.group_id
      where a.id = any($1::int[])`,
    [ids],
  )

/** Refuses all but the top account: the member API reaches everything below it. */
export const requireTop = (actor: Actor) => (actor.id === actor.topId ? undefined : refuse('access.denied'))
