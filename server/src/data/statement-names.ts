import { createHash } from 'node:crypto'

const remember = (make: (text: string) => string) => {
  const names = new Map<string, string>()
  return (text: string): string => {
    const known = names.get(text)
    if (known !== undefined) return known
    const made = make(text)
    names.set(text, made)
    return made
  }
}

/** A name for the statement: PostgreSQL then parses and plans each text once a connection. */
export const nameOf = remember((text) => createHash('sha1').update(text).digest('base64url').slice(0, 20))

/** A name for people: `update wallets`. It has only words of the statement, never values. */
export const shortNameOf = remember((text) => {
  const said = text.replace(/'(?:[^']|'')*'/g, "''").toLowerCase()
  const [, verb = '', table] =
    /\b(insert) into (\w+)/.exec(said) ??
    /(?<!for no key )(?<!for )(?<!do )\b(update) (\w+)/.exec(said) ??
    /\b(delete) from (\w+)/.exec(said) ??
    []
  if (table) return `${verb} ${table}`
  const inner = new Set(
    [...said.matchAll(/\b(\w+) as (?:materialized |not materialized )?\(/g)].map(([, name]) => name),
  )
  const read = [...said.matchAll(/\b(?:from|join) (\w+)\b(?!\s*\()/g)].find(([, name]) => !inner.has(name))
  return read?.[1] ? `select ${read[1]}` : (/^\s*(\w+)/.exec(said)?.[1] ?? 'statement')
})
