import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Actor, type Face, type Found, sawSession, sessionFinder } from './actor.ts'
import { type Database, type Db, many, one, sql, type Tx } from './db.ts'
import { type Caller, refuse, type Reply } from './handler.ts'
import type { Hub } from './hub.ts'

export type Credentials = { token: string | undefined; cookies: string | undefined }
export type Sessions = {
  /** Who it is, or a refusal with 9998 and the reason. */
  actorOf(credentials: Credentials): Promise<Actor>
  /** For images: the cookies alone, of either face, or a token. Nothing is changed with it. */
  readersOf(credentials: Credentials): Promise<Actor[]>
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const newSecret = () => randomBytes(32).toString('base64url')

export const makeSessions = (db: Database): Sessions => {
  const find = sessionFinder(db)
  const lastSeen = new Map<bigint, number>()

  /** Written at most once a minute for a session, and never waited for. */
  const saw = (id: bigint) => {
    const now = performance.now()
    if (now - (lastSeen.get(id) ?? -60_000) < 60_000) return
    if (lastSeen.size > 50_000) lastSeen.clear()
    lastSeen.set(id, now)
    void sawSession(db, id).catch(() => {})
  }

  const usable = (found: Found | undefined, cookies: string | undefined): Actor => {
    if (!found) return refuse('session.dead', { reason: 'ended' })
    if (found.over) return refuse('session.dead', { reason: found.over })
    const { session } = found.actor
    if (session.cookieHash && !holdsCookie(cookies, session.face, session.cookieHash)) {
      return refuse('session.dead', { reason: 'ended' })
    }
    saw(session.id)
    return found.actor
  }

  return {
    async actorOf({ token, cookies }) {
      if (!token) return refuse('session.dead', { reason: 'ended' })
      return usable(await find(sha256(token)), cookies)
    },
    async readersOf({ token, cookies }) {
      if (token) return [usable(await find(sha256(token)), cookies)]
      const hashes = faces.flatMap((face) => cookiesOf(cookies, face).map(sha256))
      if (hashes.length === 0) return []
      const rows = await many<{ token_hash: Buffer }>(
        db,
        sql`select token_hash from sessions where cookie_hash = any(${hashes}) and ended_at is null`,
      )
      const found = await Promise.all(rows.map((row) => find(row.token_hash)))
      return found.flatMap((one) => (one && !one.over ? [one.actor] : []))
    },
  }
}

const faces: Face[] = ['office', 'member']
const cookieName = (face: Face, secure: boolean) => `${secure ? '__Host-' : ''}tallyroom_${face}`

const cookiesOf = (header: string | undefined, face: Face): string[] => {
  const names = [cookieName(face, true), cookieName(face, false)]
  return (header ?? '').split(';').flatMap((pair) => {
    const [name, value] = pair.trim().split('=')
    return name && value && names.includes(name) ? [value] : []
  })
}

const holdsCookie = (header: string | undefined, face: Face, hash: Buffer) =>
  cookiesOf(header, face).some((value) => timingSafeEqual(sha256(value), hash))

/** Opens a session and gives its token, once; for a browser also the cookie without which the token is worthless. */
export const openSession = async (
  db: Db,
  account: { id: number; face: Face },
  caller: Caller,
  reply: Reply,
): Promise<string> => {
  const token = newSecret()
  const cookie = caller.wantsBound ? newSecret() : undefined
  await one(
    db,
    sql`insert into sessions (account_id, token_hash, cookie_hash, face, user_agent, address, expires_at)
      values (${account.id}, ${sha256(token)}, ${cookie ? sha256(cookie) : null}, ${account.face},
        ${caller.userAgent.slice(0, 300)}, ${caller.address},
        now() + case ${account.face}::text when 'office' then interval '7 days' else interval '90 days' end)`,
  )
  if (cookie) reply.setCookie(cookieName(account.face, caller.secure), cookie, 90 * 24 * 3600)
  return token
}

/** Ends sessions of an account in the transaction; their sockets close when it has committed. */
export const endSessions = async (
  tx: Tx,
  hub: Hub,
  accountId: number,
  reason: 'ended' | 'frozen' | 'password',
  keep?: bigint,
): Promise<void> => {
  const ended = await many<{ id: bigint }>(
    tx,
    sql`update sessions set ended_at = now(), end_reason = ${reason}
      where account_id = ${accountId} and ended_at is null and id <> ${keep ?? -1n} returning id`,
  )
  tx.afterCommit(() =>
    hub.endSessions(
      ended.map(({ id }) => id),
      reason,
    ),
  )
}

export const endSession = async (tx: Tx, hub: Hub, id: bigint): Promise<void> => {
  await one(tx, sql`update sessions set ended_at = now(), end_reason = 'ended' where id = ${id} and ended_at is null`)
  tx.afterCommit(() => hub.endSessions([id], 'ended'))
}
