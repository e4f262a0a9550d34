import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Which of the texts, each a file of its own, a rule of our linter finds fault with. */
export const faulty = (rule: string, texts: readonly string[]): boolean[] => {
  const folder = mkdtempSync(join(tmpdir(), 'tallyroom-lint-'))
  texts.forEach((text, at) => writeFileSync(join(folder, `case-${at}.tsx`), text))
  const plugin = join(root, 'scripts/lint/plugin.mjs')
  const config = { jsPlugins: [plugin], categories: {}, rules: { [`tallyroom/${rule}`]: 'error' } }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  const linter = join(root, 'node_modules/oxlint/bin/oxlint')
  const options = ['-c', join(folder, 'config.json'), folder]
  const { stdout } = spawnSync(process.execPath, [linter, ...options], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return texts.map((_, at) => new RegExp(`${rule}\\)[^\\n]*\\n[^\\n]*case-${at}\\.tsx`).test(stdout))
}
