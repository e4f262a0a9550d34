import { z } from 'zod'
import { askRefusals } from '../../approval-fields.ts'
import { calls } from '../../call.ts'
import { RoleCode } from '../../code-fields.ts'
import { Role } from '../../codes.ts'
import { Count, Flag, Id } from '../../fields.ts'
import { abilityFlags } from '../../ability-flags.ts'
import { AccountRow, NewAccount } from './account.ts'
import { MAX_TYPED_NAME } from '../../lengths.ts'

/** The accounts directly below one, in two lists: the people of the office, and the members. */
export const treeParts = ['team', 'members'] as const
export type TreePart = (typeof treeParts)[number]

const shown = {
  id: true,
  role_id: true,
  username: true,
  nickname: true,
  thumbnail: true,
  status: true,
  balance: true,
  unlimited: true,
  limit_of_credit: true,
  used_credit: true,
  shares_wallet: true,
} as const

/** An account in the tree. */
export const TreeRow = AccountRow.pick(shown).extend({
  /** How many accounts are directly below, in each list. */
  team: z.int(),
  members: z.int(),
  /** How many accounts are below, at every level. */
  below: z.int(),
})

/** What waits for somebody: red envelopes, requests for points, and transfers above a limit. */
const Open = z.object({ envelopes: z.int(), requests: z.int(), approvals: z.int() })

/** Why an account cannot be moved to a place. */
export const moveRefusals = [
  'account.not_yourself',
  'account.wrong_place',
  'tree.under_itself',
  'tree.stays_with_group',
  'tree.same_place',
  'tree.upline_frozen',
  'tree.too_large',
  'tree.in_flight',
] as const

/** The most rows that one call returns. */
const MAX_ROWS = 200

export const treeCalls = calls({
  /** The caller's own row, and how many levels its tree has. */
  'tree/view': {
    effect: 'read',
    request: z.object({}),
    response: z.object({ row: TreeRow, levels: z.int() }),
  },
  /** A page of the accounts directly below one. */
  'tree/list': {
    effect: 'read',
    request: z.object({
      parent_id: Id,
      part: z.enum(treeParts),
      from: Count.default(0),
      count: z.int().min(1).max(MAX_ROWS).default(MAX_ROWS),
    }),
    response: z.object({ data: z.array(TreeRow), total: z.int() }),
    refuses: ['account.not_found'],
  },
  /** The accounts from the caller down to this one, each with its place in the list below the one before. */
  'tree/path': {
    effect: 'read',
    request: z.object({ id: Id }),
    response: z.object({ path: z.array(z.object({ row: TreeRow, part: z.enum(treeParts), at: z.int() })) }),
    refuses: ['account.not_found'],
  },
  /** Accounts of the tree whose username or nickname contains the text; names that begin with it come first. */
  'tree/find': {
    effect: 'read',
    request: z.object({ text: z.string().trim().min(1).max(MAX_TYPED_NAME) }),
    response: z.object({
      data: z.array(
        z.object({
          id: z.int(),
          role_id: RoleCode,
          username: z.string(),
          nickname: z.string(),
          status: Flag,
          /** The name of the account directly above it; empty for the caller's own account. */
          upline: z.string(),
        }),
      ),
    }),
  },
  /** Adds an admin, agent or customer service below the caller, or below an admin or agent of its downline. */
  'tree/add': {
    effect: 'write',
    size: 'image',
    request: NewAccount.extend({
      parent_id: Id,
      role_id: z.literal([Role.admin, Role.agent, Role.customerService]),
    }),
    response: z.object({ id: z.int() }),
    refuses: [
      'account.not_found',
      'account.wrong_place',
      'account.username_taken',
      'account.passwords_differ',
      'account.image_invalid',
      'message.image_too_large',
      'change.signed_in_by_link',
    ],
  },
  /** What would go along with an account that is moved below another one, and why it cannot be moved. */
  'tree/previewMove': {
    effect: 'read',
    request: z.object({ id: Id, to_id: Id }),
    response: z.object({
      /** The account with everyone below it; of these the members. */
      accounts: z.int(),
      members: z.int(),
      /** The conversations of the branch. */
      rooms: z.int(),
      /** What is open inside of the branch, and goes along. */
      along: Open,
      /** What is open between the branch and others: it must end before the move. */
      across: Open,
      /** Texts that the old group has scheduled in the conversations that change their group: they are never sent. */
      texts: z.int(),
      /** The abilities that the new upline does not have. */
      lost: z.array(z.enum(abilityFlags)),
      refused: z.enum(moveRefusals).nullable(),
      /** The most accounts that can be moved at once. */
      most: z.int(),
    }),
    refuses: ['account.not_found'],
  },
  /** Moves an account, with everyone below it, below another one. Nothing is moved when it is refused. */
  'tree/move': {
    effect: 'write',
    request: z.object({ id: Id, to_id: Id }),
    /** It waits for approval, because the account leaves a limit. */
    response: z.object({ approval: Flag }).nullable(),
    refuses: ['account.not_found', ...askRefusals, ...moveRefusals],
  },
})
