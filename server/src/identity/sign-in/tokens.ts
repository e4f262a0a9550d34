import { type Db, one, run, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import { newSecret, sha256 } from '../../lib/secrets.ts'

/**
 * agent: the auto-login page and /AgentLogin, without logout. landing: /WebLogin, an ordinary session. widget: the same for
 * a member, in the widget.
 */
export type TokenKind = 'agent' | 'landing' | 'widget'
const SECONDS = 60

/** A token for one sign-in within a minute. The caller has checked that its holder may sign in as the account. */
export const issueToken = async (db: Db, { kind, accountId }: { kind: TokenKind; accountId: number }) => {
  const token = newSecret()
  await run(
    db,
    sql`insert into one_time_tokens (token_hash, kind, account_id, top_id, expires_at)
      select ${sha256(token)}, ${kind}, id, top_id, now() + make_interval(secs => ${SECONDS}::int)
      from accounts where id = ${accountId}`,
  )
  return token
}

/** The address that a browser opens with a token; none for the widget, which is handed the token itself. */
export const addressOf = (base: string, kind: TokenKind, token: string, account: { id: number; username: string }) =>
  ({
    agent: `${base}/AgentLogin?agentToken=${token}&agentUsername=${encodeURIComponent(account.username)}`,
    landing: `${base}/WebLogin/${token}/${account.id}/0`,
    widget: '',
  })[kind]

/** Which accounts a token of a kind opens. An agent token is bound to the username. */
const opens = (kind: TokenKind, username: string | undefined) =>
  ({
    agent: sql`lower(a.username) = lower(${username ?? ''}) and a.role_id <= ${is.customerService}`,
    landing: sql`true`,
    widget: sql`a.role_id = ${is.member}`,
  })[kind]

type Holder = { id: number; topId: number; role: number; username: string }

/** Uses a token up; concurrent uses get it once. */
export const takeToken = (db: Db, kind: TokenKind, token: string, username: string | undefined) =>
  one<Holder>(
    db,
    sql`delete from one_time_tokens t using accounts a
      where t.token_hash = ${sha256(token)} and t.kind = ${kind} and t.expires_at > now() and a.id = t.account_id
        and a.status = ${is.active} and ${opens(kind, username)}
      returning a.id, a.top_id as "topId", a.role_id as role, a.username`,
  )
