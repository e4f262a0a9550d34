import type { Face } from '../config/setting-types.ts'
import { type Db, many, one, type Sql, sql } from '../data/sql.ts'
import { batcher } from '../lib/batcher.ts'
import { isOffice, isOperator, Role } from '@tallyroom/contract/codes'

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
  session: Session
}
type Session = { id: bigint; face: Face; agentLogin: boolean; cookieHash: Buffer | null }
export type FoundSession = { actor: Actor; over: string | null }

type FoundRow = Omit<Actor, 'session'> & {
  tokenHash: Buffer
  sessionId: bigint
  face: Face
  agentLogin: boolean
  cookieHash: Buffer | null
  over: string | null
}

/** An account (`a`) masks by its own switch; customer service also by that of its group (`g`). */
const masks = `a.role_id <= 3 and (a.masks_usernames = 1 or (a.role_id = 3 and g.masks_usernames = 1))`

const actorFields = `a.id, a.role_id as role, a.top_id as "topId", a.parent_id as "parentId", a.username, a.nickname,
  a.status, a.path, a.group_id as "groupId", g.path as "groupPath",
  case when a.is_funded then a.id else a.group_id end as "funderId",
  a.payment_password_hash is not null as "hasPaymentPassword",
  a.cs_flow_limit_button_visible = 1 as "seesFlowLimits",
  ${masks} as masks`

/** `idle_minutes` was fixed when the session was opened. */
const bySession = `select ${actorFields}, s.token_hash as "tokenHash", s.id as "sessionId", s.face,
    s.agent_login as "agentLogin", s.cookie_hash as "cookieHash",
    case when s.ended_at is not null then coalesce(s.end_reason, 'ended')
      when a.status = 0 then 'frozen'
      when s.expires_at <= now() then 'expired'
      when s.seen_at < now() - make_interval(mins => s.idle_minutes) then 'expired'
    end as over
  from sessions s join accounts a on a.id = s.account_id join accounts g on g.id = a.group_id
  where s.token_hash = any($1)`

/**
 * Finds sessions by the hashes of their tokens, many calls in one query. Sessions are never cached: one that ended on
 * any copy must be over for the next call on every copy.
 */
export const sessionFinder = (db: Db) =>
  batcher<Buffer, FoundSession | undefined>(
    async (hashes) => {
      const rows = await db.query<FoundRow>(bySession, [hashes])
      const found = new Map(rows.map((row) => [row.tokenHash.toString('hex'), row]))
      return hashes.map((hash) => asFound(found.get(hash.toString('hex'))))
    },
    { lanes: 1 },
  )

const asFound = (row: FoundRow | undefined): FoundSession | undefined => {
  if (!row) return undefined
  const { tokenHash: _, sessionId, face, agentLogin, cookieHash, over, ...account } = row
  return { actor: { ...account, session: { id: sessionId, face, agentLogin, cookieHash } }, over }
}

/** An actor without a session, for calls that an API key makes in the account's name (member-api). */
export const actorOfAccount = async (db: Db, id: number): Promise<Actor | undefined> => {
  const text = `select ${actorFields} from accounts a join accounts g on g.id = a.group_id where a.id = $1`
  const [row] = await db.query<Omit<Actor, 'session'>>(text, [id])
  return row && { ...row, session: { id: 0n, face: 'office', agentLogin: false, cookieHash: null } }
}

/** Marks a session and its account as seen. */
export const markSessionSeen = (db: Db, id: bigint) =>
  one(
    db,
    sql`with seen as (update sessions set seen_at = now() where id = ${id} returning account_id)
      update accounts a set last_seen_at = now() from seen where a.id = seen.account_id`,
  )

/**
 * The accounts that an actor may see, as a condition on the alias `a`: admins and agents see themselves and their
 * downline, customer service itself and the members of its group, a member itself. All access to accounts goes through
 * it.
 */
export const visibleAccounts = (actor: Actor) => {
  const scope = isOperator(actor.role) ? actor.path : actor.groupPath
  // Every id in a path ends with '/', so everything below '/1/5/' sorts before '/1/50'.
  const below = sql`a.path >= ${scope} and a.path < ${`${scope.slice(0, -1)}0`}`
  if (isOperator(actor.role)) return below
  if (actor.role === Role.customerService) return sql`(a.id = ${actor.id} or (a.role_id = 4 and ${below}))`
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
export const joinedRooms = (actor: Actor): Sql =>
  actor.role === Role.agent ? sql`(${groupRooms(actor)} or r.partner_id = ${actor.id})` : groupRooms(actor)

/** The ids of the accounts whose sockets get the events of a group's rooms. */
export const groupAccounts = async (db: Db, groupId: number): Promise<number[]> =>
  (await many<{ id: number }>(db, sql`select id from accounts where group_id = ${groupId} and role_id <= 3`)).map(
    ({ id }) => id,
  )

/** Whether each of these accounts sees others' usernames masked. */
export const masksNames = (db: Db, ids: number[]): Promise<{ id: number; masks: boolean }[]> =>
  db.query(
    `select a.id, ${masks} as masks from accounts a join accounts g on g.id = a.group_id where a.id = any($1::int[])`,
    [ids],
  )
