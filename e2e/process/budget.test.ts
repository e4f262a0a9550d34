import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { looksIn } from '../support/long.ts'
import { budgeted } from '../../web/bundle.ts'

const read = (path: string) => readFileSync(new URL(`../../web/dist/${path}`, import.meta.url), 'utf8')
const weight = (paths: Iterable<string>) =>
  [...paths].reduce((sum, path) => sum + gzipSync(read(path)).length, 0) / 1024

/** A script with its static imports; dynamic ones are loaded when needed. */
const withImports = (path: string, found = new Set<string>()): Set<string> => {
  if (found.has(path)) return found
  found.add(path)
  for (const [, name] of read(path).matchAll(
    /(?:^|[;}\s])(?:import|export)(?:[^;()"'`]*?from)?\s*["'`]\.\/([\w.-]+\.js)["'`]/g,
  ))
    if (name) withImports(`assets/${name}`, found)
  return found
}
const scriptsOf = (page: string) => {
  const own = [...read(page).matchAll(/(?:src|href)="\/(assets\/[\w.-]+\.js)"/g)].map(([, path]) => path ?? '')
  return own.reduce((all, path) => withImports(path, all), new Set<string>())
}
/** The scripts that a page imports dynamically, by the beginning of their names, smallest first. */
const allLater = (scripts: Set<string>, name: string) => {
  const named = new RegExp(`\\b${name}-[\\w-]+\\.js`, 'g')
  const found = new Set([...scripts].flatMap((path) => [...read(path).matchAll(named)].map(([file]) => file)))
  return [...found].map((file) => withImports(`assets/${file}`)).sort((a, b) => weight(a) - weight(b))
}
const later = (scripts: Set<string>, name: string) => {
  const [found, ...more] = allLater(scripts, name)
  if (!found || more.length) throw new Error(`${found ? 'more than one' : 'nothing'} loads ${name}`)
  return found
}
/** Kilobytes that a later script adds to those that are there. */
const added = (scripts: Set<string>, name: string) =>
  weight([...later(scripts, name)].filter((path) => !scripts.has(path)))

test.each(looksIn)(
  'in %s, sign-in, the member’s page and the office’s first page stay within their size budgets',
  (language) => {
    const [signIn, member, first] = ['login.html', 'member.html', 'index.html'].map(scriptsOf) as [
      Set<string>,
      Set<string>,
      Set<string>,
    ]
    // Each file costs a request: the scripts of every office page are in few files, all named in index.html.
    expect([...first].map((path) => path.replace(/^assets\/|-[\w-]{8}\.js$/g, ''))).toEqual(
      expect.arrayContaining(budgeted.atOnce),
    )
    expect(first.size).toBeLessThanOrEqual(6)
    const lists = [...later(first, budgeted.list)].filter((path) => !first.has(path))
    expect(lists.length).toBeLessThanOrEqual(6)
    const chat = new Set([...member, ...later(member, language), ...later(member, budgeted.memberChat)])
    const home = new Set([...first, ...later(first, budgeted.home)])
    const kilobytes = {
      signIn: weight(new Set([...signIn, ...later(signIn, language)])),
      member: weight(member),
      // Until the conversation is visible. The socket library is loaded after it (live.ts), sheets and pictures on
      // demand.
      chat: weight(chat),
      home: weight(new Set([...home, ...(allLater(first, language).at(-1) ?? [])])),
      // What the first dialog of a list adds, and the first page with fields for dates.
      dialog: added(new Set([...first, ...later(first, budgeted.list)]), budgeted.dialog),
      history: added(first, budgeted.history),
    }
    expect(kilobytes.signIn).toBeGreaterThan(15)
    expect(kilobytes.signIn).toBeLessThanOrEqual(34)
    expect(kilobytes.member).toBeGreaterThan(15)
    expect(kilobytes.member).toBeLessThanOrEqual(27)
    expect(kilobytes.chat).toBeGreaterThan(kilobytes.member)
    expect(kilobytes.chat).toBeLessThanOrEqual(78.5)
    expect(kilobytes.home).toBeLessThanOrEqual(191)
    expect(kilobytes.dialog).toBeLessThanOrEqual(11)
    expect(kilobytes.history).toBeLessThanOrEqual(46)
  },
)

test('browsers are asked to compile what a first page runs while it is loaded', () => {
  const all = ['login.html', 'member.html', 'index.html'].flatMap((page) => [...scriptsOf(page)])
  const scripts = all.filter((path) => read(path).length > 11_000)
  expect(scripts.length).toBeGreaterThan(3)
  expect(scripts.filter((path) => !read(path).startsWith('//# allFunctionsCalledOnLoad\n'))).toEqual([])
})
