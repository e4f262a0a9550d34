import { is } from '../../server/src/domain/is.ts'
import { children, find, isFunction, isNode, type Node, readModule, type Scope, scopeInside } from './modules.ts'

/**
 * One form of a query that `sql` templates compose, read from the source: of a choice the first branch, of a function the
 * first `return`. Values become `$1`, `$2` …, as at run time.
 */
export type Assembled = { text: string; values: number; isGuess: boolean }

const DEPTH = 12

/** Stands for a query that the caller gives. */
export const GUESS = '/* given */ true'

type Part = Assembled | 'value' | 'unknown'

const append = (into: Assembled, part: Assembled) => {
  into.text += part.text.replace(/\$(\d+)/g, (_, n: string) => `$${into.values + Number(n)}`)
  into.values += part.values
  into.isGuess ||= part.isGuess
}

const template = (node: Node, scope: Scope, depth: number): Part => {
  const { quasis, expressions } = node.quasi as { quasis: Node[]; expressions: Node[] }
  const whole: Assembled = { text: '', values: 0, isGuess: node.isGuess === true }
  for (const [at, quasi] of quasis.entries()) {
    whole.text += (quasi.value as { cooked: string }).cooked
    const expression = expressions[at]
    if (!expression) break
    const part = assemble(expression, scope, depth + 1)
    if (part === 'unknown') return 'unknown'
    if (part === 'value') append(whole, { text: '$1', values: 1, isGuess: !isSimple(expression) })
    else append(whole, part)
  }
  return whole
}

/** What is surely a value: everything else may turn out to be a query that the source does not tell. */
const isSimple = (node: Node) => node.type === 'Literal'

const isSqlType = (node: unknown): boolean =>
  isNode(node) &&
  (node.type === 'TSTypeAnnotation'
    ? isSqlType(node.typeAnnotation)
    : /\bSql\b/.test(JSON.stringify(node.typeName ?? '')))

/** The scope of a function's body, and what it returns first. */
const returned = (fn: Node, outer: Scope): { node: Node; scope: Scope } | undefined => {
  const scope = scopeInside(fn, outer) ?? outer
  const body = fn.body as Node
  if (body.type !== 'BlockStatement') return { node: body, scope }
  const inside = scopeInside(body, scope) ?? scope
  const look = (node: Node): Node | undefined => {
    if (node.type === 'ReturnStatement') return isNode(node.argument) ? node.argument : undefined
    if (isFunction(node)) return undefined
    for (const child of children(node)) {
      const found = look(child)
      if (found) return found
    }
    return undefined
  }
  const node = look(body)
  return node ? { node, scope: inside } : undefined
}

/** An object such as `{ text: '…', values: [] }`, which is how a few places write a text that no value may be part of. */
const literal = (node: Node, scope: Scope, depth: number): Part => {
  const field = (name: string) =>
    (node.properties as Node[]).find((one) => isNode(one.key) && one.key.name === name)?.value
  const text = field('text')
  if (!isNode(text) || !isNode(field('values'))) return 'value'
  const plain = plainText(text, scope, depth)
  return plain === undefined ? 'unknown' : { text: plain, values: 0, isGuess: false }
}

const plainText = (node: Node, scope: Scope, depth: number): string | undefined => {
  if (depth > DEPTH) return undefined
  if (node.type === 'Literal')
    return typeof node.value === 'string' || typeof node.value === 'number' ? String(node.value) : undefined
  if (node.type === 'Identifier') {
    const found = find(node.name as string, scope)
    return found && plainText(found.node, found.scope, depth + 1)
  }
  if (node.type === 'MemberExpression' && (node.property as Node).name === 'text') {
    const part = assemble(node.object as Node, scope, depth + 1)
    return part === 'value' || part === 'unknown' || part.values > 0 ? undefined : part.text
  }
  if (node.type !== 'TemplateLiteral') return undefined
  let text = ''
  for (const [at, quasi] of (node.quasis as Node[]).entries()) {
    text += (quasi.value as { cooked: string }).cooked
    const inner = (node.expressions as Node[])[at]
    if (!inner) break
    const part = plainText(inner, scope, depth + 1)
    if (part === undefined) return undefined
    text += part
  }
  return text
}

/** `'value'`: it is no query but a value. `'unknown'`: it is a query, and the source does not say which. */
export const assemble = (node: Node, scope: Scope, depth = 0): Part => {
  if (depth > DEPTH) return 'unknown'
  switch (node.type) {
    case 'TaggedTemplateExpression':
      return (node.tag as Node).name === 'sql' ? template(node, scope, depth) : 'unknown'
    case 'ConditionalExpression': {
      const first = assemble(node.consequent as Node, scope, depth + 1)
      return first === 'value' || first === 'unknown' ? assemble(node.alternate as Node, scope, depth + 1) : first
    }
    case 'LogicalExpression': {
      const left = assemble(node.left as Node, scope, depth + 1)
      // The source tells the other form of a query that the caller may leave out.
      const isOpen = node.operator === '??' && typeof left === 'object' && left.text === GUESS
      return left === 'value' || isOpen ? assemble(node.right as Node, scope, depth + 1) : left
    }
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'AwaitExpression':
      return assemble((node.expression ?? node.argument) as Node, scope, depth + 1)
    case 'ObjectExpression':
      return literal(node, scope, depth)
    case 'Identifier': {
      const found = find(node.name as string, scope)
      if (!found) return 'value'
      // A query that the caller gives is a condition nearly everywhere, and any condition will do.
      if (found.node.type === 'Identifier')
        return isSqlType(found.node.typeAnnotation) ? { text: GUESS, values: 0, isGuess: true } : 'value'
      return found.node === node ? 'value' : assemble(found.node, found.scope, depth + 1)
    }
    case 'MemberExpression':
      return member(node, scope, depth)
    case 'CallExpression':
      return call(node, scope, depth)
    default:
      return 'value'
  }
}

const codeText = (name: string) => is[name as keyof typeof is]?.text ?? '0'

/** `parts.x` and `parts[key]` of an object of the source; of a computed key the first entry. */
const member = (node: Node, scope: Scope, depth: number): Part => {
  const name = isNode(node.object) && node.object.type === 'Identifier' ? (node.object.name as string) : undefined
  if (name === 'is' && scope.module.imports.get('is')?.file.endsWith('domain/is.ts'))
    return { text: codeText((node.property as Node).name as string), values: 0, isGuess: false }
  const found = name === undefined ? undefined : find(name, scope)
  const object = found && unwrapped(found.node)
  if (!object || object.type !== 'ObjectExpression') return 'value'
  const properties = (object.properties as Node[]).filter((one) => one.type === 'Property')
  const key = node.computed ? undefined : (node.property as Node).name
  const property = key === undefined ? properties[0] : properties.find((one) => (one.key as Node).name === key)
  return property && found ? assemble(property.value as Node, found.scope, depth + 1) : 'value'
}

const unwrapped = (node: Node): Node =>
  /^TS(As|Satisfies)Expression$/.test(node.type) ? unwrapped(node.expression as Node) : node

const call = (node: Node, scope: Scope, depth: number): Part => {
  const callee = unwrapped(node.callee as Node)
  if (callee.type === 'MemberExpression') return member(callee, scope, depth)
  if (callee.type !== 'Identifier') return 'value'
  if (callee.name === 'withFreshPlan') return assemble((node.arguments as Node[])[0] as Node, scope, depth + 1)
  const found = find(callee.name as string, scope)
  const fn = found && unwrapped(found.node)
  if (!found || !fn || !isFunction(fn)) return 'value'
  // What the caller gives is known here: a parameter stands for the argument.
  const result = returned(fn, found.scope)
  if (!result) return 'value'
  const given: Scope = { names: new Map(result.scope.names), outer: result.scope.outer, module: result.scope.module }
  const carried = bind(fn, node.arguments as Node[], scope, depth)
  for (const [name, part] of carried) given.names.set(name, part)
  return assemble(result.node, given, depth + 1)
}

/** Arguments that are queries, as nodes that `assemble` reads again as the same text. */
const bind = (fn: Node, args: Node[], scope: Scope, depth: number): Map<string, Node> => {
  const bound = new Map<string, Node>()
  for (const [at, param] of (fn.params as Node[]).entries()) {
    const target = param.type === 'AssignmentPattern' ? (param.left as Node) : param
    const argument = args[at] ?? (param.type === 'AssignmentPattern' ? (param.right as Node) : undefined)
    if (target.type !== 'Identifier' || !argument) continue
    const part = assemble(argument, scope, depth + 1)
    const text = part === 'value' ? plainText(argument, scope, depth) : undefined
    if (text !== undefined) bound.set(target.name as string, { type: 'Literal', start: 0, end: 0, value: text })
    else if (part !== 'value' && part !== 'unknown') bound.set(target.name as string, asTemplate(part))
  }
  return bound
}

const asTemplate = ({ text, isGuess }: Assembled): Node => {
  const parts = text.split(/\$\d+/)
  const quasis = parts.map((cooked) => ({ type: 'TemplateElement', start: 0, end: 0, value: { cooked } }))
  const value: Node = { type: 'Literal', start: 0, end: 0, value: 0 }
  return {
    type: 'TaggedTemplateExpression',
    start: 0,
    end: 0,
    tag: { type: 'Identifier', name: 'sql', start: 0, end: 0 },
    quasi: { quasis, expressions: parts.slice(1).map(() => value) },
    isGuess,
  }
}

/** A read or write of the source: where it is, its row type if it names one, and one form of its text. */
export type Query = {
  file: string
  /** Where the row type begins and ends in the text of the file. */
  rowType: { start: number; end: number; text: string } | undefined
  at: number
  part: Part
}

/** All calls of `one`, `many` and `run` of a file. */
export const queriesOf = (file: string): Query[] => {
  const module = readModule(file)
  const found: Query[] = []
  const walk = (node: Node, scope: Scope) => {
    const inner = scopeInside(node, scope) ?? scope
    const callee = node.type === 'CallExpression' ? (node.callee as Node) : undefined
    const imported = callee?.type === 'Identifier' ? module.imports.get(callee.name as string) : undefined
    if (imported?.file.endsWith('data/sql.ts') && /^(one|many|run)$/.test(imported.name)) {
      const argument = (node.arguments as Node[])[1]
      const type = ((node.typeArguments as Node | undefined)?.params as Node[] | undefined)?.[0]
      if (argument)
        found.push({
          file,
          at: node.start,
          rowType: type && { start: type.start, end: type.end, text: module.text.slice(type.start, type.end) },
          part: assemble(argument, scope),
        })
    }
    for (const child of children(node)) walk(child, inner)
  }
  walk(module.program, module.scope)
  return found
}
