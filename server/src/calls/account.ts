import type { accountCalls } from '@tallyroom/contract/calls/account'
import { formatPoints } from '@tallyroom/contract/points'
import { type AccountColumns, accountColumns, accountTables, asAccountRow, makeAccount, ownView } from '../accounts.ts'
import { type Actor, type Role, visible } from '../actor.ts'
import { many, one, type Sql, sql, type Tx } from '../db.ts'
import { type Ctx, ensure, type Handlers, refuse } from '../handler.ts'
import { mediaUrl } from '../messages.ts'
import { checkPassword, hashPassword } from '../passwords.ts'
import { mayDo } from '../policy.ts'
import { endSessions } from '../sessions.ts'

/** The list pages, by menu id: agents of the downline, customer service of the own group, members of the downline. */
const listed: Record<2 | 3 | 13, (actor: Actor) => Sql> = {
  2: (actor) => sql`a.role_id = 2 and a.id <> ${actor.id}`,
  3: (actor) => sql`a.role_id = 3 and a.group_id = ${actor.groupId}`,
  13: () => sql`a.role_id = 4`,
}

/** LIKE's own letters lose their meaning. */
const part = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

export const accountHandlers = {
  'user/list': async ({ db, actor }, { role_id, menu_id, username, nickname, page, per_page }) => {
    const which = listed[menu_id ?? role_id](actor)
    const found = sql`${visible(actor)} and ${which}
      and (${username ?? ''} = '' or a.username ilike ${part(username ?? '')})
      and (${nickname ?? ''} = '' or a.nickname ilike ${part(nickname ?? '')})`
    const rows = await many<AccountColumns>(
      db,
      sql`select ${accountColumns} from ${accountTables} where ${found}
        order by a.id limit ${per_page} offset ${(page - 1) * per_page}`,
    )
    const counted =
      page === 1 && rows.length < per_page
        ? rows.length
        : (await one<{ n: number }>(db, sql`select count(*)::int as n from accounts a where ${found}`))?.n
    return { data: rows.map(asAccountRow), total: counted ?? rows.length }
  },

  'user/view': async ({ db, actor }, { id }) => {
    const view = await ownView(db, sql`a.id = ${id ?? actor.id} and ${visible(actor)}`)
    const agentLogin = actor.session.agentLogin && (id ?? actor.id) === actor.id
    return { ...ensure(view, 'account.not_found'), agent_login: agentLogin ? 1 : 0 }
  },

  'user/add': async ({ db, house, actor }, { username, nickname, password, password_confirmation, thumbnail }) => {
    if (!mayDo(actor, 'add', 3)) return refuse('access.denied')
    if (password !== password_confirmation) return refuse('account.passwords_differ')
    const thumbnailId = thumbnail ? await house.media.keepAvatar(db, actor.topId, thumbnail) : null
    const parent = { id: actor.id, topId: actor.topId, path: actor.path, groupId: actor.groupId }
    const passwordHash = await hashPassword(password)
    const made = await makeAccount(db, {
      parent,
      role: 3,
      username,
      nickname: nickname ?? '',
      passwordHash,
      thumbnailId,
    })
    return { id: made.id }
  },

  'user/edit': async (ctx, { id, nickname, password, password_confirmation, thumbnail, status, withdraw_confirm }) => {
    const { db, house, actor } = ctx
    const target = await editable(ctx, id)
    const self = id === actor.id
    // Nobody freezes, frees or spares himself.
    if (self && (status !== undefined || withdraw_confirm !== undefined)) return refuse('account.not_yourself')
    if (password && password !== password_confirmation) return refuse('account.passwords_differ')
    if (status !== undefined && status !== target.status && !mayDo(actor, 'delete', target.role))
      return refuse('access.denied')
    const passwordHash = password ? await hashPassword(password) : null
    const thumbnailId = thumbnail ? await house.media.keepAvatar(db, target.topId, thumbnail) : null
    await one(
      db,
      sql`update accounts set nickname = coalesce(${nickname ?? null}, nickname),
          password_hash = coalesce(${passwordHash}, password_hash),
          thumbnail_id = case when ${thumbnail === ''} then null else coalesce(${thumbnailId}, thumbnail_id) end,
          status = coalesce(${status ?? null}, status), withdraw_confirm = coalesce(${withdraw_confirm ?? null}, withdraw_confirm)
        where id = ${id}`,
    )
    if (status === 0) await endSessions(db, house.hub, id, 'frozen')
    else if (password) await endSessions(db, house.hub, id, 'password', self ? actor.session.id : undefined)
    db.afterCommit(() => house.hub.tell(id, 'account', { account_id: id }))
    return null
  },

  'user/delete': async (ctx, { id }) => {
    if (id === ctx.actor.id) return refuse('account.not_yourself')
    const target = await editable(ctx, id)
    if (!mayDo(ctx.actor, 'delete', target.role)) return refuse('access.denied')
    await freeze(ctx, id)
    return null
  },

  'user/paymentPassword': async ({ db, actor }, { password, payment_password, payment_password_confirmation }) => {
    const own = await one<{ hash: string }>(db, sql`select password_hash as hash from accounts where id = ${actor.id}`)
    if ((await checkPassword(own?.hash, password)) !== 'right') return refuse('session.wrong_login')
    if (payment_password !== payment_password_confirmation) return refuse('account.passwords_differ')
    const hash = payment_password ? await hashPassword(payment_password) : null
    await one(
      db,
      sql`update accounts set payment_password_hash = ${hash}, payment_failures = 0, payment_locked_until = null
        where id = ${actor.id}`,
    )
    return null
  },

  'member/view': async ({ db, actor }, { member_id }) => {
    const row = ensure(
      await one<AccountColumns & { event_mode: 0 | 1; transaction_all: 0 | 1 }>(
        db,
        sql`select ${accountColumns}, greatest(a.event_mode, g.event_mode) as event_mode, a.transaction_all
          from ${accountTables} join accounts g on g.id = a.group_id
          where a.id = ${member_id} and a.role_id = 4 and ${visible(actor)}`,
      ),
      'account.not_found',
    )
    return {
      member_id: row.id,
      username: row.username,
      nickname: row.nickname,
      thumbnail: mediaUrl(row.thumbnail_id),
      status: row.status,
      balance: formatPoints(row.main_balance),
      game_wallet: formatPoints(row.game_balance),
      is_multiple_wallet: row.is_multiple_wallet,
      withdraw_confirm: row.withdraw_confirm,
      event_mode: row.event_mode,
      transaction_all: row.transaction_all,
    }
  },
} satisfies Handlers<typeof accountCalls>

/** An account that the actor sees and may edit, locked until the end of the transaction. */
const editable = async ({ db, actor }: Ctx, id: number) => {
  const target = ensure(
    await one<{ role: Role; status: number; topId: number }>(
      db,
      sql`select a.role_id as role, a.status, a.top_id as "topId" from accounts a
        where a.id = ${id} and ${visible(actor)} for no key update`,
    ),
    'account.not_found',
  )
  if (id !== actor.id && !mayDo(actor, 'edit', target.role)) return refuse('access.denied')
  return target
}

/** Freezing ends the account's sessions and sockets in the same transaction. */
const freeze = async ({ db, house }: { db: Tx; house: Ctx['house'] }, id: number) => {
  await one(db, sql`update accounts set status = 0 where id = ${id}`)
  await endSessions(db, house.hub, id, 'frozen')
}
