import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contract, errors } from '@tallyroom/contract'
import { languages, type Words } from '@tallyroom/locales'
import { isOn, isSheetWord, type LightPage, notInOffice, pageWords } from '@tallyroom/locales/pages'
import { expect, test } from 'vitest'
import { readMigrations } from '../server/src/data/migrate.ts'
import { missingFrom } from './complete-lock.mjs'
import { importCircles } from './import-circles.mjs'

/** Files of the browser that still have a function over 120 lines. This number may only be lowered. */
const LONG_FUNCTIONS = 11

// Repository rules that no linter has. Each list is empty when the rules hold; its entries say what to do.

const root = fileURLToPath(new URL('..', import.meta.url))
/** The files that git tracks or would track; in a copy without git, all but generated ones. */
const list = (): string[] => {
  try {
    const options = ['ls-files', '--cached', '--others', '--exclude-standard']
    return execFileSync('git', options, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split(
      '\n',
    )
  } catch {
    const made = /^data(\/|$)|(^|\/)(node_modules|dist|\.git|test-results)(\/|$)/
    return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => !made.test(path))
  }
}
const ours = list().filter((path) => path !== '' && statSync(join(root, path), { throwIfNoEntry: false })?.isFile())

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const isCode = (path: string) => /\.(ts|tsx|mjs|js|css|sql)$/.test(path)
const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const code = new Map(ours.filter(isCode).map((path) => [path, read(path)]))
const textOf = (wanted: (path: string) => boolean) =>
  [...code].flatMap(([path, text]) => (wanted(path) ? [text] : [])).join('\n')

const loadWords = async (language: string) =>
  ((await import(`../locales/${language}.ts`)) as { default: Words }).default
const words = new Map(
  await Promise.all(languages.map(async (language) => [language, await loadWords(language)] as const)),
)
const english: Record<string, unknown> = words.get('en') ?? {}

/** The {placeholders} of a key's text; for a plural those of all forms. */
const placeholders = (entry: unknown) =>
  [...new Set(JSON.stringify(entry ?? '').match(/\{\w+\}/g) ?? [])].sort().join(' ')

test('every language has every word, with the same placeholders', () => {
  const wrong = [...words].flatMap(([language, found]) => [
    ...Object.keys(english).flatMap((key) => {
      const entry = (found as Record<string, unknown>)[key]
      if (entry === undefined) return [`locales/${language}.ts has no '${key}': translate it`]
      const [here, there] = [placeholders(entry), placeholders(english[key])]
      return here === there
        ? []
        : [`locales/${language}.ts '${key}' has ${here || 'no placeholder'}; write it with ${there || 'none'}`]
    }),
    ...Object.keys(found).flatMap((key) =>
      key in english ? [] : [`locales/${language}.ts has '${key}', which en.ts does not have: remove it`],
    ),
  ])
  expect(wrong).toEqual([])
})

test('every refusal has a text', () => {
  const silent = Object.keys(errors).filter((name) => !(name in english))
  expect(
    silent.map((name) => `contract/errors.ts has '${name}': give it words in locales/en.ts and the other ten`),
  ).toEqual([])
})

test('every word is used', () => {
  const source = textOf((path) => /^(server|web|contract)\//.test(path) && !isTest(path))
  const quoted = new Set(source.match(/(['"`])[\w.-]+\1/g)?.map((text) => text.slice(1, -1)))
  // A composed key such as `role.${role}` uses all keys with its prefix.
  const beginnings = [...source.matchAll(/`([\w-]+\.[\w.-]*)\$\{/g)].map((match) => match[1] ?? '')
  const unused = Object.keys(english).filter(
    (key) => !quoted.has(key) && !beginnings.some((beginning) => key.startsWith(beginning)),
  )
  expect(unused.map((key) => `nothing says '${key}': use it, or npm run words -- remove ${key}`)).toEqual([])
})

/** A web module with everything of ours that it imports. */
const graphOf = (path: string, found = new Set<string>()): Set<string> => {
  const text = code.get(path)
  if (text === undefined || found.has(path) || path.endsWith('.css')) return found
  found.add(path)
  for (const [, next = ''] of text.matchAll(/(?:from |import\(|import )'(\.[^']+)'/g))
    graphOf(posix.join(path, '..', next), found)
  // These name keys.
  for (const [, next = ''] of text.matchAll(/'@tallyroom\/contract\/(transfer-kinds|words\/[\w-]+)'/g))
    graphOf(`contract/${next}.ts`, found)
  return found
}

test('a light page has only the texts it uses', () => {
  const starts: Record<LightPage, string[]> = {
    session: ['web/src/entries/login.tsx', 'web/src/features/session/landing-page.tsx'],
    member: ['web/src/entries/member.tsx'],
    offline: ['web/src/entries/offline.ts'],
  }
  const needless = (Object.keys(pageWords) as LightPage[]).flatMap((page) => {
    const files = starts[page].flatMap((start) => [...graphOf(start)])
    expect(files.length).toBeGreaterThan(2)
    const source = files.map((path) => code.get(path)).join('\n')
    const said = (key: string) => source.includes(`'${key}'`)
    const begun = [...source.matchAll(/`([\w-]+\.[\w.-]*)\$\{/g)].map((match) => match[1] ?? '')
    return Object.keys(english)
      .filter((key) => isOn(page, key) && !said(key) && !begun.some((start) => key.startsWith(start)))
      .map((key) => `the page ${page} never says '${key}': take it out of locales/pages.ts`)
  })
  expect(needless).toEqual([])
})

test('a text of the sheets of the member’s page is said only in a sheet', () => {
  const inSheet = /^web\/src\/member\/(points\/|profile\/|desk\/|menu-sheet|sign-in\/site-page)/
  const files = [...graphOf('web/src/entries/member.tsx')].filter((path) => !inSheet.test(path))
  expect(files.length).toBeGreaterThan(50)
  const keys = Object.keys(english).filter((key) => isOn('member', key) && isSheetWord(key))
  const said = files.flatMap((path) =>
    keys
      .filter((key) => code.get(path)?.includes(`'${key}'`))
      .map((key) => `${path} says '${key}': take it out of sheetWords in locales/pages.ts`),
  )
  expect(said).toEqual([])
})

test('the office says no text that only the light pages have', () => {
  const files = [...graphOf('web/src/entries/office.tsx')]
  expect(files.length).toBeGreaterThan(300)
  const said = files.flatMap((path) =>
    notInOffice
      .filter((start) => code.get(path)?.match(new RegExp(`['\`]${start.replace('.', '\\.')}\\w`)))
      .map(
        (start) => `${path} says a text that begins with '${start}': take that out of notInOffice in locales/pages.ts`,
      ),
  )
  expect(said).toEqual([])
})

test('every call has a test that names it', () => {
  // Components make their calls to a fake server.
  const tests = textOf((path) => isTest(path) && path !== 'scripts/tidy.test.ts' && !path.endsWith('.tsx'))
  const untested = Object.keys(contract).filter((name) => !tests.includes(`'${name}'`))
  expect(
    untested.map((name) => `no *.test.ts names '${name}': write a test that makes this call through HTTP`),
  ).toEqual([])
})

test('migrations are numbered without gaps', () => {
  expect(readMigrations().length).toBeGreaterThan(0)
})

test('a title names only requirements that docs/requirements.md has', () => {
  const known = new Set(
    read('docs/requirements.md')
      .match(/^- [A-Z][A-Z\d]*(-\d+)?(?= )/gm)
      ?.map((line) => line.slice(2)),
  )
  const unknown = [...code].flatMap(([path, text]) =>
    /\.(test|journey)\.tsx?$/.test(path)
      ? [...text.matchAll(/\[((?:[A-Z][A-Z\d]+-\d+)|S\d+)\] /g)].flatMap(([, id = '']) =>
          known.has(id) ? [] : [`${path}: docs/requirements.md has no ${id}`],
        )
      : [],
  )
  expect([...new Set(unknown)]).toEqual([])
})

test('[TEXT-03] keys of an input method are withheld once, before anything else of a page listens', () => {
  const helper = 'web/src/ui/keyboard/composed-keys'
  const wrong = [...code].flatMap(([path, text]) =>
    path.startsWith('web/src/') && !isTest(path) && !path.startsWith(helper) && /\b(isComposing|keyCode)\b/.test(text)
      ? [`${path}: handlers never see keys of an input method (${helper}.ts): do not ask for them again`]
      : [],
  )
  for (const page of ['login', 'member', 'office'])
    if (
      !/^(import .*\n|\/\/ .*\n|\n|const landing = .*\n)*withholdComposedKeys\(\)$/m.test(
        code.get(`web/src/entries/${page}.tsx`) ?? '',
      )
    )
      wrong.push(`web/src/entries/${page}.tsx: call withholdComposedKeys() first`)
  expect(wrong).toEqual([])
})

test('a suppressed rule of the linter says why', () => {
  const bare = [...code].flatMap(([path, text]) =>
    [...text.matchAll(/(?:ox|es)lint-disable(?:-next-line|-line)?[^\n]*/g)].flatMap(([line]) =>
      / -- \S/.test(line) || path === 'scripts/tidy.test.ts'
        ? []
        : [`${path}: "${line.trim()}" needs " -- " and the reason`],
    ),
  )
  expect(bare).toEqual([])
})

test('[CODE-02] no bare number stands for a code in SQL', () => {
  const codes = /\b(?:role_id|status|type|kind|op)\s+(?:=|<>|<=|>=|<|>|in|is distinct from)\s+\(?\d/g
  const bare = [...code].flatMap(([path, text]) =>
    path.startsWith('server/src/') && path.endsWith('.ts') && !isTest(path) && !path.includes('/testing/')
      ? [...text.matchAll(/`[^`]*`/g)].flatMap(([query]) =>
          (query.match(codes) ?? []).map((found) => `${path}: ${found}`),
        )
      : [],
  )
  expect(bare.map((found) => `${found}: write the code by its name, \`is\` of domain/is.ts`)).toEqual([])
})

test('a file longer than 400 lines is named', () => {
  for (const [path, text] of code) {
    const lines = text.split('\n').length - 1
    const isWritten = /^(locales\/|server\/schema\/|client\/calls)/.test(path)
    if (lines > 400 && !isWritten) console.warn(`${path} has ${lines} lines: it may hold two ideas`)
  }
})

test('the list of files with functions over 120 lines only shrinks', { timeout: 60_000 }, () => {
  const rule = 'eslint/max-lines-per-function'
  const { rules, overrides } = JSON.parse(read('.oxlintrc.json')) as {
    rules: Record<string, unknown>
    overrides: { files: string[]; rules: Record<string, unknown> }[]
  }
  // The other override is for tests, by patterns.
  const listed = overrides
    .flatMap(({ files, rules }) => (rules[rule] === 'off' ? files : []))
    .filter((file) => !file.includes('*'))
  expect(listed.length).toBeLessThanOrEqual(LONG_FUNCTIONS)
  const config = join(mkdtempSync(join(tmpdir(), 'tallyroom-lint-')), 'oxlintrc.json')
  writeFileSync(config, JSON.stringify({ categories: { correctness: 'off' }, rules: { [rule]: rules[rule] } }))
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['-c', config, '--format', 'unix', ...listed], {
    cwd: root,
    encoding: 'utf8',
  })
  const done = listed.filter((file) => !stdout.includes(file))
  expect(done.map((file) => `${file} has no such function any more: take it off the list in .oxlintrc.json`)).toEqual(
    [],
  )
})

test('texts are cut between letters', () => {
  const cutting =
    /(?<!userAgent)\.slice\(0, (?:[4-9]\d|\d{3,}|[A-Z_]*(?:LENGTH|LONGEST|TITLE|EXCERPT|REMARK))(?: - 1)?\)/g
  // A secret, of ASCII.
  const allowed = ['contract/text/cut-text.ts', 'server/src/calls/sign-in/passkey.ts']
  const cut = [...code].flatMap(([path, text]) =>
    /^(server\/src\/(?!cli|testing)|web|contract)/.test(path) && !isTest(path) && !allowed.includes(path)
      ? [...text.matchAll(cutting)].map(([found]) => `${path}: ${found} may end inside of a letter: use cutText`)
      : [],
  )
  expect(cut).toEqual([])
})

test('a field takes its length from contract/lengths.ts, where the server has it', () => {
  const bare = [...code].flatMap(([path, text]) =>
    /^web\/src\/.*\.tsx$/.test(path) && !isTest(path) && /maxLength=\{\d\d/.test(text)
      ? [`${path}: give the length a name in contract/lengths.ts`]
      : [],
  )
  expect(bare).toEqual([])
})

test('no folder holds more than 25 source files, tests not counted', () => {
  const folders = new Map<string, number>()
  for (const path of ours)
    if (/(?<!\.test|\.journey)\.tsx?$/.test(path))
      folders.set(posix.dirname(path), (folders.get(posix.dirname(path)) ?? 0) + 1)
  const full = [...folders].filter(([, files]) => files > 25)
  expect(full.map(([path, files]) => `${path} holds ${files} source files: give each idea a folder`)).toEqual([])
})

test('no test mocks a module, which the other files of its worker would share', () => {
  // In the setup of the component tests, which runs before every file.
  const allowed = ['web/src/testing/setup.ts', 'scripts/tidy.test.ts']
  const mocking = [...code].flatMap(([path, text]) =>
    /\bvi\.(mock|doMock)\(/.test(text) && !allowed.includes(path) ? [`${path}: spy on an object instead`] : [],
  )
  expect(mocking).toEqual([])
})

test('no files import each other in a circle, types included', () => {
  const isSource = (path: string) =>
    /^(client|contract|locales|postgres|server|web)\/.*\.tsx?$/.test(path) && !isTest(path)
  const circles = importCircles(Object.fromEntries(ours.filter(isSource).map((path) => [path, read(path)])))
  expect(circles.map((files) => `${files.join(' <-> ')}: move what both need to a file of its own`)).toEqual([])
})

test('import circles are found through types and our own packages', () => {
  const sources = {
    'server/a.ts': "import type { B } from './b.ts'",
    'server/b.ts': "export * from '@tallyroom/contract/c'\nimport fs from 'node:fs'",
    'contract/c.ts': "const a = () => import('../server/a.ts')",
    'server/d.ts': "import './a.ts'",
  }
  expect(importCircles(sources)).toEqual([['contract/c.ts', 'server/a.ts', 'server/b.ts']])
})

test('every package-lock.json is complete, so that npm ci accepts it everywhere', () => {
  const missing = ours
    .filter((path) => path.endsWith('package-lock.json'))
    .flatMap((file) => missingFrom(JSON.parse(read(file))).map(({ path }) => `${file} has no ${path}`))
  expect(missing.map((said) => `${said}: run node scripts/complete-lock.mjs`)).toEqual([])
})

test('no file names the machine on which it was written', () => {
  // Assembled from parts, so that this file does not match itself.
  const machine = new RegExp(
    [
      ['', 'work', '(main|shared|tools)'].join('/'),
      ['', 'root', ''].join('/') + '\\w',
      ['', 'home', '\\w+', ''].join('/'),
    ].join('|'),
  )
  const text = ours.filter((path) => isCode(path) || /\.(md|json|html|yml|yaml)$|^\.|\/\./.test(path))
  const telling = text.flatMap((path) => {
    const found = machine.exec(read(path))?.[0]
    return found ? [`${path} says ${found}: use a path relative to the repository`] : []
  })
  const locks = ours.filter((path) => path.endsWith('package-lock.json'))
  const registries = locks.flatMap((path) =>
    [...read(path).matchAll(/"resolved": "(https?:\/\/[^/"]+)/g)].map((match) => match[1]),
  )
  const foreign = [...new Set(registries)].filter((host) => host !== 'https://registry.npmjs.org')
  expect([
    ...telling,
    ...foreign.map(
      (host) => `a package-lock.json names ${host}: run npm install with omit-lockfile-registry-resolved=true`,
    ),
  ]).toEqual([])
})
