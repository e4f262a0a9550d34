import type { MemberApi } from '@tallyroom/contract/member-api'
import { Role } from '@tallyroom/contract/codes'
import type { z } from 'zod'
import { moveAccount } from '../../accounts/move.ts'
import { abilityHandlers } from '../../calls/accounts/ability.ts'
import { accountHandlers as office } from '../../calls/accounts/account.ts'
import { limitHandlers } from '../../calls/points/limit.ts'
import { audit } from '../../identity/audit.ts'
import { endSessions } from '../../identity/sessions.ts'
import { refuse } from '../../lib/refusal.ts'
import type { ApiCtx, BatchedApiCtx } from '../context.ts'
import { invalidFields } from '../invalid-fields.ts'
import { type AccountName, type ApiAccount, below } from '../named-account.ts'
import { abilitiesAndLimits, accountOf, accountReads } from './account.ts'
import { add } from './add.ts'
import { inOffice } from './in-office.ts'

type Input<N extends keyof MemberApi> = z.output<MemberApi[N]['request']>

/** An account that keys change. Other admins are not: they decide what a key has to wait for. */
const changeable = async (ctx: ApiCtx, who: AccountName): Promise<ApiAccount> => {
  const found = await below(ctx, who)
  return found.role === Role.admin ? refuse('account.not_found') : found
}

export const accountHandlers = {
  ...accountReads,

  'member/add': { batched: (ctx: BatchedApiCtx, person: Input<'member/add'>) => add(ctx, 4, person) },
  'agent/add': {
    batched: (ctx: BatchedApiCtx, { limit_of_credit, ...person }: Input<'agent/add'>) =>
      add(ctx, 2, person, limit_of_credit),
  },

  'agent/set': async (ctx: ApiCtx, { set, username, third_party_id }: Input<'agent/set'>) => {
    const { id, role } = await below(ctx, { username, third_party_id })
    if (role !== Role.agent) return refuse('account.not_found')
    const { nickname, status, limit_of_credit, abilities, limits } = set
    const asOffice = await inOffice(ctx)
    const waits: boolean[] = []
    // Abilities are locked before accounts.
    if (abilities || limit_of_credit !== undefined) {
      const wanted = { id, ...abilities, ...(limit_of_credit === undefined ? {} : { limit_of_credit }) }
      waits.push((await abilityHandlers['user/saveAbilities'](asOffice, wanted)).approval === 1)
    }
    if (limits) waits.push((await limitHandlers['limit/save'](asOffice, { id, limits }))?.approval === 1)
    if (nickname !== undefined || status !== undefined) await office['user/edit'](asOffice, { id, nickname, status })
    const { account } = await accountOf(ctx.db, id)
    const after = await abilitiesAndLimits(asOffice, id)
    return { ...account, ...after, ...(waits.includes(true) ? { approval: 1 as const } : {}) }
  },

  'account/move': async (ctx: ApiCtx, input: Input<'account/move'>) => {
    const { to, to_third_party_id, username, third_party_id } = input
    if ((to === undefined) === (to_third_party_id === undefined))
      throw invalidFields([{ path: ['to'], reason: 'Give exactly one of to and to_third_party_id' }])
    const { id } = await changeable(ctx, { username, third_party_id })
    const upline = await below(ctx, { username: to, third_party_id: to_third_party_id }, true)
    const waits = await moveAccount(ctx.db, await inOffice(ctx), { id, to_id: upline.id })
    const { account } = await accountOf(ctx.db, id)
    return { username: account.username, parent: account.parent, ...(waits ? { approval: 1 as const } : {}) }
  },

  'session/end': async (ctx: ApiCtx, { username, third_party_id }: Input<'session/end'>) => {
    const { db, services } = ctx
    const account = await changeable(ctx, { username, third_party_id })
    const ended = await endSessions(db, services.hub, account.id, 'ended')
    if (ended > 0) await audit(db, ctx, 'session_ended', account, { sessions: ended })
    return { ended }
  },
}
