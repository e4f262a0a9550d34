import { z } from 'zod'
import { askRefusals } from '../../approval-fields.ts'
import { calls } from '../../call.ts'
import { Amount, Clock, DataUrl, Flag, Id, PointsText, requiredName } from '../../fields.ts'
import { MAX_ACCOUNT_NUMBER, MAX_NAME, MAX_PASSWORD } from '../../lengths.ts'
import { typedKey } from '../../text/typed-key.ts'
import { PayTo } from './cash.ts'

/** The times of day in which it is offered, in the platform's time zone; an end before the start is after midnight. */
const Times = z.object({ from: Clock, until: Clock }).nullable()

export const ReceivingAccount = PayTo.omit({ amount: true }).extend({
  times: Times,
  /** What may be asked for with it in a day; null for any amount. */
  day_limit: PointsText.nullable(),
  /** The smallest is offered first. */
  position: z.int(),
  /** 0: not offered. */
  status: Flag,
  /** When its bank, name, number or picture last changed. */
  changed_at: z.string().nullable(),
})
export type ReceivingAccount = z.output<typeof ReceivingAccount>

export const receivingCalls = calls({
  /** The accounts of the caller's group, in the order in which they are offered. */
  'receiving/list': {
    effect: 'read',
    request: z.object({}),
    response: z.object({ data: z.array(ReceivingAccount) }),
  },
  /** Adds an account, or changes all of one. Members who saw it in the last hour see the change. */
  'receiving/save': {
    effect: 'write',
    size: 'image',
    request: z.object({
      id: Id.optional(),
      bank: requiredName(MAX_NAME),
      account_name: requiredName(MAX_NAME),
      account_no: z.string().overwrite(typedKey).min(1).max(MAX_ACCOUNT_NUMBER),
      /** A new picture, or empty to remove the old one; without it, it stays. */
      qr: z.union([DataUrl, z.literal('')]).optional(),
      times: Times.refine((times) => times === null || times.from !== times.until).default(null),
      day_limit: Amount.refine((points) => points > 0n)
        .nullable()
        .default(null),
      position: z.int().min(0).max(99).default(0),
      status: Flag.default(1),
      /** Needed when the sign-in is older than ten minutes. */
      current_password: z.string().max(MAX_PASSWORD).optional(),
    }),
    /** `approval`: the change waits for another person. */
    response: z.object({ approval: Flag }),
    refuses: [
      ...askRefusals,
      'receiving.not_found',
      'receiving.too_many',
      'account.image_invalid',
      'message.image_too_large',
      'session.needs_password',
      'session.wrong_password',
    ],
  },
  /**
   * What a member who wants this amount of points pays, and to which account. The amount is kept for an hour. Null when
   * no account takes it now: customer service then says where to pay.
   */
  'cash/payTo': {
    effect: 'write',
    request: z.object({ amount: Amount }),
    response: z.object({
      pay_to: PayTo.nullable(),
    }),
    refuses: ['cash.off', 'transfer.amount_invalid'],
  },
})
