import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'

/** A node of the syntax tree (ESTree with types). Its fields depend on `type`. */
export type Node = { type: string; start: number; end: number } & Record<string, unknown>

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

export const children = (node: Node): Node[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))

/** The innermost scope first: names that `const`, functions and parameters define, with what defines them. */
export type Scope = { names: Map<string, Node>; outer: Scope | undefined; module: Module }

export type Module = {
  file: string
  text: string
  program: Node
  /** Local name -> the file and name that it is imported from. */
  imports: Map<string, { file: string; name: string }>
  scope: Scope
}

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' ? (node.name as string) : undefined

/** The declarations of one list of statements; `export` in front of them is looked through. */
const declared = (statements: Node[]): Map<string, Node> => {
  const names = new Map<string, Node>()
  for (const statement of statements) {
    const inner = isNode(statement.declaration) ? statement.declaration : statement
    if (inner.type === 'FunctionDeclaration') {
      const name = nameOf(inner.id)
      if (name) names.set(name, inner)
    }
    if (inner.type !== 'VariableDeclaration') continue
    for (const one of inner.declarations as Node[]) {
      const name = nameOf(one.id)
      if (name && isNode(one.init)) names.set(name, one.init)
    }
  }
  return names
}

export const isFunction = (node: Node) =>
  /^(ArrowFunctionExpression|FunctionDeclaration|FunctionExpression)$/.test(node.type)

const isQueryDefault = (node: Node): boolean =>
  node.type === 'AssignmentPattern' && (node.right as Node).type === 'TaggedTemplateExpression'

/** The scope inside a function or a block: `undefined` when `node` opens none. */
export const scopeInside = (node: Node, outer: Scope): Scope | undefined => {
  if (node.type === 'BlockStatement') return { names: declared(node.body as Node[]), outer, module: outer.module }
  if (!isFunction(node)) return undefined
  const names = new Map<string, Node>()
  for (const param of node.params as Node[]) {
    const target = param.type === 'AssignmentPattern' ? (param.left as Node) : param
    const name = nameOf(target)
    // A query that the caller may leave out has its default here.
    if (name) names.set(name, isQueryDefault(param) ? (param.right as Node) : target)
    for (const property of (target.properties as Node[] | undefined) ?? []) {
      const key = nameOf(property.value) ?? nameOf((property.value as Node | undefined)?.left)
      const value = property.value as Node | undefined
      if (key) names.set(key, value && isQueryDefault(value) ? (value.right as Node) : property)
    }
  }
  return { names, outer, module: outer.module }
}

const cache = new Map<string, Module>()
const replaced = new Map<string, string>()

/** Reads a file as if it said this, in a test. */
export const replaceText = (file: string, text: string | undefined) => {
  cache.clear()
  if (text === undefined) replaced.delete(file)
  else replaced.set(file, text)
}

export const readModule = (file: string): Module => {
  const known = cache.get(file)
  if (known) return known
  const text = replaced.get(file) ?? readFileSync(file, 'utf8')
  const program = parseSync(file, text).program as unknown as Node
  const imports: Module['imports'] = new Map()
  for (const statement of program.body as Node[]) {
    if (statement.type !== 'ImportDeclaration') continue
    const source = (statement.source as Node).value as string
    if (!source.startsWith('.')) continue
    for (const one of statement.specifiers as Node[]) {
      const name = nameOf(one.imported)
      const local = nameOf(one.local)
      if (name && local) imports.set(local, { file: join(dirname(file), source), name })
    }
  }
  const module = { file, text, program, imports } as Module
  module.scope = { names: declared(program.body as Node[]), outer: undefined, module }
  cache.set(file, module)
  return module
}

/** What a name means, and where: through the scopes and one import after the other. */
export const find = (name: string, scope: Scope): { node: Node; scope: Scope } | undefined => {
  for (let here: Scope | undefined = scope; here; here = here.outer) {
    const node = here.names.get(name)
    if (node) return { node, scope: here }
  }
  const imported = scope.module.imports.get(name)
  return imported ? find(imported.name, readModule(imported.file).scope) : undefined
}

/** The line of a position, counted from 1. */
export const lineAt = ({ text }: Module, at: number): number => text.slice(0, at).split('\n').length
