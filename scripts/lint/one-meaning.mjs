import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Plain words that have one meaning in code (docs/glossary.md). `files` are where a name may have the word in that
 * meaning, `names` pass everywhere. Elsewhere `say` lists names for the other things it could mean.
 *
 * The rule reads the names that code declares, split at capital letters. Names with an underscore, and keys of objects
 * and types that are a single word, may belong to the wire or the database, which do not follow the rule.
 */
const words = [
  {
    forms: /^(held|hold|holds|holding)$/,
    means: 'points that wait for a decision',
    say: 'lockedWallets, isPaused, hasFactor, kept',
    files:
      /^(contract\/|server\/src\/(calls\/points|chat|domain|ledger|testing)\/|web\/src\/features\/(report|statement)\/)/,
    names: /^$/,
  },
  {
    forms: /^requests?$/,
    means: 'an HTTP request',
    say: 'cashRequest, idempotencyKey, input',
    files:
      /^(bench|contract|deploy|e2e|proofs|scripts|server\/src\/(adapters|calls\/sign-in|identity\/sign-in|lib\/measures|data\/(media|request)|http|live|member-api|testing)|server\/schema|web\/(worker|src\/(api|adapters|chat\/model\/outbox\/kept-files|testing)))/,
    // The fields of the wire and the table with its setting, and what libraries call so.
    names:
      /[cC]ashRequest|^(newRequestId|requestId|setRequestId|byRepeatedSignUp|requestDays|tendRequests|moveRequests|S3Request|requestBody)$/,
  },
  {
    forms: /^changes?$/,
    isLast: true,
    means: 'what an event of a room carries',
    say: 'sensitiveChange, difference, step, update, edit',
    files:
      /^(bench\/chat|e2e|proofs|server\/src\/(calls\/conversation|chat|demo|live)|web\/src\/(api|app|chat|features\/room))\//,
    // Words of React and the sentence "has unsaved changes".
    names:
      /[sS]ensitiveChanges?$|^on[A-Z]\w*Change$|^onChange$|^afterOpenChange$|^(RoomChange|DeskChange|hasChanges|UnsavedChanges)$/,
  },
  {
    forms: /^(place|places|placed)$/,
    say: 'uploadContext, treePosition, byteRange, scrollOffset, index, folder, address',
    names: /^$/,
  },
  { forms: /^lanes?$/, say: 'queue, keyedLimit', names: /^$/ },
  { forms: /^(turn|turns|turned)$/, say: 'queue, keyedLimit, round, toggle', names: /^$/ },
  { forms: /^seats?$/, say: 'perspective, user', names: /^$/ },
]

const partsOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ $]/)

/** What is wrong with a declared name in a file below the root; undefined for nothing. */
export const wrongMeaning = (path, name) => {
  if (name.includes('_')) return undefined
  const parts = partsOf(name)
  for (const { forms, means, say, files, names, isLast } of words) {
    const isFound = isLast ? forms.test(parts.at(-1)) : parts.some((part) => forms.test(part))
    if (!isFound || names.test(name) || files?.test(path)) continue
    const word = parts.find((part) => forms.test(part))
    return `${name}: "${word}" means ${means ?? 'too much'} (docs/glossary.md): say what it is, such as ${say}`
  }
  return undefined
}

const DECLARES = new Set([
  'ClassDeclaration',
  'FunctionDeclaration',
  'FunctionExpression',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'VariableDeclarator',
])
const KEYED = new Set([
  'MethodDefinition',
  'Property',
  'PropertyDefinition',
  'TSMethodSignature',
  'TSPropertySignature',
])
const isFunction = ({ type }) => /Function/.test(type)

const isDeclared = (node) => {
  const { parent } = node
  if (DECLARES.has(parent.type)) return parent.id === node || (isFunction(parent) && parent.params.includes(node))
  if (isFunction(parent)) return parent.params.includes(node)
  if (parent.type === 'ArrayPattern' || parent.type === 'RestElement') return true
  if (parent.type === 'AssignmentPattern') return parent.left === node
  if (parent.type !== 'Property' && !KEYED.has(parent.type)) return false
  // In a pattern the value is what is declared; of other keys those with more than one word.
  if (parent.parent?.type === 'ObjectPattern') return parent.value === node
  return parent.key === node && !parent.computed && !parent.shorthand && partsOf(node.name).length > 1
}

/** The type that stands at the declaration; empty without one. */
const typeOf = ({ typeAnnotation }, { sourceCode }) => (typeAnnotation ? sourceCode.getText(typeAnnotation) : '')

export const oneMeaning = {
  create(context) {
    const path = relative(root, context.filename)
    return {
      Identifier: (node) => {
        if (!/held|hold|request|change|place|lane|turn|seat/i.test(node.name) || !isDeclared(node)) return
        const message = wrongMeaning(path, node.name)
        const isEvent = /\b(Room|Desk)Change\b/.test(typeOf(node, context))
        if (message && !isEvent) context.report({ node, message })
      },
    }
  },
}
