import type { Answer, Parsed } from '@tallyroom/contract'
import { visibleAccounts } from '../../../identity/actor.ts'
import type { Role } from '@tallyroom/contract/codes'
import { audit } from '../../../identity/audit.ts'
import { type Db, many, one, sql, type Tx } from '../../../data/sql.ts'
import type { Ctx, ReadCtx } from '../../handler.ts'
import { ensure, refuse } from '../../../lib/refusal.ts'
import type { Hub } from '../../../live/hub.ts'
import { mayAct } from '../../../identity/policy.ts'
import { endSession } from '../../../identity/sessions.ts'

type Row = Answer<'session/list'>['data'][number]

const iso = (column: 'created_at' | 'seen_at' | 'expires_at') => ({
  text: `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as ${column}`,
  values: [],
})

/** The sessions of an account that are not over; `own` is the caller's. */
export const activeSessions = (db: Db, accountId: number, own: bigint): Promise<Row[]> =>
  many<Row>(
    db,
    sql`select id::text, id = ${own} as current, agent_login, user_agent, address, ${iso('created_at')},
        ${iso('seen_at')}, ${iso('expires_at')}
      from sessions where account_id = ${accountId} and ended_at is null and expires_at > now()
        and seen_at >= now() - make_interval(mins => idle_minutes)
      order by seen_at desc, id desc limit 200`,
  )

export const endSessionOf = async (db: Tx, hub: Hub, accountId: number, id: string): Promise<void> => {
  const found = await one<{ id: bigint }>(
    db,
    sql`select id from sessions where id = ${id}::bigint and account_id = ${accountId} and ended_at is null`,
  )
  await endSession(db, hub, ensure(found, 'session.not_found').id)
}

/** An account of the downline that the actor may edit, but not the actor itself. */
const editableBelow = async ({ db, actor }: ReadCtx, id: number) => {
  if (id === actor.id) return refuse('account.not_yourself')
  const account = ensure(
    await one<{ id: number; topId: number; role: Role }>(
      db,
      sql`select a.id, a.top_id as "topId", a.role_id as role from accounts a where a.id = ${id} and ${visibleAccounts(actor)}`,
    ),
    'account.not_found',
  )
  return mayAct(actor, 'session/endOf', account.role) ? account : refuse('access.denied')
}

/** Accounts above end the session of a lost phone with these, without freezing its owner. */
export const downlineSessions = {
  'session/listOf': async (ctx: ReadCtx, { id }: Parsed<'session/listOf'>) => {
    const account = await editableBelow(ctx, id)
    return { data: await activeSessions(ctx.db, account.id, ctx.actor.session.id) }
  },

  'session/endOf': async (ctx: Ctx, { id, session_id }: Parsed<'session/endOf'>) => {
    const account = await editableBelow(ctx, id)
    await endSessionOf(ctx.db, ctx.services.hub, account.id, session_id)
    await audit(ctx.db, ctx, 'session_ended', account, { sessions: 1 })
    return null
  },
}
