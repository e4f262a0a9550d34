import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Words that make a sentence read like a translation, and what to write instead. `docs/glossary.md` has the right words. */
const banned: [word: string, instead: string][] = [
  ['purses?', 'payerWallet or targetWallet'],
  ['deeds?', 'action, transfer or entry: what it is'],
  ['whoever', 'the subject by its name: the caller, the user'],
  ['anew', 'again'],
  ['kin', 'and the like'],
  ['none waits', 'nobody is waiting'],
  ['stands in the way', 'prevents'],
  ['so that one', 'so that a user, or: to'],
  ['(is|are|was|were) told( of)?', 'gets, receives, is notified'],
  ['heard of', 'received'],
  ['brought along', 'given'],
  ['the talk', 'the conversation'],
  ["behind (its|the [a-z]+’s|the [a-z]+'s) back", 'without its knowledge, or: directly'],
  ['the house', 'the server, the product, or the game account'],
]

/** The wire has a field of this name: desk/bulk and the relay's frames keep it. */
const wireField = /\bdeed\??:|\.deed\b|\['deed'\]/g

const isProse = (path: string) =>
  /\.(ts|tsx|mjs|js|css|md)$/.test(path) &&
  // Migrations never change; other languages are not English; this file names the words.
  !/^(server\/migrations|bench\/results|bench\/web\/rivals|locales\/(?!en\.|index|pages))/.test(path) &&
  path !== 'scripts/plain-english.test.ts'

const files = () => {
  const options = ['ls-files', '--cached', '--others', '--exclude-standard']
  return execFileSync('git', options, { cwd: root, encoding: 'utf8' }).split('\n').filter(isProse)
}

test('the English is plain', () => {
  const texts = files().map((path) => [path, readFileSync(join(root, path), 'utf8').replace(wireField, '')] as const)
  const wrong = banned.flatMap(([word, instead]) => {
    // Parts of names count too: `payerPurse`, `deedOf`.
    const pattern = new RegExp(`(?<![a-z])${word}(?![a-z])`, 'gi')
    const where = texts.filter(([, text]) => text.search(pattern) >= 0).map(([path]) => path)
    return where.length === 0 ? [] : [`"${word}" is used: write ${instead} (${where.slice(0, 10).join(', ')})`]
  })
  expect(wrong).toEqual([])
})

test('a comment of the server is a sentence, and the largest value of anything is a MAX_', () => {
  const sources = files().filter((path) => /^server\/src\/(?!testing\/).*(?<!\.test)\.ts$/.test(path))
  const wrong = sources.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, at, lines) => {
        // A line in the middle of a comment begins with anything.
        const isFirst = !/^\s*\/\//.test(lines[at - 1] ?? '')
        const [fragment] =
          (isFirst && /(\/\*\*|^\s*\/\/) (What|Of|By|For|With|Whose|Whom|Said|So long|So that) /.exec(line)) || []
        const [most] = /\bMOST_[A-Z]\w*/.exec(line) ?? []
        return [
          ...(fragment ? [`${path}:${at + 1} begins with "${fragment.trim()}": begin with the subject`] : []),
          ...(most ? [`${path}:${at + 1} has ${most}: write ${most.replace('MOST', 'MAX')}`] : []),
        ]
      }),
  )
  expect(wrong).toEqual([])
})
