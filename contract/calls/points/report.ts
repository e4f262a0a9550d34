import { z } from 'zod'
import { calls } from '../../call.ts'
import { AnyRoleCode, RoleCode, WalletCode } from '../../code-fields.ts'
import { Day, Flag, Id, PointsText, WaitsForApproval } from '../../fields.ts'
import { History, LinkedTransferRow } from './transfer.ts'
import { MAX_TYPED_NAME } from '../../lengths.ts'

const Totals = z.object({ total_in: PointsText, total_out: PointsText })
const Range = z.object({ username: z.string().max(MAX_TYPED_NAME).default(''), start_date: Day, end_date: Day })
const Sr02 = Range.extend({
  /**
   * A row for each paying account (`operator`), for what is directly below an account with all below it (`branch`), for
   * each person who made transfers, of customer service (`service`) or anyone (`person`), or for each member.
   */
  by: z.enum(['operator', 'branch', 'service', 'person', 'member']).default('operator'),
  /** Only this account and those below it. */
  under: Id.optional(),
  /** Points between office and members, or what the members won (in) and bet (out), by branch, agent or member. */
  what: z.enum(['points', 'bets']).default('points'),
})
/** A CSV file. `cut`: there were more rows than a file holds. */
const File = z.object({ name: z.string(), csv: z.string(), cut: z.boolean(), approval: WaitsForApproval })
const fileRefusals = ['report.range_invalid', 'change.signed_in_by_link'] as const

/** One posting. For a wallet that the viewer may not see, `balance_after` is null. */
const Posting = z.object({
  /** 0 when the transfer was made, 1 when its envelope was settled. */
  leg: z.literal([0, 1]),
  at: z.string(),
  username: z.string(),
  role_id: AnyRoleCode,
  wallet: WalletCode,
  amount: PointsText,
  balance_after: PointsText.nullable(),
})

/** The invariants of the ledger (server/src/ledger/check/check.ts); `rule.NAME` is the key of their words. */
export const ledgerRules = [
  'sum_zero',
  'floor',
  'balance',
  'numbered',
  'two_sides',
  'no_strays',
  'state',
  'escrow',
  'requests',
  'days',
  'in_out',
  'flow',
  'bets',
  'house',
  'corrections',
  'cash',
  'approvals',
  'marks',
  'sums',
  'periods',
  'audited',
] as const
export type LedgerRule = (typeof ledgerRules)[number]

/** The breaches of one invariant. Breaches below another top account are left out. */
const Finding = z.object({ rule: z.enum(ledgerRules), breaches: z.array(z.string()) })
const Check = z.object({
  /** YYYY-MM-DD HH:mm:ss in the platform's time zone. */
  at: z.string(),
  /** Who ran it; empty for the command line and for an account below another top account. */
  by: z.string(),
  took_ms: z.int(),
  findings: z.array(Finding),
})

export const reportCalls = calls({
  'report/sr02': {
    effect: 'read',
    request: Sr02,
    response: z.object({
      total: Totals,
      data: z.array(
        Totals.extend({
          id: z.int(),
          username: z.string(),
          /** Not by `operator`. */
          nickname: z.string().optional(),
          role_id: RoleCode.optional(),
          /** Marks, by `branch`, the row of the account itself, without those below it. */
          own: Flag.optional(),
          /** How much of the bets counts as turnover. */
          valid: PointsText.optional(),
        }),
      ),
      /** There are more persons or members than rows; the totals have all. */
      cut: z.boolean().optional(),
      /** Only days on which points moved. */
      days: z.array(Totals.extend({ day: Day })),
    }),
    refuses: ['report.range_invalid'],
  },
  /** Audited, like all exports. */
  'report/sr02Export': { effect: 'read', request: Sr02, response: File, refuses: fileRefusals },
  /** One transfer with its postings. */
  'transaction/view': {
    effect: 'read',
    request: z.object({ transaction_id: z.uuid() }),
    response: LinkedTransferRow.extend({
      postings: z.array(Posting),
      /** Earlier remarks, oldest first. */
      edits: z.array(z.object({ at: z.string(), by: z.string(), old_remark: z.string(), remark: z.string() })),
      /** The room in which it was offered, if the viewer has access to it. */
      room: z.object({ room_id: z.int(), member_id: z.int(), code: z.string() }).nullable(),
      /** The transfer that this one corrects, and the correction of this one. */
      corrects: z.string().nullable(),
      corrected_by: z.string().nullable(),
      /** The bank's reference, of the payment of a member's request that has one. */
      bank_reference: z.string().optional(),
    }),
    refuses: ['transfer.not_found'],
  },
  'transaction/export': {
    effect: 'read',
    request: History.omit({ page: true, per_page: true, before: true }).extend({
      /** 1 transactions, 2 red envelopes. */
      kind: z.union([z.literal(1), z.literal(2)]).default(1),
    }),
    response: File,
    refuses: fileRefusals,
  },
  /** Who holds how many points, and the result of the last check of the ledger. */
  'report/reconciliation': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      /** Covers everything below the top account, where the sum is zero; else only the admin's own downline. */
      whole: z.boolean(),
      /**
       * All positive balances, and all negative ones (issued points and used credit). For the whole they sum to zero.
       */
      held: PointsText,
      owed: PointsText,
      difference: PointsText,
      roles: z.array(
        z.object({
          /** 0: the game account, on the other side of bets and wins. */
          role_id: AnyRoleCode,
          accounts: z.int(),
          main: PointsText,
          game: PointsText,
          escrow: PointsText,
        }),
      ),
      holders: z.array(
        z.object({
          id: z.int(),
          role_id: RoleCode,
          username: z.string(),
          nickname: z.string(),
          main: PointsText,
          game: PointsText,
        }),
      ),
      /** Open envelopes: points held for members, and points asked from members. */
      open: z.object({ offers: z.int(), held: PointsText, requests: z.int(), asked: PointsText }),
      /** Only when `whole` is true. */
      last: Check.nullable(),
    }),
  },
  /** Checks every invariant of the ledger over the whole database, now. Top account only. */
  'report/check': {
    effect: 'write',
    request: z.object({}),
    response: Check,
    refuses: ['report.check_running'],
  },
})
