import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { programOf, root } from '../shell.mjs'

// Formats and lints staged files. `git commit --no-verify` skips it; `npm run check` checks everything.
const run = (program, args) => spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 })
const names = (...args) => {
  const { status, stdout } = run('git', args)
  if (status !== 0) process.exit(1)
  return stdout.split('\0').filter((name) => name !== '')
}
const staged = names('diff', '--cached', '--name-only', '--diff-filter=ACMR', '-z')
/** Staging the whole file would commit more of it than was staged. */
const partly = new Set(names('diff', '--name-only', '-z'))

const tool = (name, args, files, program) => {
  if (files.length === 0) return true
  const { status, stdout, stderr } = run(process.execPath, [programOf(name, program), ...args, ...files])
  if (status !== 0) process.stderr.write(`${stdout}${stderr}`)
  return status === 0
}
const format = (args, files) =>
  tool(
    '@biomejs/biome',
    [
      'format',
      ...args,
      '--no-errors-on-unmatched',
      `--config-path=${root}`,
      '--vcs-enabled=false',
      '--log-level=error',
    ],
    files,
    'biome',
  )

const whole = staged.filter((name) => !partly.has(name))
const formatted =
  format(['--write'], whole) &&
  format(
    [],
    staged.filter((name) => partly.has(name)),
  )
if (whole.length > 0) run('git', ['add', '--', ...whole])
const code = staged.filter((name) => /\.(ts|tsx|mjs|js)$/.test(name))
const linted = tool('oxlint', ['--config', join(root, '.oxlintrc.json'), '--no-error-on-unmatched-pattern'], code)
if (!formatted || !linted) {
  process.stderr.write('Not committed. Repair it, stage it and commit again (`npm run format` formats everything).\n')
  process.exitCode = 1
}
