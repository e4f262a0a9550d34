import { z } from 'zod'
import { askRefusals } from '../../approval-fields.ts'
import { calls } from '../../call.ts'
import { RoleCode } from '../../code-fields.ts'
import { Clock, Flag, Id } from '../../fields.ts'

/**
 * Why an account has a right now, or has it not: its role; it was given or taken by somebody; nobody has given it; an
 * account above has it not; it is outside its hours; the page that it is an action of is missing.
 */
export const rightReasons = ['role', 'given', 'taken', 'not_given', 'above', 'hours', 'page'] as const

/** A page of the menu, or `page.action`. */
const RightName = z.string().regex(/^[\w.]{1,60}$/)
/** HH:MM in the platform's time zone. Hours that end before they begin go past midnight. */
const Hours = z.object({ from: Clock, until: Clock })

const ExplainedRight = z.object({
  /** A page of the menu, or PAGE.ACTION. */
  name: z.string(),
  page: z.string(),
  /** Empty for the page itself. */
  action: z.string(),
  has: z.boolean(),
  why: z.enum(rightReasons),
  /** What was decided for this account itself, whatever those above it have. */
  is_given: z.boolean(),
  hours: Hours.nullable(),
  /** Who decided it last, and when; null: nobody. The name is empty for an account that the viewer does not know. */
  decided: z.object({ by: z.string(), at: z.string() }).nullable(),
  /** The account above that has it not; empty as above. */
  above: z.string(),
  may_give: z.boolean(),
  may_take: z.boolean(),
})

const Rights = z.object({
  id: z.int(),
  role_id: RoleCode,
  username: z.string(),
  nickname: z.string(),
  is_self: z.boolean(),
  rights: z.array(ExplainedRight),
})

export const rightCalls = calls({
  /** Not in the source: what an account of the downline, or the caller itself, may use of the back office, and why. */
  'right/view': {
    effect: 'read',
    request: z.object({ id: Id.optional() }),
    response: Rights,
    refuses: ['account.not_found'],
  },
  /** Gives rights to an account below or takes them, and answers with all of them. */
  'right/save': {
    effect: 'write',
    request: z.object({
      id: Id,
      rights: z
        .array(z.object({ name: RightName, given: z.boolean(), hours: Hours.nullable().default(null) }))
        .min(1)
        .max(60)
        .refine((rights) => new Set(rights.map(({ name }) => name)).size === rights.length),
    }),
    /** `approval`: the rights that are given wait for approval; what is taken is taken. */
    response: Rights.extend({ approval: Flag.optional() }),
    refuses: [
      ...askRefusals,
      'account.not_found',
      'account.not_yourself',
      'right.unknown',
      'right.not_yours',
      'right.upline_has_not',
      'right.decided_above',
      'right.hours_same',
    ],
  },
})
