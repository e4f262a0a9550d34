import { Role, isOperator } from '@tallyroom/contract/codes'
/** The accounts of the matrix tests: each with its role and the account above it. */
export const tree = {
  top: { role: Role.admin, under: undefined },
  agent: { role: Role.agent, under: 'top' },
  sub: { role: Role.agent, under: 'agent' },
  sibling: { role: Role.agent, under: 'top' },
  cs: { role: Role.customerService, under: 'agent' },
  siblingCs: { role: Role.customerService, under: 'sibling' },
  member: { role: Role.member, under: 'agent' },
  frozen: { role: Role.member, under: 'agent' },
  grandchild: { role: Role.member, under: 'sub' },
  siblingMember: { role: Role.member, under: 'sibling' },
  strangerTop: { role: Role.admin, under: undefined },
  stranger: { role: Role.agent, under: 'strangerTop' },
  strangerMember: { role: Role.member, under: 'stranger' },
} as const
export type Name = keyof typeof tree
export const names = Object.keys(tree) as Name[]

// The relations are written differently from visibleAccounts(): rights.ts states the rights with them a second time.

export const parentOf = (name: Name): Name | undefined => tree[name].under
export const chainOf = (name: Name): Name[] => {
  const parent = parentOf(name)
  return parent ? [name, ...chainOf(parent)] : [name]
}
export const groupOf = (name: Name): Name => (isOperator(tree[name].role) ? name : (parentOf(name) ?? name))

export const sees = (who: Name, whom: Name) => {
  if (who === whom) return true
  if (isOperator(tree[who].role)) return chainOf(whom).includes(who)
  return (
    tree[who].role === Role.customerService && tree[whom].role === Role.member && chainOf(whom).includes(groupOf(who))
  )
}
export const isInRoom = (who: Name, whom: Name) =>
  tree[whom].role === Role.member && (tree[who].role === Role.member ? who === whom : groupOf(who) === groupOf(whom))
