import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Bodies of a component, and whether a translated page would break at its text. */
const cases = [
  ["if (a) return t('x')\nreturn <b />", true],
  ["return a ? <b /> : t('x')", true],
  ["return <p>{a && t('x')} <b /></p>", true],
  ["return <p>{a && <b />} {t('x')}</p>", true],
  ['return <p>{a && <b />}{row.name}</p>', true],
  ['return <>{a && `${b}`}</>', true],
  ["return <p>{a ? t('x') : t('y')} <b /></p>", false],
  ["return <p>{a ? t('x') : <b />}</p>", false],
  ["return <p>{t('x')} {a && <b />}</p>", false],
  ["return <p>{a && <b />} <span>{t('x')}</span></p>", false],
] as const

test('[TEXT-03] the linter finds a text that a translated page would break at, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallyroom-lint-'))
  cases.forEach(([body], at) =>
    writeFileSync(join(folder, `case-${at}.tsx`), `export const Part = ({ a, b, t, row }) => {\n${body}\n}\n`),
  )
  const plugin = join(root, 'scripts/lint/plugin.mjs')
  const rules = { 'tallyroom/text-in-turns': 'error' }
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ jsPlugins: [plugin], categories: {}, rules }))
  const linter = join(root, 'node_modules/oxlint/bin/oxlint')
  const { stdout } = spawnSync(process.execPath, [linter, '-c', join(folder, 'config.json'), folder], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  const found = cases.map(([body], at) => [
    body,
    new RegExp(`text-in-turns\\)[^\\n]*\\n[^\\n]*case-${at}\\.tsx`).test(stdout),
  ])
  expect(found).toEqual(cases.map((one) => [...one]))
})
