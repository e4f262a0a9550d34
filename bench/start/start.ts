import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from '../../e2e/support/server.ts'
import { build } from '../../scripts/build.mjs'
import { connect, one, sql } from '../../server/src/data/sql.ts'
import { openBrowser } from '../lib/browser.ts'
import { describeMachine } from '../lib/machine.ts'
import { report } from '../lib/report.ts'
import { alternate } from '../lib/rounds.ts'
import { clearAwayAtExit, connectionOf } from '../lib/server.ts'
import { medians } from '../lib/stats.ts'
import { loaded } from './scripts.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'tallyroom-bench-'))

// The first start builds and creates everything, so that the timed starts find it.
await build()
clearAwayAtExit(dataDir)
const server = await startServer({ dataDir })
const db = connect({ ...connectionOf(dataDir).connection, max: 1 })
const facts = await one<{ postgres: string; code: string }>(
  db,
  sql`select current_setting('server_version') as postgres, share_code as code from accounts where role_id = 1`,
)
await db.end()
if (!facts) throw new Error('There is no top account.')
const browser = await openBrowser()
const pages = {
  'sign-in page': await loaded(browser, `${server.url}/login`),
  "member's page, signing up": await loaded(browser, `${server.url}/Signup/${facts.code}`),
  "member's page, signing in": await loaded(browser, `${server.url}/m`),
}
await browser.close()
await server.stop()

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => (child.exitCode === null ? child.once('exit', () => resolve()) : resolve()))

/** Milliseconds from the command to its ready line. The process group is then stopped as by Ctrl-C. */
const timed =
  (command: string, args: string[], more: Record<string, string> = {}) =>
  async () => {
    const began = performance.now()
    const child = spawn(command, args, {
      cwd: root,
      detached: true,
      env: { ...process.env, PORT: '0', DATA_DIR: dataDir, DATABASE_URL: '', NODE_ENV: 'production', ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    const ms = await new Promise<number>((resolve, reject) => {
      const listen = (chunk: string) => {
        said += chunk
        if (/is ready at/.test(said)) resolve(performance.now() - began)
      }
      child.stdout.setEncoding('utf8').on('data', listen)
      child.stderr.setEncoding('utf8').on('data', listen)
      child.once('exit', (code) => reject(new Error(`${command} ended (${code}):\n${said}`)))
    })
    process.kill(-(child.pid ?? 0), 'SIGINT')
    await ended(child)
    return { ms }
  }

const bare = `require('node:http').createServer().listen(0, () => console.log('is ready at'))`
const starts = await alternate({
  npm: timed('npm', ['start']),
  node: timed(process.execPath, ['server/dist/main.js']),
  // Nobody listens there: only the packages are loaded.
  traced: timed(process.execPath, ['server/dist/main.js'], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }),
  bareNpm: timed('npm', ['exec', '--offline', '-c', `node -e "${bare}"`]),
  bareNode: timed(process.execPath, ['-e', bare]),
})

const ms = (name: keyof typeof starts) => medians(starts[name]).ms
const kb = (bytes: number) => bytes / 1000
const row = (name: keyof typeof pages) => {
  const { count, raw, gzip, wire, sheets } = pages[name]
  return [name, count, kb(raw), kb(gzip), kb(wire), kb(sheets)]
}

report({
  name: 'start',
  title: 'Start: the second start, and what a page loads',
  machine: describeMachine(facts.postgres),
  tables: [
    {
      caption: 'From the command to its ready line, on data that is there',
      rows: [
        ['', 'ms'],
        ['npm start', ms('npm')],
        ['node server/dist/main.js', ms('node')],
        ['the same, with traces', ms('traced')],
        ['npm that starts a bare node:http server', ms('bareNpm')],
        ['a bare node:http server', ms('bareNode')],
      ],
    },
    {
      caption: 'Script that a page loads in Chromium at the first visit, in KB of 1,000 bytes',
      rows: [
        ['', 'files', 'raw', 'gzip', 'as it came', 'sheets, gzip'],
        row('sign-in page'),
        row("member's page, signing up"),
        row("member's page, signing in"),
      ],
    },
  ],
  ratios: [
    { what: 'npm start / npm with a bare server', value: ms('npm') / ms('bareNpm') },
    { what: 'node server/dist/main.js / a bare server', value: ms('node') / ms('bareNode') },
    { what: 'with traces / without', value: ms('traced') / ms('node') },
    { what: 'sign-in page: KB of script by gzip', value: kb(pages['sign-in page'].gzip), aim: { most: 100 } },
    {
      what: "member's page: KB of script by gzip",
      value: kb(pages["member's page, signing up"].gzip),
      aim: { most: 120 },
    },
  ],
  notes: [
    'Ready means: PostgreSQL started, migrations compared, port open. `npm start` also looks whether everything is installed and built. The database had been stopped in order.',
  ],
  rounds: { starts, pages },
})
