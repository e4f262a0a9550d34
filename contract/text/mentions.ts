/** A colleague whom a text names. `name`: as it is in the text, after "@". No Zod here: pages import this file. */
export type Mention = { id: number; name: string }

/** The most colleagues that one text may mention. */
export const MAX_MENTIONS = 20

/** In scripts without spaces a name may touch the next word; a longer Latin name is another one, and a mark changes its letter. */
const goesOn = (name: string, next: string) =>
  /^\p{M}/u.test(next) || (/^[\p{Script=Latin}\d_]/u.test(next) && /[\p{Script=Latin}\d_]$/u.test(name))

/** The parts of a text: words, and the mentions in it. Of names that begin alike the longest is meant. */
export const mentionParts = <M extends Mention>(text: string, mentions: readonly M[]): (string | M)[] => {
  const longestFirst = mentions.toSorted((a, b) => b.name.length - a.name.length)
  const parts: (string | M)[] = []
  let from = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (at < from) continue
    const found = longestFirst.find(
      ({ name }) =>
        text.startsWith(name, at + 1) && !goesOn(name, text.slice(at + 1 + name.length, at + 3 + name.length)),
    )
    if (!found) continue
    if (at > from) parts.push(text.slice(from, at))
    parts.push(found)
    from = at + 1 + found.name.length
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

/** Those of the mentions that are still in a text. */
export const mentionsIn = <M extends Mention>(text: string, mentions: readonly M[]): M[] => [
  ...new Set(mentionParts(text, mentions).filter((part) => typeof part !== 'string')),
]
