import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

// RUN-11: `npx vitest run --config proofs/vitest.config.ts release` after `npm run release`. As root it runs the server as
// `nobody`, who may not write where the release is.

const root = fileURLToPath(new URL('..', import.meta.url))
const NOBODY = 65_534
const folder = mkdtempSync(join(tmpdir(), 'tallyroom-release-'))
const data = join(folder, 'data')
afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true, force: true })
})

const unpack = () => {
  const archive = readdirSync(join(root, 'release')).find((name) => name.endsWith('.tar.gz'))
  if (!archive) throw new Error('Make the archive first: npm run release')
  execFileSync('tar', ['-xzf', join(root, 'release', archive), '-C', folder])
  execFileSync('chmod', ['-R', 'a-w', folder])
  chmodSync(folder, 0o755)
  mkdirSync(data)
  if (userInfo().uid === 0) chownSync(data, NOBODY, NOBODY)
  return join(folder, archive.replace('.tar.gz', ''), 'tallyroom')
}

/** Nothing but Node: no compiler, no npm, no shell of ours. */
const options = () => ({
  cwd: data,
  env: { PATH: process.env.PATH, DATA_DIR: data, PORT: '0', HOST: '127.0.0.1', ADMIN_PASSWORD: 'release-Passw0rd' },
  ...(userInfo().uid === 0 ? { uid: NOBODY, gid: NOBODY } : {}),
})

const start = async (program: string) => {
  const began = performance.now()
  const child = spawn(program, [], options())
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      output += String(chunk)
      const found = /is ready at (\S+)/.exec(output)?.[1]
      if (found) resolve(found)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('exit', () => reject(new Error(output)))
  })
  const seconds = (performance.now() - began) / 1000
  const stop = () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    return ended
  }
  return { url, seconds, stop }
}

test('[RUN-11] a release starts on a read-only directory, as another user, with Node alone', async () => {
  const program = unpack()
  const first = await start(program)
  const page = await fetch(first.url)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>')])
  expect(await first.stop()).toBe(0)
  const second = await start(program)
  expect(execFileSync(program, ['migrate'], { ...options(), encoding: 'utf8' })).toBe('The database is up to date.\n')
  expect(() => execFileSync(program, ['nonsense'], { ...options(), stdio: 'pipe' })).toThrow(
    'There is no command "nonsense".',
  )
  process.stdout.write(`First start ${first.seconds.toFixed(1)} s, with a database ${second.seconds.toFixed(1)} s\n`)
  expect(await second.stop()).toBe(0)
}, 120_000)
