import type { CallName, Input } from '@tallyroom/contract'
import type { approvalCalls } from '@tallyroom/contract/calls/points/approval'
import type { sensitiveChangeCalls } from '@tallyroom/contract/calls/office/change'
import type { limitCalls } from '@tallyroom/contract/calls/points/limit'
import { isOperator, Role, TransferKind } from '@tallyroom/contract/codes'
import { chainOf, type Name, parentOf, sees, tree } from './matrix-tree.ts'
import { admins, type Judge, office, operators, type Row, type Verdict } from './row.ts'

const okIf = (isAllowed: boolean): Verdict => (isAllowed ? 'ok' : 'absent')
const isMember = (name: Name) => tree[name].role === Role.member
/** Agents and customer service below; members and admins have no limits. */
const limitable: Judge = (who, whom) =>
  sees(who, whom) && (who === whom || isMember(whom) || tree[whom].role === Role.admin)
    ? 'denied'
    : okIf(sees(who, whom))
/** The approval about a member was made by the head above it. Everyone in the office has the right to approve. */
const makes: Judge = (who, whom) => okIf(isMember(whom) && parentOf(whom) === who)
const decides: Judge = (who, whom) =>
  okIf(
    isMember(whom) &&
      isOperator(tree[who].role) &&
      chainOf(parentOf(whom) ?? whom)
        .slice(1)
        .includes(who),
  )

type LimitCall = CallName & keyof (typeof limitCalls & typeof approvalCalls & typeof sensitiveChangeCalls)

/** Limits and approvals (CAPS). */
export const limitRows: { [Call in LimitCall]: Row<Input<Call>> } = {
  'limit/view': { who: operators, whom: limitable, ask: (id) => ({ id }) },
  'limit/save': {
    who: operators,
    whom: limitable,
    ask: (id) => ({
      id,
      limits: [{ type: TransferKind.gameDeduct, transfer: '5', hour: null, day: null, member: null }],
    }),
  },
  'approval/list': { who: office, ask: {} },
  'approval/open': { who: office, ask: {} },
  'approval/approve': { who: office, whom: decides, ask: (_, { approval_id }) => ({ id: approval_id, seen: 'x' }) },
  'approval/refuse': { who: office, whom: decides, ask: (_, { approval_id }) => ({ id: approval_id, reason: 'x' }) },
  'approval/withdraw': { who: office, whom: makes, ask: (_, { approval_id }) => ({ id: approval_id }) },
  'change/list': { who: office, ask: {} },
  'change/approve': { who: operators, whom: decides, ask: (_, { change_id }) => ({ id: change_id }) },
  'change/refuse': { who: operators, whom: decides, ask: (_, { change_id }) => ({ id: change_id, reason: 'x' }) },
  'change/withdraw': { who: operators, whom: makes, ask: (_, { change_id }) => ({ id: change_id }) },
  'change/rules': { who: admins, ask: {} },
  'change/saveRules': { who: admins, ask: { kinds: [] } },
}
