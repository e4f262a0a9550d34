import { Role } from '@tallyroom/contract/codes'
import { makeAccount, ownView } from '../../accounts/accounts.ts'
import { createRoom } from '../../chat/create-room.ts'
import { isOfFormerKey, type Stored, storedAt } from '../../data/idempotency.ts'
import { type Db, one, sql, type Tx } from '../../data/sql.ts'
import { audit } from '../../identity/audit.ts'
import { checkPassword, hashPassword, type Verdict } from '../../identity/passwords.ts'
import { mayOpen, menuOf } from '../../identity/policy.ts'
import { endOldestSessions, endSession, endSessions, openSession } from '../../identity/sessions.ts'
import { type Challenge, masked, prove, waitingSignIn } from '../../identity/sign-in/challenge.ts'
import { checkAuthenticator } from '../../identity/sign-in/codes.ts'
import { isNewDevice, knownDevice, rememberDevice } from '../../identity/sign-in/devices.ts'
import { auditFailure } from '../../identity/sign-in/failures.ts'
import { signIn } from '../../identity/sign-in/login.ts'
import type { SignedIn } from '../../identity/sign-in/signed-in.ts'
import { countSignUpOfAddress, countSignUpOfInviter } from '../../identity/sign-in/sign-up-budget.ts'
import { checkSmsCode, sendCode } from '../../identity/sign-in/sms-codes.ts'
import { byCodes, byCodesOnDevice, byRepeatedSignUp, countTries } from '../../identity/sign-in/throttle.ts'
import { takesCashRequests } from '../../ledger/engine/load/cash.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import type { Handlers, OpenCtx } from '../handler.ts'
import { invitationOf } from './session/invitation.ts'
import { downlineSessions, endSessionOf, activeSessions } from './session/active.ts'
import { is } from '../../domain/is.ts'
import { noticeSecurity, securityNotices } from '../../identity/security-notices.ts'
import type { Parsed } from '@tallyroom/contract'
import type { sessionCalls } from '@tallyroom/contract/calls/sign-in/session'

type SignUp = Parsed<'member/signup'>

/** Opens a session and returns what the browser keeps. */
const completeSignIn = async (ctx: OpenCtx, db: Tx, who: SignedIn) => {
  const { settings } = ctx.services
  if (!ctx.caller.wantsBound && !settings.allowUnbound) return refuse('access.denied')
  const agentLogin = who.method === 'agent'
  const isNew = await isNewDevice(db, ctx.caller, who.id)
  const opened = { ...who, agentLogin, byToken: agentLogin || who.method === 'landing' || who.method === 'widget' }
  const token = await openSession(db, opened, ctx.caller, ctx.reply, settings.sessions)
  await endOldestSessions(db, ctx.services.hub, who.id)
  await rememberDevice(db, who, ctx.caller, ctx.reply)
  if (isNew) await noticeSecurity(db, ctx.services.hub, who, 'new_device', ctx)
  await audit(db, { actor: who, caller: ctx.caller }, 'signed_in', who, { door: who.method })
  const view = ensure(await ownView(db, sql`a.id = ${who.id}`), 'server.failed')
  return { ...view, agent_login: agentLogin ? (1 as const) : (0 as const), token }
}

/** Checks a code of a waiting sign-in. Tries count for the account, however often the sign-in is started again. */
const proveByCode = async (ctx: OpenCtx, waiting: Challenge, check: () => Promise<Verdict>) => {
  const device = await knownDevice(ctx.db, ctx.caller, waiting.accountId)
  const tries = device ? byCodesOnDevice(waiting.accountId, device) : byCodes(waiting.accountId)
  if ((await countTries(ctx.db, [tries], check)) !== 'right') {
    const account = { id: waiting.accountId, topId: waiting.topId }
    await auditFailure(ctx.services.db, ctx.caller, account, 'code')
    return refuse('code.wrong')
  }
  return prove(ctx.db, waiting)
}

export const sessionHandlers = {
  login: { open: (ctx, input) => signIn(ctx, input, (db, who) => completeSignIn(ctx, db, who)) },

  sendValidateCode: {
    open: async (ctx, { username, mobile, challenge }) => {
      const { accountId, topId, idHash, phone } = await waitingSignIn(ctx, username, challenge)
      // The number is always the stored one; a different one in the payload is reported as a mistake.
      if (!phone || (mobile !== phone && mobile !== masked(phone)))
        return refuse('request.invalid', { field: 'mobile' })
      return sendCode(ctx.services, { accountId, topId, challenge: idHash }, phone, ctx.caller)
    },
  },

  checkValidateCode: {
    open: async (ctx, { username, token, challenge }) => {
      const waiting = await waitingSignIn(ctx, username, challenge)
      return proveByCode(ctx, waiting, () => checkSmsCode(ctx.db, { ...waiting, challenge: waiting.idHash }, token))
    },
  },

  googleAuth: {
    open: async (ctx, { username, secret, challenge }) => {
      const waiting = await waitingSignIn(ctx, username, challenge)
      return proveByCode(ctx, waiting, () => checkAuthenticator(ctx.services, waiting.accountId, secret))
    },
  },

  'member/invitation': { open: (ctx, { share_code }) => invitationOf(ctx, share_code) },

  'member/signup': {
    open: async (ctx, input) => {
      const { db } = ctx.services
      if (input.password !== input.password_confirmation) return refuse('account.passwords_differ')
      const again = async () => {
        const made = await earlierSignUp(ctx, input)
        return made && db.transact((tx) => completeSignIn(ctx, tx, { ...made, face: 'member', method: 'signup' }))
      }
      const earlier = await again()
      if (earlier) return earlier
      const { settings } = ctx.services
      await countSignUpOfAddress(ctx.db, settings, ctx.caller.network)
      const { id } = await inviter(ctx.db, input.share_code)
      await countSignUpOfInviter(ctx.db, settings, id)
      // Outside the transaction: many sign-ups at once would hold all connections while they wait for their hashes.
      const passwordHash = await hashPassword(input.password, ctx.caller)
      try {
        return await db.transact((tx) => makeMember(ctx, tx, input, passwordHash))
      } catch (error) {
        // The same sign-up may have been faster over another connection.
        return (await again()) ?? Promise.reject(error)
      }
    },
  },

  logout: {
    batched: async (ctx) => {
      const { db, services, actor } = ctx
      if (actor.session.agentLogin) return refuse('access.denied')
      await db.transact(async (tx) => {
        await endSession(tx, services.hub, actor.session.id)
        await audit(tx, ctx, 'signed_out', actor)
      })
      return null
    },
  },

  'session/list': async ({ db, actor }) => ({ data: await activeSessions(db, actor.id, actor.session.id) }),

  'session/end': async (ctx, { id }) => {
    const { db, services, actor } = ctx
    if (actor.session.agentLogin) return refuse('access.denied')
    await endSessionOf(db, services.hub, actor.id, id)
    await audit(db, ctx, 'session_ended', actor, { sessions: 1 })
    return null
  },

  'session/endOthers': async (ctx) => {
    const { db, services, actor } = ctx
    if (actor.session.agentLogin) return refuse('access.denied')
    const ended = await endSessions(db, services.hub, actor.id, 'ended', actor.session.id)
    await audit(db, ctx, 'session_ended', actor, { sessions: ended })
    return { ended }
  },

  'security/list': async ({ db, actor }) => ({ data: await securityNotices(db, actor.id) }),

  ...downlineSessions,

  'userMenu/list': async ({ db, actor }) => {
    const found = await one<{ requests: boolean; approvals: boolean }>(
      db,
      sql`select ${takesCashRequests(sql`${actor.groupId}::int`)} as requests,
        exists (select from transfer_limits where top_id = ${actor.topId})
          or exists (select from sensitive_changes where top_id = ${actor.topId})
          or (select four_eyes <> '{}' from accounts where id = ${actor.topId}) as approvals`,
    )
    return menuOf(actor, found ?? {})
  },
  'userMenu/auth': async ({ actor, services }, { url }) => ({
    allowed: mayOpen(actor, url, services.settings.debugPage),
  }),
} satisfies Handlers<typeof sessionCalls>

const inviter = async (db: Db, shareCode: string) =>
  ensure(
    await one<{ id: number; topId: number; path: string; groupId: number }>(
      db,
      sql`select id, top_id as "topId", path, group_id as "groupId"
        from accounts where share_code = ${shareCode} and status = ${is.active} and role_id <= ${is.customerService}`,
    ),
    'signup.unknown_share_code',
  )

const makeMember = async (ctx: OpenCtx, tx: Tx, input: SignUp, passwordHash: string) => {
  const { share_code, username, nickname } = input
  const parent = await inviter(tx, share_code)
  const made = await makeAccount(tx, {
    parent,
    role: Role.member,
    username,
    nickname: nickname || username,
    passwordHash,
  })
  await createRoom(tx, made)
  // Only the account is stored as outcome: a token is never stored.
  await one(
    tx,
    sql`insert into requests (actor_id, request_id, call, body_hash, answer)
      values (0, ${ctx.idempotencyKey.id}, 'member/signup', ${ctx.idempotencyKey.hash}, ${JSON.stringify({ data: made.id })})`,
  )
  return completeSignIn(ctx, tx, { id: made.id, topId: made.topId, face: 'member', method: 'signup' })
}

type EarlierSignUp = { isActive: boolean; username: string; id: number; topId: number; hash: string }

/**
 * The account that the same sign-up has made when its answer was lost. The id alone opens nothing; the password does.
 */
const earlierSignUp = async ({ db, idempotencyKey, caller }: OpenCtx, { username, password }: SignUp) => {
  const stored = await one<Pick<Stored, 'call' | 'bodyHash' | 'storedAt'> & EarlierSignUp>(
    db,
    sql`select r.call, r.body_hash as "bodyHash", ${storedAt} as "storedAt",
        a.status = ${is.active} as "isActive", a.username, a.id, a.top_id as "topId", a.password_hash as hash
      from requests r join accounts a on a.id = (r.answer->>'data')::int where actor_id = 0 and request_id = ${idempotencyKey.id}`,
  )
  if (!stored) return undefined
  const isSame =
    stored.bodyHash.equals(idempotencyKey.hash) ||
    (isOfFormerKey(stored, { call: 'member/signup', idempotencyKey }) && stored.username === username)
  let isRight = false
  // Also a right one counts: each repetition costs a hash.
  await countTries(db, [byRepeatedSignUp(idempotencyKey.id)], async () => {
    isRight = (await checkPassword(stored.hash, password, caller)) === 'right'
    return 'wrong'
  })
  if (!isRight || !isSame || !stored.isActive) return refuse('request.id_reused')
  return { id: stored.id, topId: stored.topId }
}
