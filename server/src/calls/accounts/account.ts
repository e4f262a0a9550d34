import type { accountCalls } from '@tallyroom/contract/calls/accounts/account'
import { ownView } from '../../accounts/accounts.ts'
import { visibleAccounts } from '../../identity/actor.ts'
import { AccountStatus, type Role } from '@tallyroom/contract/codes'
import { audit, differencesOf } from '../../identity/audit.ts'
import { one, sql } from '../../data/sql.ts'
import type { Ctx, Handlers } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { hashPassword } from '../../identity/passwords.ts'
import { mayAct } from '../../identity/policy.ts'
import { endSessions, needFreshSignIn } from '../../identity/sessions.ts'
import { erasedName } from '../../retention/person.ts'
import { needOwnPassword, ownNewPassword } from '../../identity/sign-in/own-password.ts'
import { addHandlers } from './account/add.ts'
import { listHandlers } from './account/list.ts'
import { memberViewHandlers } from './account/member-view.ts'
import { payerOf } from './account/payer.ts'
import { viewHandlers } from './account/view.ts'
import { is } from '../../domain/is.ts'

export const accountHandlers = {
  ...listHandlers,
  ...addHandlers,
  ...memberViewHandlers,
  ...viewHandlers,

  'user/view': async ({ db, actor }, { id }) => {
    const view = await ownView(db, sql`a.id = ${id ?? actor.id} and ${visibleAccounts(actor)}`, actor)
    const isOwn = (id ?? actor.id) === actor.id
    return {
      ...ensure(view, 'account.not_found'),
      agent_login: isOwn && actor.session.agentLogin ? 1 : 0,
      payer: isOwn ? await payerOf(db, actor) : null,
    }
  },

  'user/edit': async (ctx, input) => {
    const { id, nickname, password, password_confirmation, thumbnail, status, withdraw_confirm } = input
    const { db, services, actor } = ctx
    const target = await editable(ctx, id)
    const self = id === actor.id
    // Nobody may freeze or unfreeze their own account, or change its own withdraw confirmation.
    if (self && (status !== undefined || withdraw_confirm !== undefined)) return refuse('account.not_yourself')
    if (password && password !== password_confirmation) return refuse('account.passwords_differ')
    if (status !== undefined && status !== target.status && !mayAct(actor, 'user/edit', target.role, 'status'))
      return refuse('access.denied')
    // A stolen session could otherwise set another account's password and live on there.
    if (password) await needFreshSignIn(ctx, input.current_password)
    if (self && password) await ownNewPassword(ctx, target, password)
    const passwordHash = password ? await hashPassword(password, ctx.caller) : null
    const thumbnailId = thumbnail
      ? await services.media.saveAvatar(db, { topId: target.topId, senderId: actor.id }, thumbnail)
      : null
    if (thumbnail !== undefined) await removePicture(ctx, id)
    await one(
      db,
      sql`update accounts set nickname = coalesce(${nickname ?? null}, nickname),
          password_hash = coalesce(${passwordHash}, password_hash),
          must_choose_password = case when ${passwordHash !== null} then ${!self} else must_choose_password end,
          thumbnail_id = case when ${thumbnail === ''} then null else coalesce(${thumbnailId}, thumbnail_id) end,
          status = coalesce(${status ?? null}, status), withdraw_confirm = coalesce(${withdraw_confirm ?? null}, withdraw_confirm)
        where id = ${id}`,
    )
    await auditEdit(ctx, target, { nickname, thumbnail, password: Boolean(password), status, withdraw_confirm })
    if (status === AccountStatus.frozen) await endSessions(db, services.hub, id, 'frozen')
    else if (password) await endSessions(db, services.hub, id, 'password', self ? actor.session.id : undefined)
    db.afterCommit(() => services.hub.notify(id, 'account', { account_id: id }))
    return null
  },

  'user/delete': async (ctx, { id }) => {
    const { db, services, actor } = ctx
    if (id === actor.id) return refuse('account.not_yourself')
    const target = await targetOf(ctx, id)
    if (!mayAct(actor, 'user/delete', target.role)) return refuse('access.denied')
    await one(db, sql`update accounts set status = ${is.frozen} where id = ${id}`)
    if (target.status !== AccountStatus.frozen) await audit(db, ctx, 'account_frozen', target)
    // In the same transaction: after its commit no session of the account works.
    await endSessions(db, services.hub, id, 'frozen')
    // Colleagues who have the member's room open: it says that nobody reads there now.
    db.afterCommit(() => services.hub.notify(id, 'account', { account_id: id }))
    return null
  },

  'user/paymentPassword': async (ctx, { password, payment_password, payment_password_confirmation }) => {
    const { db, actor } = ctx
    await needOwnPassword(ctx, password)
    if (payment_password !== payment_password_confirmation) return refuse('account.passwords_differ')
    if (payment_password === password) return refuse('account.passwords_same')
    const hash = payment_password ? await hashPassword(payment_password, ctx.caller) : null
    await one(
      db,
      sql`update accounts set payment_password_hash = ${hash}, payment_failures = 0, payment_locked_until = null
        where id = ${actor.id}`,
    )
    await audit(db, ctx, 'payment_password_changed', actor, { set: hash !== null })
    return null
  },
} satisfies Handlers<typeof accountCalls>

type Target = {
  id: number
  topId: number
  role: Role
  status: 0 | 1
  nickname: string
  withdraw_confirm: 0 | 1
  paymentHash: string | null
}

/** A person's account that the actor may see and that was not erased, locked until the end of the transaction. */
const targetOf = async ({ db, actor }: Ctx, id: number): Promise<Target> =>
  ensure(
    await one<Target>(
      db,
      sql`select a.id, a.top_id as "topId", a.role_id as role, a.status, a.nickname, a.withdraw_confirm,
          a.payment_password_hash as "paymentHash" from accounts a
        where a.id = ${id} and not a.is_key and a.username <> ${erasedName(id)} and ${visibleAccounts(actor)} for no key update`,
    ),
    'account.not_found',
  )

const editable = async (ctx: Ctx, id: number): Promise<Target> => {
  const { actor } = ctx
  const target = await targetOf(ctx, id)
  if (id !== actor.id && !mayAct(actor, 'user/edit', target.role)) return refuse('access.denied')
  return target
}

/** A picture that was replaced is of no more use, and erasing the person would not find it. */
const removePicture = async ({ db, services }: Ctx, id: number) => {
  const found = await one<{ picture: string | null }>(
    db,
    sql`select thumbnail_id as picture from accounts where id = ${id} for no key update`,
  )
  if (found?.picture) await services.media.remove(db, found.picture)
}

type AccountEdit = {
  nickname: string | undefined
  thumbnail: string | undefined
  password: boolean
  status: 0 | 1 | undefined
  withdraw_confirm: 0 | 1 | undefined
}

/** Writes one entry for each kind of change, and none for unchanged fields. */
const auditEdit = async (ctx: Ctx, target: Target, edit: AccountEdit) => {
  const { db } = ctx
  const profile = { ...differencesOf({ nickname: target.nickname }, { nickname: edit.nickname ?? target.nickname }) }
  if (edit.thumbnail !== undefined) profile.thumbnail = edit.thumbnail === '' ? 'removed' : 'changed'
  if (Object.keys(profile).length) await audit(db, ctx, 'account_edited', target, profile)
  if (edit.password) await audit(db, ctx, 'password_changed', target)
  if (edit.status !== undefined && edit.status !== target.status)
    await audit(db, ctx, edit.status === AccountStatus.frozen ? 'account_frozen' : 'account_unfrozen', target)
  const { withdraw_confirm: was } = target
  if (edit.withdraw_confirm !== undefined && edit.withdraw_confirm !== was)
    await audit(db, ctx, 'withdraw_confirm_changed', target, { withdraw_confirm: [was, edit.withdraw_confirm] })
}
