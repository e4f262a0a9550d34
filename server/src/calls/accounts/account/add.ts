import type { accountCalls } from '@tallyroom/contract/calls/accounts/account'
import { Role } from '@tallyroom/contract/codes'
import { addByForm, headBelow } from '../../../accounts/add-by-form.ts'
import { mayAct } from '../../../identity/policy.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { Handlers } from '../../handler.ts'

export const addHandlers = {
  'user/add': {
    batched: async (ctx, input) => {
      if (!mayAct(ctx.actor, 'user/add', Role.customerService)) return refuse('access.denied')
      return addByForm(ctx, input, { call: 'user/add', role: Role.customerService, parent: ctx.actor })
    },
  },

  'user/addAgent': {
    batched: async (ctx, { parent_id, ...input }) => {
      const parent = await headBelow(ctx.db, ctx.actor, parent_id ?? ctx.actor.id)
      return addByForm(ctx, input, { call: 'user/addAgent', role: Role.agent, parent })
    },
  },

  'user/addMember': {
    batched: (ctx, input) => {
      const { groupId, groupPath, topId } = ctx.actor
      const parent = { id: groupId, path: groupPath, groupId, topId }
      return addByForm(ctx, input, { call: 'user/addMember', role: Role.member, parent })
    },
  },
} satisfies Handlers<Pick<typeof accountCalls, 'user/add' | 'user/addAgent' | 'user/addMember'>>
