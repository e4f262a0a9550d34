import { randomBytes } from 'node:crypto'
import type { sessionCalls } from '@tallyroom/contract/calls/session'
import { makeAccount, ownView } from '../accounts.ts'
import type { Face, Role } from '../actor.ts'
import { one, sql, type Tx } from '../db.ts'
import { ensure, type Handlers, type OpenCtx, refuse } from '../handler.ts'
import { checkPassword, hashPassword } from '../passwords.ts'
import { mayOpen, menuOf } from '../policy.ts'
import { endSession, openSession } from '../sessions.ts'

/** Signs an account in and says what the browser is to keep. */
const welcome = async (ctx: OpenCtx, id: number, face: Face) => {
  if (!ctx.caller.wantsBound && !ctx.house.settings.allowUnbound) return refuse('access.denied')
  const token = await openSession(ctx.db, { id, face }, ctx.caller, ctx.reply)
  const view = ensure(await ownView(ctx.db, sql`a.id = ${id}`), 'server.failed')
  return { ...view, agent_login: 0 as const, token }
}

export const sessionHandlers = {
  login: {
    open: async (ctx, { username, password, face }) => {
      const found = await one<{ id: number; role: Role; status: number; hash: string }>(
        ctx.db,
        sql`select id, role_id as role, status, password_hash as hash from accounts where lower(username) = lower(${username})`,
      )
      // Unknown, frozen, wrong and the other face's account: one answer, after the same work.
      const verdict = await checkPassword(found?.hash, password)
      const fits = found && found.status === 1 && (found.role === 4) === (face === 'member')
      if (!found || !fits || verdict !== 'right') return refuse('session.wrong_login')
      return welcome(ctx, found.id, face)
    },
  },

  'member/invitation': {
    open: async ({ db }, { share_code }) => {
      const host = await inviter(db, share_code)
      return { nickname: host.nickname || host.username }
    },
  },

  'member/signup': {
    open: async (ctx, { share_code, username, nickname, password, password_confirmation }) => {
      if (password !== password_confirmation) return refuse('account.passwords_differ')
      const again = await earlierSignUp(ctx)
      if (again) return welcome(ctx, again, 'member')
      const parent = await inviter(ctx.db, share_code)
      const passwordHash = await hashPassword(password)
      const made = await makeAccount(ctx.db, {
        parent,
        role: 4,
        username,
        nickname: nickname || username,
        passwordHash,
      })
      await makeRoom(ctx.db, made)
      // The stored outcome is the account alone: a token is never written down.
      await one(
        ctx.db,
        sql`insert into requests (actor_id, request_id, call, body_hash, answer)
          values (0, ${ctx.request.id}, 'member/signup', ${ctx.request.hash}, ${JSON.stringify({ data: made.id })})`,
      )
      return welcome(ctx, made.id, 'member')
    },
  },

  logout: async ({ db, house, actor }) => {
    await endSession(db, house.hub, actor.session.id)
    return null
  },

  'userMenu/list': async ({ actor }) => menuOf(actor.role),
  'userMenu/auth': async ({ actor }, { url }) => ({ allowed: mayOpen(actor.role, url) }),
} satisfies Handlers<typeof sessionCalls>

const inviter = async (db: Tx, shareCode: string) =>
  ensure(
    await one<{ id: number; topId: number; path: string; groupId: number; nickname: string; username: string }>(
      db,
      sql`select id, top_id as "topId", path, group_id as "groupId", nickname, username
        from accounts where share_code = ${shareCode} and status = 1 and role_id <= 3`,
    ),
    'signup.unknown_share_code',
  )

/** The account that the same sign-up made when its answer was lost. */
const earlierSignUp = async ({ db, request }: OpenCtx): Promise<number | undefined> => {
  const stored = await one<{ same: boolean; id: number }>(
    db,
    sql`select body_hash = ${request.hash} as same, (answer->>'data')::int as id
      from requests where actor_id = 0 and request_id = ${request.id}`,
  )
  if (stored && !stored.same) return refuse('request.id_reused')
  return stored?.id
}

/** Every member has one room with its group from the start. The code is a name of 128 random bits, not a right. */
export const makeRoom = (db: Tx, member: { id: number; topId: number; groupId: number }) =>
  one<{ id: number; code: string }>(
    db,
    sql`insert into rooms (top_id, code, group_id, partner_id)
      values (${member.topId}, ${randomBytes(16).toString('base64url')}, ${member.groupId}, ${member.id}) returning id, code`,
  )
