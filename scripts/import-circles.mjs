import { dirname, posix } from 'node:path'

const IMPORT = /(?:\bfrom|\bimport\(|^import)\s*'([^']+)'/gm

/** The files that a source imports, types included, without other packages. */
const importsOf = (path, text) =>
  [...text.matchAll(IMPORT)].flatMap(([, specifier]) => {
    if (specifier.startsWith('.')) return [posix.join(dirname(path), specifier)]
    const own = /^@tallyroom\/(\w+)(?:\/(.*))?$/.exec(specifier)
    return own ? [`${own[1]}/${own[2] ?? 'index'}.ts`] : []
  })

/**
 * Circles of imports (strongly connected files, by Tarjan) among `{ path: text }`, each as a sorted list of paths.
 * @param {Record<string, string>} sources
 */
export const importCircles = (sources) => {
  const edges = new Map(
    Object.entries(sources).map(([path, text]) => [path, importsOf(path, text).filter((to) => to in sources)]),
  )
  const [index, low, stack] = [new Map(), new Map(), []]
  /** @type {string[][]} */
  const circles = []
  const visit = (path) => {
    index.set(path, index.size)
    low.set(path, index.get(path))
    stack.push(path)
    for (const to of edges.get(path)) {
      if (!index.has(to)) {
        visit(to)
        low.set(path, Math.min(low.get(path), low.get(to)))
      } else if (stack.includes(to)) low.set(path, Math.min(low.get(path), index.get(to)))
    }
    if (low.get(path) !== index.get(path)) return
    const circle = stack.splice(stack.indexOf(path))
    if (circle.length > 1 || edges.get(path).includes(path)) circles.push(circle.toSorted((a, b) => (a < b ? -1 : 1)))
  }
  for (const path of edges.keys()) if (!index.has(path)) visit(path)
  return circles
}
