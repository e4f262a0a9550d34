import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { languages } from '../../locales/index.ts'
import { given } from '../../server/src/testing/given.ts'
import { root } from '../shell.mjs'
import { words } from './words.ts'

let at = ''
beforeEach(() => {
  at = mkdtempSync(join(tmpdir(), 'words-'))
  cpSync(join(root, 'locales'), join(at, 'locales'), {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  })
})
afterEach(() => rmSync(at, { recursive: true, force: true }))

const source = (language: string) => readFileSync(join(at, 'locales', `${language}.ts`), 'utf8')
const run = (...args: string[]) => words(given('words', ...args), at)
const lineWith = (language: string, text: string) =>
  source(language)
    .split('\n')
    .find((line) => line.includes(text))

test('[I18N-01] a new key is added to all languages, in its group, in English and marked', () => {
  run('add', 'done.painted', 'Painted “{what}”')
  expect(lineWith('en', 'done.painted')).toBe("  'done.painted': 'Painted “{what}”',")
  for (const language of languages.filter((each) => each !== 'en'))
    expect(lineWith(language, 'done.painted')).toBe("  'done.painted': 'Painted “{what}”', // untranslated")
  for (const language of languages) {
    const keys = [...source(language).matchAll(/^ {2}'?([\w.]+)'?:/gm)].map((match) => match[1] ?? '')
    expect(keys[keys.indexOf('done.painted') - 1]).toMatch(/^done\./)
    expect(keys.filter((key) => key.startsWith('done.')).at(-1)).toBe('done.painted')
  }
})

test('[I18N-01] the check names a language and a key until a translator has set it', () => {
  run('add', 'done.painted', 'Painted “{what}”')
  expect(run('check').split('\n')).toHaveLength(10)
  expect(run('check')).toContain("ru: 'done.painted' is untranslated.")
  run('set', 'done.painted', 'ru', 'Покрашено: {what}')
  expect(run('check')).not.toContain('ru:')
  expect(run('check').split('\n')).toHaveLength(9)
})

test('[I18N-01] changing the English text makes every translation outdated', () => {
  run('add', 'done.painted', 'Painted')
  run('set', 'done.painted', 'ru', 'Покрашено')
  run('set', 'done.painted', 'en', 'Painted blue')
  expect(lineWith('ru', 'done.painted')).toBe("  'done.painted': 'Покрашено', // outdated")
  expect(lineWith('th', 'done.painted')).toBe("  'done.painted': 'Painted blue', // untranslated")
  run('keep', 'done.painted', 'ru')
  expect(lineWith('ru', 'done.painted')).toBe("  'done.painted': 'Покрашено',")
})

test('[I18N-01] a translation that the new English text has no use for is replaced by it', () => {
  run('add', 'done.painted', 'Painted {what}')
  run('set', 'done.painted', 'ru', 'Покрашено: {what}')
  run('set', 'done.painted', 'en', 'Painted {what} in {color}')
  expect(lineWith('ru', 'done.painted')).toBe("  'done.painted': 'Painted {what} in {color}', // untranslated")
})

test('[I18N-01] open translations stop a release, which says how many they are', () => {
  for (const part of ['scripts', 'server/src/cli', 'server/src/lib', 'package.json', 'package-lock.json'])
    cpSync(join(root, part), join(at, part), { recursive: true })
  // Everything that is installed, so that nothing is installed here.
  for (const folder of ['contract', 'postgres', 'server', 'web']) mkdirSync(join(at, folder), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(at, 'node_modules'))
  run('add', 'done.painted', 'Painted')
  const release = spawnSync(process.execPath, [join(at, 'scripts/release.mjs')], { encoding: 'utf8' })
  expect(release.status).toBe(1)
  expect(release.stderr).toBe(
    'A release has every text in all languages. 10 translations are open: npm run words -- check\n',
  )
})

test('[I18N-01] all translations of a key are kept at once, and what was never translated still waits', () => {
  run('add', 'done.painted', 'Painted')
  run('set', 'done.painted', 'ru', 'Покрашено')
  run('set', 'done.painted', 'th', 'ทาสีแล้ว')
  run('set', 'done.painted', 'en', 'Painted blue')
  run('keep', 'done.painted')
  expect(run('check')).not.toContain('outdated')
  expect(run('check').split('\n')).toHaveLength(8)
})

test('[I18N-01] a plural has its forms, a long text its own line, and quotation marks stay', () => {
  run('add', 'done.rooms', '{n} rooms', '--one', '{n} room')
  expect(lineWith('en', 'done.rooms')).toBe("  'done.rooms': { one: '{n} room', other: '{n} rooms' },")
  const long = `It's ${'long '.repeat(30)}`
  run('add', 'done.long', long)
  expect(source('en')).toContain(`  'done.long':\n    "${long}",\n`)
  expect(source('bn')).toContain(`  'done.long':\n    "${long}", // untranslated\n`)
  run('set', 'done.long', 'bn', 'x')
  expect(lineWith('bn', 'done.long')).toBe("  'done.long': 'x',")
})

test('[I18N-02] a translated plural has the forms of its language, and the check names them', () => {
  run('add', 'done.rooms', '{n} rooms', '--one', '{n} room')
  const ru = 'npm run words -- set done.rooms ru "…" --one "…" --few "…" --many "…"'
  expect(run('check').split('\n')).toContain(`ru: 'done.rooms' is untranslated. ${ru}`)
  expect(() => run('set', 'done.rooms', 'ru', '{n} чата', '--one', '{n} чат')).toThrow(ru)
  expect(() => run('set', 'done.rooms', 'zh-TW', '{n} 個對話', '--one', '{n} 個對話')).toThrow('zh-TW "…"')
  expect(() => run('set', 'done.copied', 'ru', 'Скопировано: {link}', '--one', '{link}')).toThrow('do not fit ru')
  run('set', 'done.rooms', 'zh-TW', '{n} 個對話')
  expect(lineWith('zh-TW', 'done.rooms')).toBe("  'done.rooms': { other: '{n} 個對話' },")
  run('set', 'done.rooms', 'ru', '{n} чата', '--one', '{n} чат', '--few', '{n} чата', '--many', '{n} чатов')
  expect(run('check').split('\n')).toHaveLength(8)
})

test('[I18N-01] rename and remove change nothing else', () => {
  const before = languages.map(source)
  run('add', 'done.painted', 'Painted')
  run('rename', 'done.painted', 'done.drawn')
  expect(lineWith('ms', 'done.drawn')).toBe("  'done.drawn': 'Painted', // untranslated")
  expect(lineWith('ms', 'done.painted')).toBeUndefined()
  run('remove', 'done.drawn')
  expect(languages.map(source)).toEqual(before)
})

test('[I18N-02] invalid input is refused and nothing is written', () => {
  const before = languages.map(source)
  expect(() => run('add', 'success', 'Success')).toThrow("already has 'success'")
  expect(() => run('add', 'Not a key', 'x')).toThrow('is not a key')
  expect(() => run('set', 'done.copied', 'ru', 'Скопировано')).toThrow('needs {link}, and this text has none')
  expect(() => run('set', 'done.nothing', 'ru', 'x')).toThrow("no key 'done.nothing'")
  expect(() => run('set', 'success', 'fr', 'x')).toThrow('no locales/fr.ts')
  expect(() => run('set', 'success')).toThrow(
    'LANGUAGE is missing: such as zh-TW. Usage: npm run words -- set KEY LANGUAGE TEXT',
  )
  expect(languages.map(source)).toEqual(before)
})
