import type { NewAccount as Form } from '@tallyroom/contract/calls/accounts/account'
import type { CallName } from '@tallyroom/contract'
import type { Role } from '@tallyroom/contract/codes'
import type { z } from 'zod'
import type { Media } from '../chat/media.ts'
import { once } from '../data/idempotency.ts'
import { type Database, type Db, one, sql } from '../data/sql.ts'
import { type Actor, visibleAccounts } from '../identity/actor.ts'
import type { Caller } from '../identity/caller.ts'
import { hashPassword } from '../identity/passwords.ts'
import { ensure, refuse } from '../lib/refusal.ts'
import type { IdempotencyKey } from '../lib/idempotency-key.ts'
import type { NewAccount } from './accounts.ts'
import { addAccount } from './add-account.ts'
import { is } from '../domain/is.ts'

export type Parent = NonNullable<NewAccount['parent']>

/** An active admin or agent, from the actor down. */
export const headBelow = async (db: Db, actor: Actor, id: number): Promise<Parent & { role: Role }> =>
  ensure(
    await one<Parent & { role: Role }>(
      db,
      sql`select a.id, a.top_id as "topId", a.path, a.group_id as "groupId", a.role_id as role from accounts a
        where a.id = ${id} and a.role_id <= ${is.agent} and a.status = ${is.active} and ${visibleAccounts(actor)}`,
    ),
    'account.not_found',
  )

type Maker = { db: Database; actor: Actor; caller: Caller; idempotencyKey: IdempotencyKey; services: { media: Media } }
type TreePosition = { call: CallName; role: Role; parent: Parent }

/** Adds an account as a form of the back office asks for it. It chooses its own password at its first sign-in. */
export const addByForm = async (ctx: Maker, form: z.output<typeof Form>, { call, role, parent }: TreePosition) => {
  const { username, nickname = '', password, password_confirmation, thumbnail } = form
  if (password !== password_confirmation) return refuse('account.passwords_differ')
  // Outside the transaction: hashing would hold its connection.
  const passwordHash = await hashPassword(password, ctx.caller)
  return once(ctx.db, { actorId: ctx.actor.id, call, idempotencyKey: ctx.idempotencyKey }, async (db) => {
    const thumbnailId = thumbnail
      ? await ctx.services.media.saveAvatar(db, { topId: parent.topId, senderId: ctx.actor.id }, thumbnail)
      : null
    const account = { parent, role, username, nickname, passwordHash, thumbnailId, mustChoosePassword: true }
    return { id: (await addAccount(db, ctx, account)).id }
  })
}
