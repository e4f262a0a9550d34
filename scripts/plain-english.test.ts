import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Words that make a sentence read like a translation, or that meant two things here, and what to write instead. The
 * number is how often the word is still in the repository: only ever lower it. `docs/glossary.md` has the right words.
 */
const banned: [word: string, instead: string, left: number][] = [
  ['purse', 'payerWallet or targetWallet', 98],
  ['deeds?', 'action, transfer or entry: what it is', 347],
  ['whoever', 'the subject by its name: the caller, the user', 83],
  ['anew', 'again', 29],
  ['kin', 'and the like', 1],
  ['none waits', 'nobody is waiting', 0],
  ['stands in the way', 'prevents', 0],
  ['so that one', 'so that a user, or: to', 2],
  ['(is|are) told( of)?', 'gets, is notified', 45],
  ['the house', 'the server, the product, or the game account', 23],
]

const isProse = (path: string) =>
  /\.(ts|tsx|mjs|js|css|md)$/.test(path) &&
  // Migrations never change; other languages are not English; this file and the glossary name the words.
  !/^(server\/migrations|bench\/results|bench\/web\/rivals|locales\/(?!en\.|index|pages))/.test(path) &&
  path !== 'scripts/plain-english.test.ts'

const files = () => {
  const options = ['ls-files', '--cached', '--others', '--exclude-standard']
  return execFileSync('git', options, { cwd: root, encoding: 'utf8' }).split('\n').filter(isProse)
}

test('the English is plain', () => {
  const texts = files().map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
  const wrong = banned.flatMap(([word, instead, left]) => {
    // Parts of names count too: `payerPurse`, `deedOf`.
    const pattern = new RegExp(`(?<![a-z])${word}(?![a-z])`, 'gi')
    const found = texts.flatMap(([path, text]) => [...text.matchAll(pattern)].map(() => path))
    if (found.length <= left) return []
    const where = [...new Set(found)].slice(0, 10).join(', ')
    return [`"${word}" is used ${found.length} times, at most ${left}: write ${instead} (${where})`]
  })
  expect(wrong).toEqual([])
})
