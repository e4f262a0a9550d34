import { z } from 'zod'
import { calls } from '../../call.ts'
import { assignMethods, ruleRanges } from '../../desk/rules.ts'

const within = ([least, most]: readonly [number, number]) => z.int().min(least).max(most)

/** DESK-10: how a group shares out the members who wait (contract/desk/rules.ts). */
const Rules = z.object({
  assign: z.enum(assignMethods),
  capacity: within(ruleRanges.capacity),
  sticky_hours: within(ruleRanges.sticky_hours),
  answer_s: z.union([z.literal(0), within(ruleRanges.answer_s)]),
  gone_s: within(ruleRanges.gone_s),
})

export const deskSettingCalls = calls({
  'deskSetting/view': { effect: 'read', request: z.object({}), response: Rules },
  'deskSetting/save': { effect: 'write', request: Rules, response: z.null() },
})
