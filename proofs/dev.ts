import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import { findChromium, launchWith } from '../e2e/support/page/browser.ts'

// `npx tsx proofs/dev.ts [ROUNDS]`: how long after saving a file `npm run dev` shows the change. Edits sources of this
// working tree and puts them back; `git diff` shows nothing afterwards.
const ROUNDS = Number(process.argv[2] ?? 5)
const root = fileURLToPath(new URL('..', import.meta.url))
const PASSWORD = 'secret1'
const port = process.env.PORT ?? '3217'
const base = `http://localhost:${port}`

const say = (line: string) => process.stdout.write(`${line}\n`)

const originals = new Map<string, string>()
const edit = (path: string, change: (text: string) => string) => {
  const text = originals.get(path) ?? readFileSync(join(root, path), 'utf8')
  originals.set(path, text)
  const next = change(text)
  if (next === text) throw new Error(`nothing to change in ${path}: adapt proofs/dev.ts`)
  writeFileSync(join(root, path), next)
}
const putBack = () => {
  for (const [path, text] of originals) writeFileSync(join(root, path), text)
}
/** Gives an element of a component an attribute that the page then shows. */
const mark = (path: string, element: string, round: number) =>
  edit(path, (text) => text.replace(`<${element}`, `<${element} data-proof="${round}"`))

const dataDir = mkdtempSync(join(tmpdir(), 'dev-'))
const start = async (): Promise<ChildProcess> => {
  const server = spawn('npm', ['run', '--silent', 'dev'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: port, INSPECT_PORT: '9317', ADMIN_PASSWORD: PASSWORD },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const began = performance.now()
  for (let said = ''; !said.includes('Tallyroom is ready'); ) said += String((await once(server.stdout, 'data'))[0])
  server.stdout.on('data', (said) => process.stdout.write(said))
  say(`npm run dev answers after ${Math.round(performance.now() - began)} ms`)
  return server
}

const complaints: string[] = []
const missed: string[] = []
const times: Record<string, number[]> = {}
const time = async (what: string, save: () => void, seen: () => Promise<unknown>) => {
  // A developer does not save twice within a moment.
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const began = performance.now()
  save()
  // On a busy machine Vite's watcher may see only the moment when the file is empty: then a second save is needed.
  const timer = setTimeout(() => {
    missed.push(what)
    save()
  }, 10_000)
  await seen().finally(() => clearTimeout(timer))
  times[what] = [...(times[what] ?? []), Math.round(performance.now() - began)]
}
const shows = (page: Page, round: number) => () =>
  page.waitForSelector(`[data-proof="${round}"]`, { state: 'attached' })
const open = async (page: Page, what: string, path: string, ready: string) => {
  const began = performance.now()
  await page.goto(base + path)
  await page.waitForSelector(ready)
  say(`${what} is there after ${Math.round(performance.now() - began)} ms`)
}
/** Set in the page's window, and gone when it is loaded again. */
const stamp = (page: Page) => page.evaluate(() => Object.assign(window, { proof: true }) && undefined)
const isSame = (page: Page) => page.evaluate(() => 'proof' in window)

const server = await start()
process.once('exit', () => {
  putBack()
  if (server.pid && server.exitCode === null) process.kill(-server.pid, 'SIGTERM')
})
const browser = await chromium.launch(launchWith(await findChromium()))
try {
  const page = await browser.newPage()
  page.on('console', (line) => {
    if (line.type() === 'error') complaints.push(line.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))

  await open(page, 'login (React, first time)', '/login', 'input[type=password]')
  await page.locator('input').first().fill('admin')
  await stamp(page)
  for (let round = 1; round <= ROUNDS; round++)
    await time(
      'login page: a component',
      () => mark('web/src/features/session/sign-in.tsx', 'h1', round),
      shows(page, round),
    )
  const kept = await page.locator('input').first().inputValue()
  say(`login page: loaded again ${!(await isSame(page))}, typed text is "${kept}"`)

  await page.locator('input[type=password]').fill(PASSWORD)
  const began = performance.now()
  await page.locator('input[type=password]').press('Enter')
  await page.waitForURL('**/index', { timeout: 120_000 })
  await page.waitForSelector('header', { timeout: 120_000 })
  say(`office (first time) is there after ${Math.round(performance.now() - began)} ms`)
  // Vite may load the page again when it has found one more package.
  await page.waitForTimeout(3000)
  await open(page, 'office (second time)', '/index', 'header')
  await stamp(page)
  for (let round = 1; round <= ROUNDS; round++)
    await time('office: a component', () => mark('web/src/app/shell/shell.tsx', 'main', round), shows(page, round))
  say(`office: loaded again ${!(await isSame(page))}`)
  for (let round = 1; round <= ROUNDS; round++)
    await time(
      'office: a style',
      () => edit('web/src/theme/base.css', (text) => `${text}:root { --proof: ${round} }\n`),
      () =>
        page.waitForFunction(
          (wanted) => getComputedStyle(document.documentElement).getPropertyValue('--proof') === String(wanted),
          round,
        ),
    )
  for (let round = 1; round <= ROUNDS; round++)
    await time(
      'server: a handler',
      () => edit('server/src/http/app.ts', (text) => text.replace('{ ok: true }', `{ ok: true, proof: ${round} }`)),
      async () => {
        for (;;) {
          const answer = (await (await fetch(`${base}/healthz`)).json()) as { proof?: number }
          if (answer.proof === round) return
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      },
    )
  await open(page, 'member page (first time)', '/m', 'input[type=password]')
  const worker = await (await fetch(`${base}/sw.js`)).text()
  say(`service worker: ${worker.includes('"version":"dev"') ? 'served' : 'missing'}`)
} finally {
  if (complaints.length > 0) say(`The console said:\n${complaints.join('\n')}`)
  putBack()
  await browser.close()
  if (server.pid) process.kill(-server.pid, 'SIGINT')
  await once(server, 'exit')
  rmSync(dataDir, { recursive: true, force: true })
}

const median = (of: number[]) => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)]
for (const [what, of] of Object.entries(times)) say(`${what}: median ${median(of)} ms, all ${of.join(' ')}`)
say(`Saved twice: ${missed.join(', ') || 'never'}`)
if (complaints.length === 0) say('The console was quiet.')
