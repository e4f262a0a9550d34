import type { Parsed } from '@tallyroom/contract'
import type { accountCalls } from '@tallyroom/contract/calls/account'
import { Role } from '@tallyroom/contract/codes'
import { makeAccount, type NewAccount } from '../../accounts/accounts.ts'
import { once } from '../../data/idempotency.ts'
import { type Db, one, sql } from '../../data/sql.ts'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { audit } from '../../identity/audit.ts'
import { hashPassword } from '../../identity/passwords.ts'
import { mayAct } from '../../identity/policy.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import type { BatchedCtx, Handlers } from '../handler.ts'

type Parent = NonNullable<NewAccount['parent']>

export const addHandlers = {
  'user/add': {
    batched: async (ctx, input) => {
      if (!mayAct(ctx.actor, 'user/add', Role.customerService)) return refuse('access.denied')
      const { id, topId, path, groupId } = ctx.actor
      return add(ctx, input, { call: 'user/add', role: Role.customerService, parent: { id, topId, path, groupId } })
    },
  },

  'user/addAgent': {
    batched: async (ctx, { parent_id, ...input }) => {
      const parent = await headBelow(ctx.db, ctx.actor, parent_id ?? ctx.actor.id)
      return add(ctx, input, { call: 'user/addAgent', role: Role.agent, parent })
    },
  },
} satisfies Handlers<Pick<typeof accountCalls, 'user/add' | 'user/addAgent'>>

/** An admin or agent from the actor down. */
const headBelow = async (db: Db, actor: Actor, id: number): Promise<Parent> =>
  ensure(
    await one<Parent>(
      db,
      sql`select a.id, a.top_id as "topId", a.path, a.group_id as "groupId" from accounts a
        where a.id = ${id} and a.role_id <= 2 and a.status = 1 and ${visibleAccounts(actor)}`,
    ),
    'account.not_found',
  )

type Place = { call: 'user/add' | 'user/addAgent'; role: Role; parent: Parent }

const add = async (
  ctx: BatchedCtx,
  input: Parsed<'user/add'>,
  { call, role, parent }: Place,
): Promise<{ id: number }> => {
  const { username, nickname = '', password, password_confirmation, thumbnail } = input
  if (password !== password_confirmation) return refuse('account.passwords_differ')
  // Outside the transaction: hashing would hold its connection.
  const passwordHash = await hashPassword(password)
  return once(ctx.db, { actorId: ctx.actor.id, call, request: ctx.request }, async (db) => {
    const thumbnailId = thumbnail ? await ctx.services.media.saveAvatar(db, parent.topId, thumbnail) : null
    const made = await makeAccount(db, {
      parent,
      role,
      username,
      nickname,
      passwordHash,
      thumbnailId,
      mustChoosePassword: true,
    })
    await audit(db, ctx, 'account_added', made, { role_id: role, nickname })
    return { id: made.id }
  })
}
