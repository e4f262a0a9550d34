/**
 * CODE-04: the browser asks, it does not decide. What the user may do is in the server's answer (`useMay`), not in a role
 * number and not in localStorage.
 */
const ASK =
  'the server says who may do this: ask `useMay` of web/src/api/use-menu.ts, and name the right in contract/asked-rights.ts'
const STORED =
  'nothing is decided by what AUTH-04 stores of the account: read the answer of `user/view`, or ask `useMay` of web/src/api/use-menu.ts'

/** What AUTH-04 stores, but for the token, the id and the flag of a sign-in by link. */
const ACCOUNT =
  /^(role_id|user_nickname|user_avatar|user_member_id|share_code|share_domain|EventMode|transaction_all|\w+_(visible|show))$/
const PREDICATES = new Set(['isOperator', 'isOffice', 'isCustomerService', 'fitsBelow'])
const OWN = /^(own|me|profile)$/i

const nameOf = (node) => (node.type === 'MemberExpression' ? nameOf(node.property) : node.name)
/** The first name of a chain: `own` of `own.data?.role_id`. */
const rootOf = (node) => {
  if (node.type === 'ChainExpression') return rootOf(node.expression)
  return node.type === 'MemberExpression' ? rootOf(node.object) : node.name
}
const unchained = (node) => (node.type === 'ChainExpression' ? node.expression : node)
const isRoleName = (node) => node.type === 'MemberExpression' && node.object.name === 'Role'
const isRoleId = (node) => /^(role_id|roleId|role)$/.test(nameOf(unchained(node)) ?? '')

export const asksTheServer = {
  create(context) {
    const report = (node, message) => context.report({ node, message })
    return {
      BinaryExpression: (node) => {
        const sides = [node.left, node.right]
        const isCode = sides.some(({ type, value }) => type === 'Literal' && /^\d$/.test(String(value)))
        if (sides.some(isRoleName) || (isCode && sides.some(isRoleId))) report(node, ASK)
      },
      SwitchStatement: (node) => {
        if (isRoleId(node.discriminant)) report(node, ASK)
      },
      CallExpression: (node) => {
        const [first] = node.arguments
        if (!first) return
        if (PREDICATES.has(node.callee.name) && OWN.test(rootOf(first) ?? '')) report(node, ASK)
        if (node.callee.name === 'getStored' && ACCOUNT.test(String(first.value))) report(node, STORED)
      },
    }
  },
}
