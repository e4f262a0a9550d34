/**
 * A JSON document such as OpenAPI with each `$ref` replaced by what it names in the same document. Fields beside a `$ref`
 * win. Nothing in it may contain itself.
 */
export const resolveRefs = <T>(document: T): T => {
  const named = (ref: string): unknown =>
    ref
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>(
        (found, part) => (found as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')],
        document,
      )
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...own } = value as { $ref?: unknown }
    const beside = Object.fromEntries(Object.entries(own).map(([name, inner]) => [name, resolve(inner)]))
    return typeof $ref === 'string' ? { ...(resolve(named($ref)) as object), ...beside } : beside
  }
  return resolve(document) as T
}
