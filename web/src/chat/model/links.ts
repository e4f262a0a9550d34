/**
 * Finds links in a message. Only http and https, written out in full: a text that merely looks like an address stays
 * text. What is shown is always what was typed; `host` is added where a reader could take it for another one.
 */
export type Part = { text: string; link?: undefined } | { text: string; link: string; host?: string }

/** Longer ones stay text: no address that people send is. */
const MAX_LENGTH = 2000
// Ends before white space, quotes, angle brackets, everything that is not seen (control, format and private letters), and
// the marks, brackets, quotes, emoji, arrows, raised digits and long dashes of other scripts than Latin: often no space
// follows ।, ။ or 。. Addresses copied from a browser have such letters encoded. Names in addresses of Wikipedia have
// · ・ ’ and ×. An address behind a comma, semicolon or line is the next of a list.
const ADDRESS =
  /\bhttps?:\/\/(?:(?![,;|]https?:\/\/)[!#-&(-;=?-_a-~·・･’×]|[^\p{ASCII}\s\p{C}\p{Po}\p{Pi}\p{Pf}\p{Ps}\p{Pe}\p{So}\p{Sk}\p{Sm}\p{No}—―～〜])+/giu
/** What ends a sentence or a bracket around the address, and is rarely the end of the address itself. */
const TRAILING = /[.,;:!?*_~|·・･’ฯๆ]$|[^\p{ASCII}\P{Pd}]$/u
/** No host has anything else: an emoji, a dash or a line behind it belongs to the sentence. */
const BEHIND_HOST = /^(https?:\/\/[\p{L}\p{M}\p{N}!-.:-@[\]_~·・]*)(?:\||[^\p{ASCII}\p{L}\p{M}\p{N}·・]).*$/iu
const BRACKETS: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

export const linkParts = (text: string): Part[] => {
  const parts: Part[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutTail(found.replace(BEHIND_HOST, '$1'))
    const url = parse(address)
    if (!url) continue
    if (index > from) parts.push({ text: text.slice(from, index) })
    parts.push({ text: address, link: url.href, ...hostIfUnclear(address, url) })
    from = index + address.length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}

/** A closing bracket belongs to the address when its opening one does, as in Wikipedia's. */
const withoutTail = (found: string): string => {
  let address = found
  for (;;) {
    const last = address.at(-1) ?? ''
    const opening = BRACKETS[last]
    const isTail = opening ? count(address, last) > count(address, opening) : TRAILING.test(address)
    if (!isTail) return address
    address = address.slice(0, -1)
  }
}
const count = (text: string, letter: string) => text.split(letter).length - 1

const parse = (address: string): URL | undefined => {
  if (address.length > MAX_LENGTH) return undefined
  try {
    const url = new URL(address)
    return (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname ? url : undefined
  } catch {
    return undefined
  }
}

/** The host that is opened, in full, when the text does not plainly show it: `http://bank.example@evil.example`. */
const hostIfUnclear = (address: string, url: URL): { host?: string } => {
  const typed = /^https?:\/\/([^/?#\\]*)/iu.exec(address)?.[1] ?? ''
  const name = typed.toLowerCase().replace(/:\d*$/, '')
  // Browsers take a backslash for a slash; readers do not.
  if (address.includes('\\')) return { host: url.host }
  const isPlain = name === url.hostname && !name.includes('xn--')
  const isForeign = !/^[ -~]*$/.test(name) && isReadable(name) && toAscii(name) === url.hostname
  return isPlain || isForeign ? {} : { host: url.host }
}

const toAscii = (name: string) => {
  try {
    return new URL(`http://${name}`).hostname
  } catch {
    return ''
  }
}

/** Scripts whose letters are written together in one language. */
const SCRIPTS = [
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u,
  /^[\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}]*$/u,
  /^[\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]*$/u,
  /^[\p{Script=Thai}\p{Script=Common}\p{Script=Inherited}]*$/u,
  /^[\p{Script=Tamil}\p{Script=Common}\p{Script=Inherited}]*$/u,
  /^[\p{Script=Myanmar}\p{Script=Common}\p{Script=Inherited}]*$/u,
  /^[\p{Script=Bengali}\p{Script=Common}\p{Script=Inherited}]*$/u,
]

/**
 * Letters of one script, and none that imitate others: full width, mathematical and accented ones become others or are
 * left out on the way to the address.
 */
const isReadable = (name: string) => name.normalize('NFKC') === name && SCRIPTS.some((script) => script.test(name))
