import { Role, isOperator } from '@tallyroom/contract/codes'
/** The accounts of the matrix tests: each with its role and the account above it. */
export const tree = {
  top: { role: 1, under: undefined },
  agent: { role: 2, under: 'top' },
  sub: { role: 2, under: 'agent' },
  sibling: { role: 2, under: 'top' },
  cs: { role: 3, under: 'agent' },
  siblingCs: { role: 3, under: 'sibling' },
  member: { role: 4, under: 'agent' },
  frozen: { role: 4, under: 'agent' },
  grandchild: { role: 4, under: 'sub' },
  siblingMember: { role: 4, under: 'sibling' },
  strangerTop: { role: 1, under: undefined },
  stranger: { role: 2, under: 'strangerTop' },
  strangerMember: { role: 4, under: 'stranger' },
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
