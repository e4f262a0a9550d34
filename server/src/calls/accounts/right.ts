import type { Answer, Parsed } from '@tallyroom/contract'
import type { rightCalls } from '@tallyroom/contract/calls/accounts/right'
import { Role } from '@tallyroom/contract/codes'
import { changeRights, giving } from '../../accounts/rights.ts'
import type { AuditFacts } from '../../identity/audit.ts'
import { explainRights, isGranted, nameFor } from '../../identity/explain-rights.ts'
import { shownText, shownUsername } from '../../identity/masking.ts'
import { refuse } from '../../lib/refusal.ts'
import type { Ctx, Handlers, ReadCtx } from '../handler.ts'

export const rightHandlers = {
  'right/view': (ctx, { id }) => view(ctx, id ?? ctx.actor.id),

  'right/save': async (ctx, { id, rights }) => {
    const waits = await changeRights(ctx.db, giverOf(ctx), id, rights)
    return { ...(await view(ctx, id)), ...(waits ? { approval: 1 as const } : {}) }
  },
} satisfies Handlers<typeof rightCalls>

const giverOf = ({ actor, caller, services }: Ctx) => {
  const { timeZone, envelopeHours } = services.settings
  return { actor, caller, hub: services.hub, timeZone, envelopeHours }
}

type StoredRights = { id: number; rights: Parsed<'right/save'>['rights'] }
/** Gives rights that were approved, as `shown`. */
export const makeRights = (ctx: Ctx, { id, rights }: StoredRights, shown: AuditFacts) =>
  changeRights(ctx.db, giverOf(ctx), id, rights, shown)

const view = async ({ db, actor, services }: ReadCtx, id: number): Promise<Answer<'right/view'>> => {
  const { holder, rights } = await explainRights(db, { actor, timeZone: services.settings.timeZone }, id)
  // Members have no back office.
  if (holder.role === Role.member) return refuse('access.denied')
  return {
    id,
    role_id: holder.role,
    username: shownUsername(actor, holder),
    nickname: shownText(actor, holder, holder.nickname),
    is_self: id === actor.id,
    rights: rights.map((right) => {
      const { name, reason, own, above } = right
      const [page = '', action = ''] = name.split('.')
      return {
        name,
        page,
        action,
        has: isGranted(reason),
        why: reason,
        is_given: own ? own.isGiven : reason !== 'not_given',
        hours: own?.from && own.until ? { from: own.from, until: own.until } : null,
        decided: own ? { by: own.by ? nameFor(actor, own.by) : '', at: own.at } : null,
        above: above ? nameFor(actor, above) : '',
        ...giving(actor, holder, right),
      }
    }),
  }
}
