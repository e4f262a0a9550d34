import { z } from 'zod'
import { calls } from '../../call.ts'
import { askRefusals, Decided, Decision, decisionRefusals, DecisionList } from '../../approval-fields.ts'
import { Flag, Id, requiredReason } from '../../fields.ts'
import type { ErrorName } from '../../errors.ts'
import { sensitiveChangeKinds, guardedKinds } from '../../limits.ts'
import { AuditFact } from './audit.ts'
import { erasureRefusals } from '../accounts/person.ts'
import { correctionRefusals } from '../points/transfer.ts'
import { moveRefusals } from '../accounts/tree.ts'
import { MAX_PASSWORD, MAX_REASON } from '../../lengths.ts'

const GuardedKind = z.enum(guardedKinds)

/** A sensitive change that a second account has to approve. Nothing of it is made before. */
export const SensitiveChangeRow = Decision.extend({
  kind: z.enum(sensitiveChangeKinds),
  /** Whose it is: the account, the member of a transfer, the top account of the platform's settings. */
  target_id: z.int(),
  target_username: z.string(),
  target_nickname: z.string(),
  /** What changes, with the values before and after; without `before`, a plain fact. An approval makes exactly this. */
  facts: z.array(AuditFact),
  /**
   * The QR pictures of a receiving account before and after, as addresses; "" is none. Null when it keeps its picture, and
   * once the change has ended: the old picture is gone then.
   */
  qr: z.object({ before: z.string(), after: z.string() }).nullable(),
  /** The call with which the caller gets the file of its approved export, once; absent after that. */
  file: z
    .object({
      call: z.enum([
        'user/export',
        'transaction/export',
        'report/sr02Export',
        'cash/export',
        'statement/export',
        'person/export',
        'audit/export',
      ]),
      input: z.record(z.string(), z.unknown()),
    })
    .nullable(),
})
export type SensitiveChangeRow = z.output<typeof SensitiveChangeRow>

const proofRefusals = ['session.needs_password', 'session.wrong_password'] as const satisfies readonly ErrorName[]

export const sensitiveChangeCalls = calls({
  /** What the caller may decide, and what it has made: waiting ones oldest first, ended ones newest first. */
  'change/list': {
    effect: 'read',
    request: DecisionList,
    response: z.object({ data: z.array(SensitiveChangeRow), next: z.int().nullable() }),
  },
  /** Makes the change as it was shown, in the maker's name. One that no longer fits ends as failed. */
  'change/approve': {
    effect: 'write',
    request: z.object({ id: Id, current_password: z.string().max(MAX_PASSWORD).optional() }),
    response: Decided,
    refuses: [
      ...decisionRefusals,
      ...proofRefusals,
      'approval.changed',
      'change.maker_frozen',
      'change.signed_in_by_link',
      'account.not_found',
      'access.denied',
      'right.unknown',
      'right.not_yours',
      'right.upline_has_not',
      'right.decided_above',
      'account.not_yours_to_give',
      'account.upline_has_not',
      'account.has_no_credit',
      'account.below_credit',
      'account.game_wallet_in_use',
      'setting.url_invalid',
      'setting.url_not_yours',
      'receiving.not_found',
      'receiving.too_many',
      ...correctionRefusals,
      ...moveRefusals,
      ...erasureRefusals,
    ],
  },
  'change/refuse': {
    effect: 'write',
    request: z.object({ id: Id, reason: requiredReason(MAX_REASON) }),
    response: Decided,
    refuses: [...decisionRefusals, 'change.signed_in_by_link'],
  },
  /** The maker takes it back. */
  'change/withdraw': { effect: 'write', request: z.object({ id: Id }), response: Decided, refuses: decisionRefusals },
  /** The kinds of changes of the platform that need a second account. */
  'change/rules': { effect: 'read', request: z.object({}), response: z.object({ kinds: z.array(GuardedKind) }) },
  /** A kind that is taken out waits for another admin itself. */
  'change/saveRules': {
    effect: 'write',
    request: z.object({
      kinds: z.array(GuardedKind).max(guardedKinds.length),
      current_password: z.string().max(MAX_PASSWORD).optional(),
    }),
    response: z.object({ approval: Flag }),
    refuses: [...proofRefusals, ...askRefusals, 'change.needs_two'],
  },
})
