import type { CallName, Input } from '@tallyroom/contract'
import type { installationCalls } from '@tallyroom/contract/calls/office/installation'
import type { personCalls } from '@tallyroom/contract/calls/accounts/person'
import { Role } from '@tallyroom/contract/codes'
import { sees, tree } from './matrix-tree.ts'
import { admins, type Judge, type Row } from './row.ts'

const seenMember: Judge = (who, whom) => (tree[whom].role === Role.member && sees(who, whom) ? 'ok' : 'absent')

type RunningCall = CallName & keyof (typeof installationCalls & typeof personCalls)

/** Running the installation, and what is kept of a person (RUN). */
export const runningRows: { [Call in RunningCall]: Row<Input<Call>> } = {
  'installation/view': { who: admins, ask: {} },
  'person/view': { who: admins, whom: seenMember, ask: (id) => ({ id }) },
  'person/export': { who: admins, whom: seenMember, ask: (id) => ({ id }) },
  // Refused later: there is no second admin.
  'person/erase': { who: admins, whom: seenMember, ask: (id) => ({ id }) },
}
