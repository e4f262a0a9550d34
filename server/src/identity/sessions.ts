import { Role } from '@tallyroom/contract/codes'
import type { Face, SessionLimits } from '../config/setting-types.ts'
import { type Database, type Db, many, one, sql, type Tx } from '../data/sql.ts'
import { refuse } from '../lib/refusal.ts'
import { cookieHashes, cookieName, newSecret, sha256 } from '../lib/secrets.ts'
import { type Actor, type FoundSession, seenMarker, sessionFinder } from './actor.ts'
import type { Caller, Reply } from './caller.ts'
import type { ActorContext, SessionEnder } from './context.ts'
import { needOwnPassword } from './sign-in/own-password.ts'

export type Credentials = { token: string | undefined; cookies: string | undefined }
export type Sessions = {
  /**
   * The caller; refused with 9998 and the reason when the session is over. Refused too while a required second factor is
   * not set up, unless this is for setting it up: a door that does not say so stays closed.
   */
  actorOf(credentials: Credentials, use?: { isSetUp: boolean }): Promise<Actor>
  /** Accepts the cookies of either face without a token, so only images may use it. Never for a change. */
  readersOf(credentials: Credentials): Promise<Actor[]>
}

export const makeSessions = (db: Database, settings: { timeZone: string }): Sessions => {
  const find = sessionFinder(db, settings)
  const markSeen = seenMarker(db)
  const lastSeen = new Map<bigint, number>()

  /** Recorded at most once a minute for a session, and not awaited. */
  const recordSeen = (id: bigint) => {
    const now = performance.now()
    if (now - (lastSeen.get(id) ?? -60_000) < 60_000) return
    if (lastSeen.size > 50_000) lastSeen.clear()
    lastSeen.set(id, now)
    void markSeen(id).catch(() => {})
  }

  const usable = (found: FoundSession | undefined, cookies: string | undefined): Actor => {
    if (!found) return refuse('session.dead', { reason: 'ended' })
    if (found.over) return refuse('session.dead', { reason: found.over })
    const { session } = found.actor
    if (session.cookieHash && !hasCookie(cookies, session.face, session.cookieHash)) {
      return refuse('session.dead', { reason: 'ended' })
    }
    recordSeen(session.id)
    return found.actor
  }

  return {
    async actorOf({ token, cookies }, { isSetUp } = { isSetUp: false }) {
      if (!token) return refuse('session.dead', { reason: 'ended' })
      const actor = usable(await find(sha256(token)), cookies)
      return actor.mustSetUp && !isSetUp ? refuse('session.needs_set_up') : actor
    },
    async readersOf({ token, cookies }) {
      if (token) return [usable(await find(sha256(token)), cookies)].filter(({ mustSetUp }) => !mustSetUp)
      const hashes = faces.flatMap((face) => cookieHashes(cookies, face))
      if (hashes.length === 0) return []
      const rows = await many<{ token_hash: Buffer }>(
        db,
        sql`select token_hash from sessions where cookie_hash = any(${hashes}) and ended_at is null`,
      )
      const found = await Promise.all(rows.map((row) => find(row.token_hash)))
      return found.flatMap((one) => (one && !one.over && !one.actor.mustSetUp ? [one.actor] : []))
    },
  }
}

const faces: Face[] = ['office', 'member']

const hasCookie = (header: string | undefined, face: Face, hash: Buffer) =>
  cookieHashes(header, face).some((given) => given.equals(hash))

/** Opens a session and returns its token, once. A browser also gets a cookie; the token is worthless without it. */
export const openSession = async (
  db: Db,
  account: { id: number; face: Face; agentLogin?: boolean; byToken?: boolean },
  caller: Caller,
  reply: Reply,
  limits: SessionLimits,
): Promise<string> => {
  const { id, face, agentLogin = false, byToken = false } = account
  const { idleMinutes, minutes } = limits[agentLogin ? 'agent' : face]
  const token = newSecret()
  const cookie = caller.wantsBound ? newSecret() : undefined
  await one(
    db,
    sql`insert into sessions
        (account_id, token_hash, cookie_hash, face, agent_login, by_token, user_agent, address, idle_minutes, expires_at)
      values (${id}, ${sha256(token)}, ${cookie ? sha256(cookie) : null}, ${face}, ${agentLogin}, ${byToken},
        ${caller.userAgent.slice(0, 300)}, ${caller.address}, ${idleMinutes}, now() + make_interval(mins => ${minutes}::int))`,
  )
  if (cookie) reply.setCookie(cookieName(face, caller.secure), cookie, minutes * 60)
  return token
}

/**
 * Required before a sensitive change: a sign-in within the last ten minutes, or the current password. Of an admin that
 * a token signed in always the password: the top account makes such tokens, and could add a passkey of its own here.
 * @throws Refused with session.needs_password or session.wrong_password
 */
export const needFreshSignIn = async (
  ctx: ActorContext & { db: Db },
  currentPassword: string | undefined,
): Promise<void> => {
  if (currentPassword) return needOwnPassword(ctx, currentPassword)
  const { role, session } = ctx.actor
  if (role === Role.admin && session.byToken) return refuse('session.needs_password')
  const fresh = await one(
    ctx.db,
    sql`select 1 as fresh from sessions
      where id = ${session.id} and created_at > now() - interval '10 minutes' and not agent_login`,
  )
  if (!fresh) return refuse('session.needs_password')
}

/** Ends sessions of an account and returns how many. Their sockets close after the commit. */
export const endSessions = async (
  tx: Tx,
  hub: SessionEnder,
  accountId: number,
  reason: 'ended' | 'frozen' | 'password',
  keep?: bigint,
): Promise<number> => {
  const ended = await many<{ id: bigint }>(
    tx,
    sql`update sessions set ended_at = now(), end_reason = ${reason}
      where account_id = ${accountId} and ended_at is null and id <> ${keep ?? -1n} returning id`,
  )
  const ids = ended.map(({ id }) => id)
  tx.afterCommit(() => hub.endSessions(ids, reason))
  return ids.length
}

/** More than a person has browsers. Each session may call as often as the limits say, and have sockets. */
const MAX_SESSIONS = 50

/** Ends the sessions of an account that were used longest ago, where it has too many. Call it after `openSession`. */
export const endOldestSessions = async (tx: Tx, hub: SessionEnder, accountId: number): Promise<void> => {
  const ended = await many<{ id: bigint }>(
    tx,
    sql`update sessions set ended_at = now(), end_reason = 'ended' where id in (
        select id from sessions where account_id = ${accountId} and ended_at is null and expires_at > now()
        order by seen_at desc, id desc offset ${MAX_SESSIONS})
      returning id`,
  )
  if (ended.length > 0)
    tx.afterCommit(() =>
      hub.endSessions(
        ended.map(({ id }) => id),
        'ended',
      ),
    )
}

export const endSession = async (tx: Tx, hub: SessionEnder, id: bigint): Promise<void> => {
  await one(tx, sql`update sessions set ended_at = now(), end_reason = 'ended' where id = ${id} and ended_at is null`)
  tx.afterCommit(() => hub.endSessions([id], 'ended'))
}
