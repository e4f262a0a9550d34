import { z } from 'zod'
import { calls } from '../../call.ts'
import { AnyRoleCode, RoleCode, TransferKindCode, WalletCode } from '../../code-fields.ts'
import { Day, Id, perPage, PointsText, WaitsForApproval } from '../../fields.ts'
import type { ErrorName } from '../../errors.ts'
import { heldReasons, statementScopes } from '../../statement.ts'
import { MAX_TYPED_NAME } from '../../lengths.ts'

const Asked = z.object({
  /** Without both, the caller's own account. */
  id: Id.optional(),
  /** In place of the id: the whole username. */
  username: z.string().max(MAX_TYPED_NAME).default(''),
  scope: z.enum(statementScopes).default('own'),
  /** 0: the main and the game wallet. The escrow wallet (3) is what is held. */
  wallet: z.literal([0, 1, 2, 3]).default(0),
  /** Both days are included; at most a year. */
  start_date: Day,
  end_date: Day,
  /** The whole username of the person who made the transfers; empty for everybody. */
  by: z.string().max(MAX_TYPED_NAME).default(''),
})

/** `id`: where the viewer may open the account. */
const Named = z.object({ id: Id.optional(), username: z.string(), nickname: z.string() })

/** One posting. */
const Line = z.object({
  /** wallet-seq: its place in the ledger. */
  id: z.string(),
  /** YYYY-MM-DD HH:mm:ss in the platform's time zone. */
  at: z.string(),
  transaction_id: z.string(),
  type: TransferKindCode,
  /** The type of the transfer that this one corrects. */
  corrects_type: TransferKindCode.nullable(),
  account: Named,
  wallet: WalletCode,
  /** The other side; the role 0 is the game account, which has no name. */
  other: Named.extend({ role_id: AnyRoleCode, wallet: WalletCode }),
  /** Who made the transfer; empty for bets and wins. */
  by: z.string(),
  remark: z.string(),
  /** Has a minus when the points leave the wallet. */
  amount: PointsText,
  /** The balance of all wallets of the statement together; null when only one person's movements are listed. */
  balance: PointsText.nullable(),
})

/** Points that are held at the end of the period. */
const Held = z.object({
  at: z.string(),
  transaction_id: z.string(),
  reason: z.enum(heldReasons),
  account: Named,
  /** The member that it is about. */
  member: Named,
  remark: z.string(),
  amount: PointsText,
})

const refuses = [
  'account.not_found',
  'report.range_invalid',
  'statement.in_future',
  'statement.unknown_person',
] as const satisfies readonly ErrorName[]

export const statementCalls = calls({
  /** The sums of a statement. opening + in - out = closing, and with `by` also + others. */
  'statement/view': {
    effect: 'read',
    request: Asked,
    response: z.object({
      account: Named.extend({ id: z.int(), role_id: RoleCode }),
      /** The account directly above; its names are empty for viewers who may not see it. */
      upline: Named,
      /** How many accounts have a wallet in it. */
      accounts: z.int(),
      /** The name of the viewer's group. */
      group: z.string(),
      /** The last day of the closed periods that the account was in. */
      closed_until: Day.nullable(),
      /** Now, in the platform's time zone. */
      drawn_up: z.string(),
      /** The time zone of all times and days. Copies of earlier versions do not say it. */
      time_zone: z.string().optional(),
      opening: PointsText,
      in: PointsText,
      out: PointsText,
      /** What other people moved, when the statement is of one person's movements; else zero. */
      others: PointsText,
      closing: PointsText,
      /** Held at the end of the period, beside the closing balance. Zero for the game wallet and the escrow wallet alone. */
      held: PointsText,
      /** The number of movements. */
      lines: z.int(),
      held_lines: z.array(Held),
      /** There are more held amounts than `held_lines`. */
      held_cut: z.boolean(),
      /** The newest block of the ledger's seal; null before the first one. `waiting`: movements that it does not seal yet. */
      seal: z.object({ block: z.int(), at: z.string(), head: z.string(), waiting: z.int() }).nullable(),
    }),
    refuses,
  },
  /** The movements, oldest first. */
  'statement/lines': {
    effect: 'read',
    request: Asked.extend({
      per_page: perPage(1000),
      /** `next` of the page before. */
      after: z
        .string()
        .regex(/^\d{1,16}-\d{1,10}-\d{1,18}$/)
        .optional(),
    }),
    response: z.object({ data: z.array(Line), next: z.string().nullable() }),
    refuses,
  },
  /** A CSV file with the opening, the movements, the closing and what is held. Audited, like all exports. */
  'statement/export': {
    effect: 'read',
    request: Asked,
    response: z.object({ name: z.string(), csv: z.string(), cut: z.boolean(), approval: WaitsForApproval }),
    refuses: [...refuses, 'change.signed_in_by_link'],
  },
  /** The JSON file with which check.html checks the movements without the server. It has no names. Audited. */
  'statement/seal': {
    effect: 'read',
    request: Asked,
    response: z.object({ name: z.string(), seal: z.string() }),
    refuses: [...refuses, 'statement.not_sealed', 'statement.too_long_to_seal'],
  },
})
