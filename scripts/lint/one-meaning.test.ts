import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { wrongMeaning } from './one-meaning.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Code, and whether it declares a name with another meaning. */
const cases = [
  ['const held = 1', true],
  ['const sizeOf = (place: number) => place', true],
  ['const [lane] = []', true],
  ['const { row: seat } = {}', true],
  ['type AbilityChange = string', true],
  ['const order = { lockRequests: 1 }', true],
  ['type Row = { heldUntil: string }', true],
  ['const text = "held in place"', false],
  ['const answer = { held: 1, requests: 2, held_until: 3 }', false],
  ['const more = answer.heldUntil', false],
  ['const placeholder = turnover + replaced', false],
  ['const cashRequests = 1', false],
  ['const onChange = () => change', false],
  ['const show = (change: RoomChange) => change.code', false],
] as const

test('the linter finds a declared name that gives a word a second meaning, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallyroom-lint-'))
  cases.forEach(([code], at) => writeFileSync(join(folder, `case-${at}.ts`), `${code}\n`))
  const plugin = join(root, 'scripts/lint/plugin.mjs')
  const rules = { 'tallyroom/one-meaning': 'error' }
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ jsPlugins: [plugin], categories: {}, rules }))
  const linter = join(root, 'node_modules/oxlint/bin/oxlint')
  const { stdout } = spawnSync(process.execPath, [linter, '-c', join(folder, 'config.json'), folder], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  const found = cases.map(([code], at) => [
    code,
    new RegExp(`one-meaning\\)[^\\n]*\\n[^\\n]*case-${at}\\.ts`).test(stdout),
  ])
  expect(found).toEqual(cases.map((one) => [...one]))
})

test('a word is in the files of its meaning, and says elsewhere what to write', () => {
  expect(wrongMeaning('server/src/ledger/rules/rules-approval.ts', 'heldSides')).toBeUndefined()
  expect(wrongMeaning('server/src/identity/rights.ts', 'heldRights')).toMatch(/points that wait.*lockedWallets/)
  expect(wrongMeaning('server/src/http/app.ts', 'request')).toBeUndefined()
  expect(wrongMeaning('server/src/ledger/engine/batch.ts', 'requests')).toMatch(/an HTTP request.*cashRequest/)
})
