import { readFileSync } from 'node:fs'

/** Fields and variables that hold a number of contract/codes.ts. */
const HOLDERS =
  /^(role|role_id|types?|status|statuses|wallet|platform|message_type|transaction_type|transaction_status|corrects_type)$/
/** Larger ones are statuses of HTTP. */
const LARGEST = 15

const refusals = new Set(
  readFileSync(new URL('../../contract/errors.ts', import.meta.url), 'utf8')
    .match(/^ {2}'.*': \d+,$/gm)
    .map((line) => Number(line.split(': ')[1].slice(0, -1))),
)
const OK = 1000
/** Also a number of rows, or a time in milliseconds. */
const USUAL = new Set([OK, 1500])

const nameOf = (node) => {
  const inner = node?.type === 'ChainExpression' ? node.expression : node
  if (inner?.type === 'Identifier') return inner.name
  if (inner?.type === 'MemberExpression') return nameOf(inner.property)
  return inner?.type === 'Literal' ? String(inner.value) : undefined
}

/** The numbers that an expression may be: a literal, one of a list, one of a condition. */
const numbersIn = (node) => {
  if (node?.type === 'Literal') return typeof node.value === 'number' ? [node] : []
  if (node?.type === 'ArrayExpression') return node.elements.flatMap(numbersIn)
  if (node?.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(numbersIn)
  return node?.type?.startsWith('TS') ? numbersIn(node.expression) : []
}

/** Tests name what they mean (CODE-02): `role: Role.agent`, `toBeRefusal('account.not_found')`. */
export const namedCodes = {
  create(context) {
    const check = (name, value) => {
      for (const node of numbersIn(value)) {
        const isNone = name === 'wallet' && node.value === 0
        if (HOLDERS.test(name ?? '') && node.value <= LARGEST && !isNone)
          context.report({ node, message: `Write the ${name} by its name in contract/codes.ts.` })
        if (name === 'code' && USUAL.has(node.value))
          context.report({ node, message: 'Write OK or the name of the refusal (contract/errors.ts).' })
      }
    }
    return {
      Property: (node) => !node.computed && check(nameOf(node.key), node.value),
      VariableDeclarator: (node) => check(nameOf(node.id), node.init),
      AssignmentPattern: (node) => check(nameOf(node.left), node.right),
      JSXAttribute: (node) => check(node.name.name, node.value?.expression),
      ForOfStatement: (node) => check(nameOf(node.left.declarations?.[0]?.id), node.right),
      BinaryExpression: (node) => check(nameOf(node.left), node.right),
      Literal: (node) => {
        if (refusals.has(node.value) && !USUAL.has(node.value))
          context.report({ node, message: `Write the name of the refusal in place of ${node.value}.` })
      },
    }
  },
}
