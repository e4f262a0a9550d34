import { execFile, spawn } from 'node:child_process'
import { apiRights } from '@tallyroom/contract/api/rights'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { ContactStatus, MessageType, Role, RoomStatus } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import pg from 'pg'
import { connectionOf } from '../bench/lib/server.ts'
import { signIn, signUp } from '../e2e/support/client.ts'
import { startServer } from '../e2e/support/server.ts'
import { buildServer } from '../scripts/build.mjs'
import { type Sample, startPlainProxy } from './plain-proxy.ts'

// [S26]: `npx tsx proofs/injection.ts [--level 2] [--only WORD] [--skip-wapiti]`. Needs Debian's sqlmap and wapiti.
const { values } = parseArgs({
  options: {
    level: { type: 'string', default: '2' },
    risk: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    'skip-wapiti': { type: 'boolean', default: false },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const work = mkdtempSync(join(tmpdir(), 'tallyroom-scan-'))
const run = promisify(execFile)

await buildServer()
const server = await startServer()
const admin = await signIn(server.url, 'admin', server.password)
const { share_code } = await admin.call('user/view', {})
const member = await signUp(server.url, share_code, 'scanned')
const code = (await member.call('room/list', {})).data[0]?.code ?? ''
const { room } = await admin.call('room/enter', { code })
await admin.call('sendMessage', { code, type: MessageType.text, content: 'hello there', request_id: randomUUID() })
const { stdout } = await run(
  process.execPath,
  [
    fileURLToPath(new URL('../server/dist/api-key.js', import.meta.url)),
    'add',
    'admin',
    'scan',
    '--rights',
    apiRights.join(),
  ],
  { env: { ...process.env, DATA_DIR: server.dataDir, DATABASE_URL: '' } },
)
const apiKey = { id: /Key: (\S+)/.exec(stdout)?.[1] ?? '', secret: /once\): (\S+)/.exec(stdout)?.[1] ?? '' }

/** In UTC, the server's time zone here. */
const day = (from: number) => `${new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10)} 00:00:00`
const times = { start_time: day(-20), end_time: day(1) }
/** Calls with free text, and some with numbers and times that end in a query. */
const samples: Record<string, Sample> = {
  'call/user/list': { username: 'adm', nickname: '', role_id: Role.agent, page: 1 },
  'call/friend/list': { username: 'scan', fuzzy: 1, status: ContactStatus.listed, page: 1 },
  'call/search/messages': { text: 'hello' },
  'call/search/accounts': { text: 'adm' },
  'call/search/notes': { text: 'hello' },
  'call/note/list': { room_id: room.room_id, page: 1 },
  'call/note/add': { room_id: room.room_id, title: 'a title' },
  'call/room/history': { code, per_page: 10 },
  'call/room/list': { status: RoomStatus.shown, since: '1' },
  'call/sendMessage': { code, type: MessageType.text, content: 'hello' },
  'call/transaction/list': { username: 'scanned', ...times, page: 1 },
  'call/audit/list': { actor: 'adm', target: '', page: 1 },
  'call/login': { username: 'admin', password: 'wrong' },
  'member-api/balance/list': { usernames: ['scanned'] },
  'member-api/transfer/list': { username: 'scanned', ...times },
}
const proxy = await startPlainProxy({ server: server.url, token: admin.token ?? '', apiKey, samples })

/** A planted injection that the scanner must find: the text goes into the query unescaped. */
const planted = createServer((asked, answer) => {
  const name = new URL(asked.url ?? '/', 'http://planted').searchParams.get('username') ?? ''
  const client = new pg.Client(connectionOf(server.dataDir).connection)
  client
    .connect()
    .then(() => client.query(`select username from accounts where username like '%${name}%'`))
    .then(({ rows }) => answer.end(JSON.stringify({ code: OK, data: rows })))
    .catch((error: Error) => answer.writeHead(500).end(error.message))
    .finally(() => void client.end())
})
await new Promise<void>((resolve) => planted.listen(0, '127.0.0.1', resolve))
const plantedAddress = planted.address()
const plantedUrl = `http://127.0.0.1:${typeof plantedAddress === 'object' && plantedAddress ? plantedAddress.port : 0}/?username=adm`

/** The scanner's output, also when it fails. */
const output = (program: string, args: string[]): Promise<string> =>
  new Promise((resolve) => {
    let said = ''
    const child = spawn(program, args, { cwd: work, stdio: ['ignore', 'pipe', 'pipe'] })
    const take = (part: Buffer) => (said += part.toString())
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('error', (error) => resolve(`could not run: ${error.message}`))
    child.once('close', () => resolve(said))
  })

const sqlmap = async (url: string): Promise<'found' | 'nothing' | 'not run'> => {
  const query = [
    '-u',
    url,
    '--batch',
    '--flush-session',
    '--disable-coloring',
    '--dbms',
    'PostgreSQL',
    '--output-dir',
    work,
  ]
  // 4xx of our server are normal answers.
  const said = await output('sqlmap', [
    ...query,
    '--level',
    values.level,
    '--risk',
    values.risk,
    '--ignore-code',
    '401,429,500,503',
  ])
  if (/identified the following injection point/.test(said)) return 'found'
  if (/do not appear to be injectable|does not seem to be injectable/.test(said)) return 'nothing'
  say(said.split('\n').slice(-12).join('\n'))
  return 'not run'
}

const bad: string[] = []
try {
  const control = await sqlmap(plantedUrl)
  say(`sqlmap, the planted one: ${control}`)
  if (control !== 'found') bad.push('sqlmap does not find what was planted')
  for (const [path, sample] of Object.entries(samples)) {
    if (!path.includes(values.only)) continue
    const query = new URLSearchParams(Object.entries(sample).map(([name, value]) => [name, String(value)]))
    const began = performance.now()
    const found = await sqlmap(`${proxy.url}/${path}?${query.toString()}`)
    say(
      `sqlmap ${path} (${Object.keys(sample).join(', ')}): ${found}, ${Math.round((performance.now() - began) / 1000)} s`,
    )
    if (found !== 'nothing') bad.push(`${path}: ${found}`)
  }
  if (!values['skip-wapiti']) {
    const report = join(work, 'wapiti.json')
    const modules =
      'sql,timesql,xss,permanentxss,exec,file,crlf,redirect,ssrf,xxe,csp,http_headers,cookieflags,backup,htaccess'
    const said = await output('wapiti', [
      '-u',
      `${proxy.url}/`,
      '-m',
      modules,
      '-f',
      'json',
      '-o',
      report,
      '--flush-session',
      '--store-session',
      work,
    ])
    if (!existsSync(report)) {
      say(said.split('\n').slice(-20).join('\n'))
      bad.push('wapiti left no report')
    } else {
      type Report = {
        vulnerabilities: Record<string, { level: number; info: string; path: string; parameter: string }[]>
      }
      const { vulnerabilities } = JSON.parse(readFileSync(report, 'utf8')) as Report
      const all = Object.entries(vulnerabilities).flatMap(([kind, found]) => found.map((one) => ({ kind, ...one })))
      // 1 low, 2 medium, 3 high, 4 critical.
      for (const { kind, level, path, parameter, info } of all)
        say(`wapiti ${level} ${kind} ${path} ${parameter}: ${info}`)
      say(`wapiti: ${all.length} findings, ${all.filter(({ level }) => level >= 2).length} of them medium or high`)
      bad.push(...all.filter(({ level }) => level >= 2).map(({ kind, path }) => `wapiti: ${kind} ${path}`))
    }
  }
  for (const [what, count] of Object.entries(proxy.codes).toSorted(([a], [b]) => a.localeCompare(b)))
    say(`  ${what}: ${count}`)
  const failed = Object.keys(proxy.codes).filter((what) => / (1500|HTTP 5\d\d)$/.test(what))
  if (failed.length) bad.push(`the server failed at ${failed.join(', ')}`)
  say(bad.length ? `✗ ${bad.join('; ')}` : '✓ nothing of high or medium')
  if (bad.length) process.exitCode = 1
} finally {
  proxy.close()
  planted.close()
  await server.remove()
  rmSync(work, { recursive: true, force: true })
}
