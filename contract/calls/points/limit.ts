import { z } from 'zod'
import { askRefusals } from '../../approval-fields.ts'
import { calls } from '../../call.ts'
import { OfficeKindCode } from '../../code-fields.ts'
import { Amount, Flag, Id, PointsText } from '../../fields.ts'
import { limitParts } from '../../limits.ts'

const Most = PointsText.nullable()
/** The limits of one kind of transfer. Null: none of its own, so that of the nearest account above holds. */
const Limit = z.object({ type: OfficeKindCode, transfer: Most, hour: Most, day: Most, member: Most })
/** The lowest limit of the accounts above, and whose it is: empty for one that the caller does not know. */
const Above = z.object({ most: PointsText, of: z.string() }).nullable()
const NewMost = Amount.refine((points) => points >= 0n).nullable()

export const limitCalls = calls({
  /** The limits of an account in the caller's downline: its own, and what holds for it with those above. */
  'limit/view': {
    effect: 'read',
    request: z.object({ id: Id }),
    response: z.object({
      id: z.int(),
      username: z.string(),
      limits: z.array(
        Limit.extend({
          /** The lowest of its own limits and those of every account above it. */
          effective: Limit.omit({ type: true }),
          above: z.object({ transfer: Above, hour: Above, day: Above, member: Above }),
          /** What it and everyone below it have moved in this hour and today; counted where a limit is set. */
          used: z.object({ hour: PointsText, day: PointsText }),
        }),
      ),
      /** The installation's own limits, which no approval lifts. */
      ceiling: z.object({ envelope: Most, day: Most }),
    }),
    refuses: ['account.not_found', 'account.not_yourself'],
  },
  /** Sets the limits of the given kinds; a limit that is null is removed. */
  'limit/save': {
    effect: 'write',
    request: z.object({
      id: Id,
      limits: z
        .array(z.object({ type: OfficeKindCode, transfer: NewMost, hour: NewMost, day: NewMost, member: NewMost }))
        .min(1)
        .max(6)
        .refine((limits) => new Set(limits.map(({ type }) => type)).size === limits.length),
    }),
    /** `approval`: limits that are raised wait for approval; the rest is saved. */
    response: z.object({ approval: Flag }).nullable(),
    refuses: ['account.not_found', 'account.not_yourself', ...askRefusals],
  },
})

export const LimitPartName = z.enum(limitParts)
