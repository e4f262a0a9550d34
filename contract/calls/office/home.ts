import { z } from 'zod'
import { calls } from '../../call.ts'
import { RoleCode } from '../../code-fields.ts'
import { Day, PointsText } from '../../fields.ts'

/** An office account below the caller. */
const Colleague = z.object({ id: z.int(), role_id: RoleCode, username: z.string(), nickname: z.string() })

/**
 * What a head of a group does first: an admin adds an agent and gives points, an agent adds customer service and gets
 * points from above; the time zone and backups are the top's.
 */
export const firstSteps = [
  'zone',
  'agent',
  'service',
  'points',
  'get_points',
  'share',
  'conversation',
  'factor',
  'backup',
] as const

export const homeCalls = calls({
  /**
   * The figures of the first page, except balance and rooms, which the browser follows live. Each part is there for those
   * who have the page that it is taken from.
   */
  'home/view': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      /** The branch's last seven days, today last; empty without SR02. */
      days: z.array(z.object({ day: Day, total_in: PointsText, total_out: PointsText })),
      /**
       * Open envelopes of the members that the caller sees: points held for them, and points asked from them. Null
       * without the log.
       */
      open: z.object({ offers: z.int(), held: PointsText, requests: z.int(), asked: PointsText }).nullable(),
      /** The operators below with the least to spend, for heads of a group. */
      low: z.array(Colleague.extend({ available: PointsText })),
      /** The latest sign-ins of office accounts below, for heads. YYYY-MM-DD HH:mm:ss in the platform's time zone. */
      sign_ins: z.array(Colleague.extend({ at: z.string() })),
      /** An endpoint of webhooks was turned off; false for all but the top account. */
      endpoint_off: z.boolean(),
    }),
  },
  /** The first steps of the caller in their order, done or not; none when the caller has put them away. */
  'home/steps': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      steps: z.array(z.object({ step: z.enum(firstSteps), done: z.boolean() })),
      /** The time zone of the installation while the caller may choose it: nothing is counted by days yet. */
      open_zone: z.string().optional(),
      /** Whose link an admin shares: an agent below, because its points are those that members get. Missing: the own one. */
      sharer: z.object({ name: z.string(), share_code: z.string(), domain: z.string() }).optional(),
      /** Where other devices find the installation, for links that are made on its own machine. */
      site: z.string().optional(),
      /** What makes a backup, as it is typed on the server. Missing while that is no step. */
      backup_command: z.string().optional(),
    }),
  },
  /** Chooses the time zone in which the installation counts days. Only a top account, and only before the first transfer. */
  'home/chooseZone': {
    effect: 'write',
    refuses: ['home.zone_fixed', 'home.zone_unknown'],
    request: z.object({ time_zone: z.string().trim().min(1).max(64) }),
    response: z.null(),
  },
  'home/putAway': { effect: 'write', request: z.object({ put_away: z.boolean() }), response: z.null() },
})
