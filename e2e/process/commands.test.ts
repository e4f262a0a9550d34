import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/shell.mjs'
import { type Form, table } from '../../server/src/cli/table.mjs'
import { isLong } from '../support/long.ts'
import { startServer } from '../support/server.ts'

/** Has a stopped installation, a working directory, a temporary directory and a release. */
const folder = mkdtempSync(join(tmpdir(), 'tallyroom-commands-'))
const [dataDir, work, temporary, release] = ['data', 'work', 'tmp', 'release'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
  string,
]

beforeAll(async () => {
  for (const directory of [dataDir, work, temporary, join(release, 'server')]) mkdirSync(directory, { recursive: true })
  symlinkSync(join(root, 'server/dist'), join(release, 'server/dist'))
  copyFileSync(join(root, 'deploy/tallyroom'), join(release, 'tallyroom'))
  chmodSync(join(release, 'tallyroom'), 0o755)
  const server = await startServer({ dataDir })
  await server.stop()
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Every file below the place, with size and time. A command that opened the database would change some of it. */
const everyFile = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name))
      return `${name} ${size} ${mtimeMs}`
    })
const repository = () => execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })

type Outcome = { code: number; text: string }
const run = (program: string, words: string[], settings: Record<string, string> = {}) =>
  new Promise<Outcome>((resolve) => {
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir, TMPDIR: temporary, PORT: '0', ...settings }
    execFile(program, words, { cwd: work, env, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? -1) : 0, text: stdout + stderr })
    })
  })
const inClone = (words: string[], settings?: Record<string, string>) =>
  run(process.execPath, [join(root, 'scripts/run.mjs'), ...words], settings)
const inRelease = (words: string[], settings?: Record<string, string>) =>
  run(join(release, 'tallyroom'), words, settings)

/** Words that the command takes, so that only what follows them is wrong. */
const fitting = ({ words = [] }: Form) =>
  words.flatMap(({ name, isRepeated, example }) => {
    if (isRepeated) return []
    if (name === 'KIND') return ['agent']
    return [example?.replace('…', '') ?? (name === 'NAME' ? 'admin' : 'one')]
  })

/** Each command, and each of its commands: what is typed, and the words that it takes. */
const forms = Object.entries(table).flatMap(([name, command]) => [
  { typed: [name], form: command, program: command.program, isStrict: !command.passesOn },
  ...Object.entries(command.commands ?? {}).map(([sub, form]) => ({
    typed: [name, sub],
    form,
    program: command.program,
    isStrict: true,
  })),
])

const tryAll = async (wanted: typeof forms, runs: (words: string[]) => Promise<Outcome>) => {
  const wrong: string[] = []
  for (const { typed, form, isStrict } of wanted) {
    const tries = [[...typed, '--help']]
    if (isStrict) {
      tries.push([...typed, '--nonsense'], [...typed, ...fitting(form), '--nonsense'])
      tries.push([...typed, ...fitting(form), 'stray'])
    }
    const outcomes = await Promise.all(tries.map(async (words) => ({ words, ...(await runs(words)) })))
    for (const { words, code, text } of outcomes) {
      const expected = words.includes('--help') ? 0 : 2
      const says = words.includes('--help') ? '--help' : words.includes('stray') ? 'stray' : '--nonsense'
      if (code !== expected || !text.includes(says)) wrong.push(`${words.join(' ')}: ${code} ${text}`)
    }
  }
  return wrong
}

test('[RUN-12] no command acts when it is asked for help, or given an option or a word that it does not know', async () => {
  const [files, sources] = [everyFile(), repository()]
  expect(forms.length).toBeGreaterThan(50)
  // Both read one table; a clone needs half a second more for each word, so the long run tries all there too.
  const ofClone = isLong ? forms : forms.filter(({ program }) => !program)
  expect(await tryAll(ofClone, inClone)).toEqual([])
  expect(
    await tryAll(
      forms.filter(({ program }) => program),
      inRelease,
    ),
  ).toEqual([])
  for (const { typed, program } of forms)
    if (typed.length === 1 && program) {
      const { code, text } = await run(process.execPath, [join(root, `server/dist/${program}.js`), '--nonsense'])
      expect([typed, code, text]).toEqual([typed, 2, expect.stringContaining('--nonsense')])
    }
  for (const runs of [inClone, inRelease])
    for (const [words, code] of [
      [['--help'], 0],
      [['help'], 0],
      [['--version'], 0],
      [['account', '--version'], 0],
      [['nonsense'], 2],
      [['backup', ''], 2],
      [['backup', '—help'], 2],
      [['api-key', 'add', 'admin', '–only-webhooks'], 2],
      [['account', 'password', '−−password=x'], 2],
      [['account', 'add', 'agent', 'bobby', '--undr', 'admin', '--credti', '500'], 2],
    ] as [string[], number][])
      expect([words, (await runs(words)).code]).toEqual([words, code])
  expect(everyFile()).toEqual(files)
  expect(repository()).toBe(sources)
}, 240_000)

test('[RUN-12] a command that only looks at the database already changes files there', async () => {
  const files = everyFile()
  expect(await inRelease(['doctor', '--quick'])).toMatchObject({ text: expect.stringContaining('✓') })
  expect(everyFile()).not.toEqual(files)
})

test('[RUN-12] a command in a directory without an installation says so, and makes no database there', async () => {
  for (const words of [['doctor'], ['account', 'password', 'admin'], ['migrate'], ['backup', 'copy']]) {
    const { code, text } = await inRelease(words, { DATA_DIR: '' })
    expect([words, code, text]).toEqual([
      words,
      1,
      expect.stringMatching(/^There is no database in .*\. Set DATA_DIR /),
    ])
  }
  expect(readdirSync(work)).toEqual([])
})

test('[RUN-12] a command whose output nobody reads any more ends without a stack', async () => {
  const line = `"${release}/tallyroom" doctor --quick | true`
  expect(await run('sh', ['-c', line])).toEqual({ code: 0, text: '' })
})

test('[RUN-12] what a program would read comes as JSON, with the same exit code', async () => {
  const { code, text } = await inRelease(['doctor', '--quick', '--json'])
  const found = JSON.parse(text) as { state: string; found: string }[]
  expect(found).toContainEqual({ state: 'fine', found: expect.stringContaining('PostgreSQL') })
  expect(code).toBe(found.some(({ state }) => state === 'wrong') ? 1 : 0)
  const rules = await inRelease(['ledger:check', '--json'])
  expect(rules.code).toBe(0)
  expect(JSON.parse(rules.text)).toContainEqual({ rule: 'sum_zero', breaches: [] })
}, 60_000)

test('[RUN-12] the wrong word is answered with the right one, as it is typed there', async () => {
  expect((await inRelease(['acount', 'list'])).text).toContain(`Did you mean ${release}/tallyroom account?`)
  expect((await inClone(['account', 'lsit'])).text).toContain('Did you mean npm run account -- list?')
  expect((await inClone(['account', 'add', 'agent', 'bobby', '--credti', '500'])).text).toBe(
    'npm run account -- add has no option --credti. Did you mean --credit? See npm run account -- add --help\n',
  )
  expect((await inClone(['api-key', 'add', 'admin', '–only-webhooks'])).text).toBe(
    '–only-webhooks begins with a dash. Options begin with two hyphens: --only-webhooks. See npm run api-key -- add --help\n',
  )
})

test('[RUN-12] every command reads .env of the working directory, and a variable that is set goes first', async () => {
  const file = join(work, '.env')
  writeFileSync(file, '# a comment\nLOG_LEVEL=loud\n')
  try {
    for (const runs of [inClone, inRelease]) {
      expect((await runs(['doctor', '--quick'])).text).toContain('LOG_LEVEL is "loud", but must be one of')
      expect((await runs(['doctor', '--quick'], { LOG_LEVEL: 'quiet' })).text).toContain('LOG_LEVEL is "quiet"')
    }
  } finally {
    rmSync(file)
  }
})
