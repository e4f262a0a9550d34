import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Lines of a test, and whether a bare number stands for a code in them. */
const cases = [
  ['server.person({ role: 2 })', true],
  ['ask({ type: many ? 1 : Type.two })', true],
  ['list({ statuses: [1] })', true],
  ['const one = (type = 1) => type', true],
  ['for (const type of [1, 2] as const) ask(type)', true],
  ['rows.filter(({ type }) => type === 1)', true],
  ['const part = <Part role={2} />', true],
  ['expect((await ask()).code).toBe(1404)', true],
  ['expect(codes).toEqual([OK, 9998])', true],
  ['const done = reply.code === 1000', true],
  ['fulfill({ json: { code: 1500 } })', true],
  ['server.person({ role: Role.agent })', false],
  ['ask({ type: TransferKind.send, amount: 1 })', false],
  ['expect(answer).toMatchObject({ status: 404 })', false],
  ['await pause(1000 + 1500)', false],
  ["expect(await ask()).toBeRefusal('account.not_found')", false],
  ['const done = reply.code === OK', false],
] as const

test('[CODE-02] the linter finds a bare number that stands for a code in a test, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallyroom-lint-'))
  cases.forEach(([line], at) => writeFileSync(join(folder, `case-${at}.tsx`), `export {}\n${line}\n`))
  const plugin = join(root, 'scripts/lint/plugin.mjs')
  const rules = { 'tallyroom/named-codes': 'error' }
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ jsPlugins: [plugin], categories: {}, rules }))
  const linter = join(root, 'node_modules/oxlint/bin/oxlint')
  const { stdout } = spawnSync(process.execPath, [linter, '-c', join(folder, 'config.json'), folder], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  const found = cases.map(([line], at) => [
    line,
    new RegExp(`named-codes\\)[^\\n]*\\n[^\\n]*case-${at}\\.tsx`).test(stdout),
  ])
  expect(found).toEqual(cases.map((one) => [...one]))
})
