import { z } from 'zod'
import { calls } from '../../call.ts'
import { allCashReasons, cashDirections, cashStates } from '../../cash.ts'
import { MaybePaid } from '../../events.ts'
import { TransferStatusCode } from '../../code-fields.ts'
import type { ErrorName } from '../../errors.ts'
import {
  Amount,
  BankReference,
  Count,
  DataUrl,
  Day,
  Flag,
  Id,
  PointsText,
  Remark,
  remarkOf,
  WaitsForApproval,
} from '../../fields.ts'
import { Assertion, confirmRefusals } from '../sign-in/passkey.ts'
import { MAX_PASSWORD, MAX_REASON } from '../../lengths.ts'

const Direction = z.enum(cashDirections)
const State = z.enum(cashStates)

/** Why a request should be looked at twice. */
export const cashWarnings = [
  /** Another request of the platform has the same slip, or a picture of it. */
  'slip_used',
  /** Another member of the group asked for the same amount within five minutes. */
  'same_amount',
  /** The bank account was changed in the last 24 hours. */
  'account_changed',
  /** The bank account was removed: it cannot be paid. */
  'account_gone',
  /** The member has never been paid out before. */
  'first_out',
  /** At least five times the member's usual amount. */
  'five_times',
  /** The account that the member was shown to pay to has changed since, or is no longer offered. */
  'receiving_changed',
] as const
export type CashWarning = (typeof cashWarnings)[number]

/** A request as the group's queue shows it. */
export const CashRow = z.object({
  id: z.int(),
  state: State,
  direction: Direction,
  amount: PointsText,
  /** The room with the card. */
  room_id: z.int(),
  code: z.string(),
  member_id: z.int(),
  username: z.string(),
  nickname: z.string(),
  thumbnail: z.string(),
  asked_at: z.string(),
  /** Seconds from asking to the end, or until now. */
  waits: z.int(),
  /** The member's bank account when it asked: the bank's name and the masked number; empty for none. */
  account_id: z.int().nullable(),
  bank: z.string(),
  account_no: z.string(),
  /** The account as it is now, of an open request whose account has another bank or number since. */
  account_now: z.object({ bank: z.string(), account_no: z.string() }).optional(),
  /** Differs after each change of the account's bank or number; null without an account. `cash/pay` repeats it. */
  account_version: z.string().nullable(),
  slip: z.string(),
  /**
   * Open requests for points in with a slip: 1 when it has been compared with the platform's other slips of 90 days. Absent
   * when it cannot be read.
   */
  slip_compared: Flag.optional(),
  /** Of an open request: the others that `slip_used` and `same_amount` are about. One of another group has no id or name. */
  alike: z
    .array(
      z.object({
        warning: z.enum(['slip_used', 'same_amount']),
        id: z.int().nullable(),
        name: z.string(),
        asked_at: z.string(),
        state: State,
      }),
    )
    .optional(),
  /** Points in: the group's account that the member was shown, whole; empty for none. */
  pay_to: z.string(),
  /** Why it was refused: one of the usual reasons, a text, or both. */
  reason_code: z.enum(allCashReasons).optional(),
  reason: z.string(),
  taken_by: z.int().nullable(),
  taken_name: z.string(),
  /** Seconds that the lease still runs. */
  lease: z.int().nullable(),
  ended_at: z.string().nullable(),
  ended_name: z.string(),
  /** Its payment waits for approval. */
  approval: Flag.optional(),
  /** A key of the member API had it and may have paid it at the bank: somebody has to look (`looked`). */
  maybe_paid: MaybePaid.optional(),
  transaction_id: z.string().nullable(),
  /** The bank's reference of the payment; of a key's, while it has the request. Empty for none. */
  bank_reference: z.string(),
  /** The member's main wallet without what is held, and the turnover that is due before points are paid out. */
  balance: PointsText,
  turnover_due: PointsText,
  warnings: z.array(z.enum(cashWarnings)),
  /** The median of the member's earlier payments out; null before the first. */
  usual: PointsText.nullable(),
  /** The member's last five transfers with the group, newest first. */
  last: z.array(z.object({ at: z.string(), direction: Direction, amount: PointsText })),
})
export type CashRow = z.output<typeof CashRow>

/** What a member is to pay, and to which account of its group. */
export const PayTo = z.object({
  id: z.int(),
  bank: z.string(),
  account_name: z.string(),
  account_no: z.string(),
  /** The picture with the code for a banking app: a path on this server, or empty. */
  qr: z.string(),
  /** Exactly this: it may have other cents than were asked for, so that the payment is found. */
  amount: PointsText,
})
export type PayTo = z.output<typeof PayTo>

/** Which requests of the rooms in sight. Days are in the platform's time zone. */
const Filter = z.object({
  states: z.array(State).max(cashStates.length).default([]),
  asked_on: Day.optional(),
  ended_on: Day.optional(),
  /** The last day, where `asked_on` or `ended_on` is the first; without it that one day. */
  until: Day.optional(),
  direction: Direction.optional(),
  /** Only those that this colleague ended. */
  ended_by: Id.optional(),
})

const DayFigures = z.object({
  paid: z.int(),
  refused: z.int(),
  paid_in: PointsText,
  paid_out: PointsText,
  /** Seconds from asking to the end, of what was paid or refused; null when nothing was. */
  median: z.int().nullable(),
  p95: z.int().nullable(),
})

/** A card that the member's page shows without loading its room. */
const Outcome = z.object({ id: z.int(), state: State })

/** The caller has looked whether the key that had the request paid it (`maybe_paid`). */
const Looked = Flag.default(0)

const actRefusals = [
  'cash.not_found',
  'cash.taken',
  'cash.not_taken',
  'cash.lease_over',
  'cash.ended',
  'cash.in_approval',
] as const satisfies readonly ErrorName[]

export const cashCalls = calls({
  /** What the member's page needs to ask: whether it may, its bank accounts, and how it asked last. */
  'cash/view': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      /** The group takes requests. */
      enabled: Flag,
      /** The group says where to pay: `cash/payTo`. */
      receiving: Flag,
      /** What it was shown to pay in the last hour, and has not asked for yet. */
      pay_to: PayTo.nullable(),
      /** An account that the member was shown in the last hour has changed since, and it has not asked yet. */
      receiving_changed: z.object({ pay_to: z.string(), amount: PointsText, offered_at: z.string() }).nullable(),
      /** A request out needs a bank account. */
      needs_account: Flag,
      balance: PointsText,
      turnover_due: PointsText,
      accounts: z.array(z.object({ id: z.int(), bank: z.string(), account_no: z.string(), account_name: z.string() })),
      /** It may enter its first account (`bank/addOwn`): the banks, and the name of the code that goes before the number. */
      first_account: z
        .object({ banks: z.array(z.object({ id: z.int(), name: z.string() })), code: z.string().nullable() })
        .nullable(),
      last: z.object({ direction: Direction, account_id: z.int().nullable() }).nullable(),
      open: Outcome.extend({
        direction: Direction,
        amount: PointsText,
        asked_at: z.string(),
      }).nullable(),
    }),
  },
  /** The member asks for points. Points out are held from now on. */
  'cash/ask': {
    effect: 'write',
    size: 'image',
    request: z.object({
      direction: Direction,
      amount: Amount,
      account_id: Id.optional(),
      /** The photo of the slip. */
      slip: DataUrl.optional(),
    }),
    response: Outcome.extend({ balance: PointsText }),
    refuses: [
      'cash.off',
      'cash.one_at_a_time',
      'cash.account_missing',
      'message.not_an_image',
      'message.image_too_large',
      'message.too_many_files',
      'room.not_found',
      'transfer.amount_invalid',
      'transfer.frozen',
      'transfer.event_mode',
      'transfer.flow_limit_open',
      'transfer.not_enough',
      'transfer.over_envelope_cap',
    ],
  },
  /** The member takes its request back, as long as nobody has taken it. */
  'cash/withdraw': { effect: 'write', request: z.object({ id: Id }), response: Outcome, refuses: actRefusals },
  /** Open requests oldest first, ended ones newest first. */
  'cash/list': {
    effect: 'read',
    request: Filter.extend({
      id: Id.optional(),
      member_id: Id.optional(),
      /** `next` of an earlier answer. */
      after: Count.optional(),
      per_page: z.int().min(1).max(200).default(100),
    }),
    response: z.object({ data: z.array(CashRow), next: z.int().nullable() }),
  },
  /** How many open requests wait: for the menu. */
  'cash/open': { effect: 'read', request: z.object({}), response: z.object({ open: z.int(), asked: z.int() }) },
  /** Takes a request, or renews the lease of one's own. */
  'cash/take': { effect: 'write', request: z.object({ id: Id }), response: Outcome, refuses: actRefusals },
  /** Keeps a taken request for another 60 seconds. Repeating it is harmless, so no answer is stored. */
  'cash/renew': {
    effect: 'read',
    request: z.object({ id: Id }),
    response: z.object({ lease: z.int() }),
    refuses: ['cash.not_found', 'cash.lease_over'],
  },
  'cash/giveBack': { effect: 'write', request: z.object({ id: Id }), response: Outcome, refuses: actRefusals },
  'cash/refuse': {
    effect: 'write',
    request: z
      .object({
        id: Id,
        reason_code: z.enum(allCashReasons).optional(),
        /** The taker's own words. The member reads them as they are typed. */
        reason: remarkOf(MAX_REASON).default(''),
        looked: Looked,
      })
      .refine(({ reason_code, reason }) => reason_code !== undefined || reason !== ''),
    response: Outcome,
    refuses: [...actRefusals, 'cash.maybe_paid'],
  },
  /** Moves the points and ends the request, in one transaction. */
  'cash/pay': {
    effect: 'write',
    request: z.object({
      id: Id,
      /** The amount on the card that the caller has seen. */
      amount: Amount,
      remark: Remark.default(''),
      bank_reference: BankReference.default(''),
      /** `account_version` of the bank account that the caller has seen. Refused if it was changed since. */
      account_version: z.string().max(20).nullable().optional(),
      /** Points in only: as in `transaction/add`. */
      audit_amount: Amount.optional(),
      /** Points out only: pays although turnover remains. Needs flow_limit_modify_permission. */
      override_flow_limit: Flag.default(0),
      /** What the taker says to the approver, when it is above a limit. */
      reason: remarkOf(MAX_REASON).default(''),
      looked: Looked,
      payment_password: z.string().min(1).max(MAX_PASSWORD).optional(),
      passkey: Assertion.optional(),
    }),
    response: Outcome.extend({
      transaction_id: z.string(),
      status: TransferStatusCode,
      balance: PointsText,
      target_balance: PointsText,
      /** Above a limit of the taker: the request stays taken until it is approved. */
      approval: Flag.optional(),
    }),
    refuses: [
      ...actRefusals,
      'cash.maybe_paid',
      'cash.account_gone',
      'cash.account_changed',
      'account.not_found',
      ...confirmRefusals,
      'transfer.amount_invalid',
      'transfer.not_enough',
      'transfer.member_not_enough',
      'transfer.over_credit',
      'transfer.frozen',
      'transfer.event_mode',
      'transfer.flow_limit_open',
      'transfer.over_envelope_cap',
      'transfer.over_day_cap',
      'transfer.to_yourself',
    ],
  },
  /** The figures of a day, or of the days until another: of requests that were asked, and of those that ended. */
  'cash/day': {
    effect: 'read',
    request: z.object({ day: Day.optional(), until: Day.optional() }),
    response: DayFigures.extend({
      day: Day,
      asked: z.int(),
      withdrawn: z.int(),
      expired: z.int(),
      /** Open at this moment. */
      open: z.int(),
      people: z.array(DayFigures.extend({ id: z.int(), name: z.string() })),
      /** The group's receiving accounts, with the requests of these days that name them. */
      accounts: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          asked: z.int(),
          /** Not decided yet, and paid to the members. */
          open: PointsText,
          paid: PointsText,
          day_limit: PointsText.nullable(),
          /** It says where else to pay since less than a day. */
          changed_at: z.string().nullable(),
          changed_name: z.string(),
        }),
      ),
    }),
  },
  /** A CSV file of what `cash/list` finds. Audited. */
  'cash/export': {
    effect: 'read',
    request: Filter,
    response: z.object({ name: z.string(), csv: z.string(), cut: z.boolean(), approval: WaitsForApproval }),
    refuses: ['change.signed_in_by_link'],
  },
})
