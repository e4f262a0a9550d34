import { z } from 'zod'
import { calls } from '../call.ts'
import { Day, PointsText } from '../fields.ts'
import { History, TransferRow } from './transfer.ts'

const Totals = z.object({ total_in: PointsText, total_out: PointsText })
const Range = z.object({ username: z.string().max(64).default(''), start_date: Day, end_date: Day })
/** A file for a spreadsheet. `cut`: there was more than a file holds. */
const File = z.object({ name: z.string(), csv: z.string(), cut: z.boolean() })

/** One movement of one wallet. Of a wallet that the viewer may not see only the owner is told. */
const Posting = z.object({
  /** 0 when the transfer was made, 1 when its envelope was settled. */
  leg: z.int(),
  at: z.string(),
  username: z.string(),
  role_id: z.int(),
  /** 1 main, 2 game, 3 held by open envelopes. */
  wallet: z.int(),
  amount: PointsText,
  balance_after: PointsText.nullable(),
})

/** The invariants of the ledger (server/src/ledger/check/check.ts); `rule.` and the name is the key of its words. */
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
] as const
export type LedgerRule = (typeof ledgerRules)[number]

/** What one invariant of the ledger came to for whoever asks: of another house nothing is told. */
const Finding = z.object({ rule: z.enum(ledgerRules), breaches: z.array(z.string()) })
const Check = z.object({
  /** YYYY-MM-DD HH:mm:ss in the platform's time zone. */
  at: z.string(),
  /** Empty for the command line, and for somebody of another house. */
  by: z.string(),
  took_ms: z.int(),
  findings: z.array(Finding),
})

export const reportCalls = calls({
  'report/sr02': {
    effect: 'read',
    request: Range,
    response: z.object({
      total: Totals,
      data: z.array(Totals.extend({ id: z.int(), username: z.string() })),
      /** Every day of the range on which something moved. */
      days: z.array(Totals.extend({ day: Day })),
    }),
    refuses: ['report.range_invalid'],
  },
  /** Audited, like every export. */
  'report/sr02Export': { effect: 'read', request: Range, response: File, refuses: ['report.range_invalid'] },
  /** One transfer as the ledger wrote it down. */
  'transaction/view': {
    effect: 'read',
    request: z.object({ transaction_id: z.uuid() }),
    response: TransferRow.extend({
      postings: z.array(Posting),
      /** What the remark said before, oldest first. */
      edits: z.array(z.object({ at: z.string(), by: z.string(), old_remark: z.string(), remark: z.string() })),
      /** The room in which it was offered, when the viewer is in it. */
      room: z.object({ room_id: z.int(), member_id: z.int(), code: z.string() }).nullable(),
      /** The transaction that this one takes back, and the one that took this one back. */
      corrects: z.string().nullable(),
      corrected_by: z.string().nullable(),
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
    refuses: ['report.range_invalid'],
  },
  /** Who holds how much, and what the last check of the ledger came to. */
  'report/reconciliation': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      /** Over everything below the top account, where they are even; else over the admin's own downline. */
      whole: z.boolean(),
      /** All that anybody holds, and all that issuers and credit lack: of the whole they are zero together. */
      held: PointsText,
      owed: PointsText,
      difference: PointsText,
      roles: z.array(
        z.object({
          /** 0: the house, which stands against bets and wins. */
          role_id: z.int(),
          accounts: z.int(),
          main: PointsText,
          game: PointsText,
          escrow: PointsText,
        }),
      ),
      holders: z.array(
        z.object({
          id: z.int(),
          role_id: z.int(),
          username: z.string(),
          nickname: z.string(),
          main: PointsText,
          game: PointsText,
        }),
      ),
      /** Open envelopes: what is held for members, and what members are asked for. */
      open: z.object({ offers: z.int(), held: PointsText, requests: z.int(), asked: PointsText }),
      /** Of the whole only. */
      last: Check.nullable(),
    }),
  },
  /** Holds every invariant of the ledger against the whole database, now. For the top account only. */
  'report/check': {
    effect: 'write',
    request: z.object({}),
    response: Check,
    refuses: ['report.check_running'],
  },
})
