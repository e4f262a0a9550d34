import type { CallName, Input } from '@tallyroom/contract'
import type { rightCalls } from '@tallyroom/contract/calls/accounts/right'
import { Role } from '@tallyroom/contract/codes'
import { sees, tree } from './matrix-tree.ts'
import { type Judge, office, operators, type Row } from './row.ts'

/** Members have no back office. */
const worker: Judge = (who, whom) =>
  !sees(who, whom) ? 'absent' : tree[whom].role === Role.member && who !== whom ? 'denied' : 'ok'
/** Agents and customer service below; nobody gives to the own account. */
const workerBelow: Judge = (who, whom) => (who === whom ? 'denied' : worker(who, whom))

/** What an account may use of the back office (RIGHT). */
export const rightRows: { [Call in CallName & keyof typeof rightCalls]: Row<Input<Call>> } = {
  'right/view': { who: office, whom: worker, ask: (id) => ({ id }) },
  'right/save': {
    who: operators,
    whom: workerBelow,
    ask: (id) => ({ id, rights: [{ name: 'quick_replies', given: false }] }),
  },
}
