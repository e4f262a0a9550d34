import type { ApiName, ListCall, MemberApi } from '@tallyroom/contract/member-api'
import { formatPoints } from '@tallyroom/contract/points'
import type { z } from 'zod'
import { accountTables } from '../accounts/accounts.ts'
import { groupAccounts } from '../identity/actor.ts'
import { AccountStatus, isOperator, Role } from '@tallyroom/contract/codes'
import { audit } from '../identity/audit.ts'
import { many, one, sql } from '../data/sql.ts'
import { refuse } from '../lib/refusal.ts'
import type { ApiCtx, BatchedApiCtx } from './context.ts'
import { below } from './named-account.ts'
import { bankHandlers } from './accounts/bank.ts'
import { accountHandlers } from './accounts/handlers.ts'
import { bookHandlers } from './books.ts'
import { cashHandlers } from './cash.ts'
import { endpointHandlers } from './endpoints.ts'
import { eventHandlers } from './events/list.ts'
import { fulfilHandlers } from './fulfil.ts'
import { invalidFields } from './invalid-fields.ts'
import { memberSetHandlers } from './member-set.ts'
import { platformHandlers } from './platform.ts'
import { talkHandlers } from './talk/handlers.ts'
import { pointHandlers } from './points.ts'
import { sandboxHandlers } from './sandbox.ts'
import { transferHandlers } from './transfers.ts'
import { is } from '../domain/is.ts'
import { addressOf, issueToken } from '../identity/sign-in/tokens.ts'

type ApiFunction<N extends ApiName, C> = (
  ctx: C,
  input: z.output<MemberApi[N]['request']>,
) => Promise<z.output<MemberApi[N]['response']>>
type ApiHandler<N extends ApiName> = ApiFunction<N, ApiCtx> | { batched: ApiFunction<N, BatchedApiCtx> }

/** The calls about one. Those about a list run them for each row (rows.ts). */
export const apiHandlers: { [N in Exclude<ApiName, ListCall>]: ApiHandler<N> } = {
  ...accountHandlers,

  ...bankHandlers,

  'sign-in/token': async (ctx, { kind, ...who }) => {
    const { db, services } = ctx
    const account = await below(ctx, who)
    const isMember = account.role === Role.member
    if (account.status === AccountStatus.frozen || (kind === 'agent' && isMember) || (kind === 'widget' && !isMember))
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
      const { id } = await ctx.findMember(ctx.topId, { username, third_party_id })
      const bet = { topId: ctx.topId, memberId: id, betId: bet_id, amount, report: ctx.report }
      return ctx.services.ledger.bet(valid === undefined ? bet : { ...bet, valid })
    },
  },
  'win/report': {
    batched: async (ctx, { username, third_party_id, bet_id, amount }) => {
      const { id } = await ctx.findMember(ctx.topId, { username, third_party_id })
      const { topId, report } = ctx
      return ctx.services.ledger.win({ topId, memberId: id, betId: bet_id, amount, report })
    },
  },

  'bet/void': {
    batched: ({ services, topId, report }, { bet_id }) => services.ledger.voidBet({ topId, betId: bet_id, report }),
  },

  'balance/list': async ({ db, topId }, { usernames, third_party_ids }) => {
    if (usernames.length + third_party_ids.length === 0)
      throw invalidFields([{ path: ['usernames'], reason: 'Give at least one of usernames or third_party_ids' }])
    const rows = await many<{
      username: string
      third_party_id: string | null
      role_id: Role
      status: 0 | 1
      main: bigint
      floor: bigint | null
      game: bigint
    }>(
      db,
      sql`select a.username, a.third_party_id, a.role_id, a.status, m.balance as main, m.floor,
          coalesce(w.balance, 0) as game from ${accountTables}
        where a.top_id = ${topId} and a.role_id <> ${is.gameAccount} and not a.is_key and a.id in (
          select id from accounts where lower(username) = any(${usernames.map((name) => name.toLowerCase())}::text[])
          union all select id from accounts where top_id = ${topId} and third_party_id = any(${third_party_ids}::text[]))
        order by a.id`,
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

  ...memberSetHandlers,

  ...pointHandlers,

  ...cashHandlers,

  ...fulfilHandlers,

  ...talkHandlers,

  ...transferHandlers,

  ...bookHandlers,

  ...eventHandlers,

  ...endpointHandlers,

  ...platformHandlers,

  ...sandboxHandlers,
}
