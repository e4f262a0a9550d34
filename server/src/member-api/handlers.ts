import type { ApiName, MemberApi } from '@tallyroom/contract/member-api'
import { formatPoints } from '@tallyroom/contract/points'
import type { z } from 'zod'
import { accountTables, makeAccount } from '../accounts/accounts.ts'
import { actorOfAccount, groupAccounts } from '../identity/actor.ts'
import { AccountStatus, isOperator, Role } from '@tallyroom/contract/codes'
import { audit } from '../identity/audit.ts'
import { createRoom } from '../chat/create-room.ts'
import { transferHandlers } from '../calls/transfer.ts'
import { type Db, many, one, type Sql, sql } from '../data/sql.ts'
import type { Ctx } from '../calls/handler.ts'
import { ensure, refuse } from '../lib/refusal.ts'
import { hashPassword, NO_PASSWORD } from '../identity/passwords.ts'
import { once } from '../data/idempotency.ts'
import type { ApiCtx, BatchedApiCtx } from './context.ts'
import { requestHandlers } from './requests.ts'
import { addressOf, issueToken } from '../identity/sign-in/tokens.ts'

type ApiFunction<N extends ApiName, C> = (
  ctx: C,
  input: z.output<MemberApi[N]['request']>,
) => Promise<z.output<MemberApi[N]['response']>>
type ApiHandler<N extends ApiName> = ApiFunction<N, ApiCtx> | { batched: ApiFunction<N, BatchedApiCtx> }
type Scope = { db: Db; topId: number }

type ApiAccount = {
  id: number
  topId: number
  role: Role
  username: string
  path: string
  groupId: number
  status: 0 | 1
}

/** The platform names an account by exactly one of the two. */
type AccountName = { username?: string | undefined; third_party_id?: string | undefined }
const accountIs = ({ username, third_party_id }: AccountName): Sql => {
  if (username !== undefined && third_party_id === undefined) return sql`lower(a.username) = lower(${username})`
  if (username === undefined && third_party_id !== undefined) return sql`a.third_party_id = ${third_party_id}`
  return refuse('request.invalid', { field: 'username' })
}

/**
 * An account below the key's top account. Accounts elsewhere, missing ones and the game account (role 0) get the same
 * refusal.
 */
const below = async ({ db, topId }: Scope, who: AccountName, orTop = false): Promise<ApiAccount> =>
  ensure(
    await one<ApiAccount>(
      db,
      sql`select a.id, a.top_id as "topId", a.role_id as role, a.username, a.path, a.group_id as "groupId", a.status from accounts a
        where ${accountIs(who)} and a.top_id = ${topId} and a.role_id <> 0 and (${orTop} or a.id <> ${topId})`,
    ),
    'account.not_found',
  )

const memberBelow = async (ctx: Scope, who: AccountName) => {
  const found = await below(ctx, who)
  return found.role === Role.member ? found : refuse('account.not_found')
}

type NewPerson = {
  username: string
  third_party_id?: string | undefined
  nickname?: string | undefined
  password?: string | undefined
  parent?: string | undefined
}
const add = async (ctx: BatchedApiCtx, role: 2 | 4, person: NewPerson, limitOfCredit = 0n) => {
  const { report } = ctx
  if (!report) throw new Error('adding an account needs a request_id')
  // Hashed outside the transaction. Without a password only tokens sign the account in.
  const passwordHash = person.password ? await hashPassword(person.password) : NO_PASSWORD
  return once(ctx.db, report, (db) => make({ ...ctx, db }, role, { ...person, passwordHash, limitOfCredit }))
}

type HashedPerson = Omit<NewPerson, 'password'> & { passwordHash: string; limitOfCredit: bigint }
const make = async (ctx: ApiCtx, role: 2 | 4, person: HashedPerson) => {
  const { db, topId } = ctx
  const parent = person.parent
    ? await below(ctx, { username: person.parent }, true)
    : ensure(
        await one<ApiAccount>(
          db,
          sql`select id, top_id as "topId", role_id as role, username, path, group_id as "groupId", status from accounts where id = ${topId}`,
        ),
        'account.not_found',
      )
  if (!isOperator(parent.role) || parent.status === AccountStatus.frozen) return refuse('account.not_found')
  const { username, passwordHash, limitOfCredit, third_party_id: thirdPartyId } = person
  const nickname = person.nickname || username
  const made = await makeAccount(db, { parent, role, username, nickname, passwordHash, limitOfCredit, thirdPartyId })
  if (role === Role.member) await createRoom(db, made)
  await audit(db, ctx, 'account_added', made, {
    role_id: role,
    nickname,
    ...(thirdPartyId ? { third_party_id: thirdPartyId } : {}),
    api_key: ctx.keyId,
  })
  const row = await one<{ share_code: string }>(db, sql`select share_code from accounts where id = ${made.id}`)
  return { id: made.id, username, share_code: row?.share_code ?? '' }
}

export const apiHandlers: { [N in ApiName]: ApiHandler<N> } = {
  'member/add': { batched: (ctx, person) => add(ctx, 4, person) },
  'agent/add': { batched: (ctx, { limit_of_credit, ...person }) => add(ctx, 2, person, limit_of_credit) },

  'sign-in/token': async (ctx, { kind, ...who }) => {
    const { db, services } = ctx
    const account = await below(ctx, who)
    if (account.status === AccountStatus.frozen || (kind === 'agent' && account.role === Role.member))
      return refuse('account.not_found')
    const token = await issueToken(db, { kind, accountId: account.id })
    await audit(db, ctx, 'sign_in_link_made', account, { door: kind, api_key: ctx.keyId })
    return { token, url: addressOf(services.settings.publicUrl ?? '', kind, token, account), expires_in: 60 }
  },

  'event-mode/set': async (ctx, { event_mode, ...who }) => {
    const { db, services } = ctx
    const account = await below(ctx, who)
    const changed = await one(
      db,
      sql`update accounts set event_mode = ${event_mode} where id = ${account.id} and event_mode <> ${event_mode} returning 1 as changed`,
    )
    if (changed)
      await audit(db, ctx, 'abilities_changed', account, {
        event_mode: [1 - event_mode, event_mode],
        api_key: ctx.keyId,
      })
    const people = [...new Set([account.id, ...(isOperator(account.role) ? await groupAccounts(db, account.id) : [])])]
    db.afterCommit(() => {
      for (const id of people) services.hub.notify(id, 'account', { account_id: id })
    })
    return { username: account.username, event_mode }
  },

  'bet/report': {
    batched: async (ctx, { username, third_party_id, bet_id, amount, valid }) => {
      const { id } = await memberBelow(ctx, { username, third_party_id })
      const bet = { topId: ctx.topId, memberId: id, betId: bet_id, amount, report: ctx.report }
      return ctx.services.ledger.bet(valid === undefined ? bet : { ...bet, valid })
    },
  },
  'win/report': {
    batched: async (ctx, { username, third_party_id, bet_id, amount }) => {
      const { id } = await memberBelow(ctx, { username, third_party_id })
      const { topId, report } = ctx
      return ctx.services.ledger.win({ topId, memberId: id, betId: bet_id, amount, report })
    },
  },

  'balance/list': async ({ db, topId }, { usernames }) => {
    const rows = await many<{
      username: string
      role_id: Role
      status: 0 | 1
      main: bigint
      floor: bigint | null
      game: bigint
    }>(
      db,
      sql`select a.username, a.role_id, a.status, m.balance as main, m.floor, coalesce(w.balance, 0) as game from ${accountTables}
        where a.top_id = ${topId} and a.role_id <> 0 and lower(a.username) = any(${usernames.map((name) => name.toLowerCase())}::text[]) order by a.id`,
    )
    return {
      data: rows.map(({ main, floor, game, ...row }) => ({
        ...row,
        balance: floor === null ? '-1' : formatPoints(main),
        game_wallet: formatPoints(game),
        unlimited: floor === null,
      })),
    }
  },

  ...requestHandlers(memberBelow),

  'transfer/list': async ({ db, services, topId, caller }, search) => {
    // Read as the top account, but with unmasked names: the platform knows them already.
    const actor = { ...ensure(await actorOfAccount(db, topId), 'account.not_found'), masks: false }
    const ctx: Ctx = {
      db,
      services,
      caller,
      actor,
      reply: { setCookie: () => {} },
      request: { id: '', hash: Buffer.alloc(0) },
    }
    return transferHandlers['transaction/list'](ctx, search)
  },
}
