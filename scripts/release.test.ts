import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { table } from '../server/src/cli/table.mjs'
import { packClient, serverBuild } from './build.mjs'
import { noticesOf } from './notices.mjs'
import { notePictures, oldPictures } from './pictures-state.mjs'
import { releaseCommands, releaseManifest } from './release-manifest.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'tallyroom-release-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A release whose programs print how they were started. */
const program = async () => {
  const dist = join(folder, 'server/dist')
  mkdirSync(dist, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify(releaseManifest(manifest)))
  const print = 'console.log(import.meta.url.split("/").pop(), ...process.argv.slice(2), process.env.TALLYROOM_PROGRAM)'
  const names = ['main', 'database', ...releaseCommands.map((name) => table[name]?.program ?? '')]
  for (const name of names) writeFileSync(join(dist, `${name}.js`), print)
  const settings = serverBuild() as BuildOptions
  await build({ ...settings, entryPoints: ['server/src/cli/tallyroom.ts'], outdir: dist })
  copyFileSync(join(root, 'deploy/tallyroom'), join(folder, 'tallyroom'))
  return join(folder, 'tallyroom')
}

test('[RUN-11] the program of a release runs each command under the name that npm run has for it', async () => {
  const path = await program()
  const run = (...words: string[]) => spawnSync(path, words, { encoding: 'utf8' })
  expect(run().stdout.trim()).toBe(`main.js ${path}`)
  expect(run('--demo').stdout.trim()).toBe(`main.js --demo ${path}`)
  for (const name of ['migrate', 'ledger:check', 'doctor'])
    expect(run(name).stdout.trim()).toBe(`${name.replace(':', '-')}.js ${path}`)
  const helped = spawnSync(path, ['doctor'], {
    encoding: 'utf8',
    env: { ...process.env, TALLYROOM_PROGRAM: 'tallyroom-do' },
  })
  expect(helped.stdout.trim()).toBe('doctor.js tallyroom-do')
  expect(run('backup', 'a b', '--').stdout.trim()).toBe(`backup.js a b -- ${path}`)
  const { status, stdout } = run('help')
  expect(status).toBe(0)
  for (const name of ['start', ...releaseCommands]) expect(stdout).toContain(`\n  ${name} `)
  expect(stdout).not.toContain('bench:')
  expect(run('--version').stdout).toMatch(/^Tallyroom \d+\.\d+\.\d+, Node \d/)
  // The first is a part of the others, and the second only in a clone.
  for (const name of ['archive-file', 'seed']) {
    const unknown = run(name)
    expect(unknown).toMatchObject({ status: 2, stdout: '' })
    expect(unknown.stderr).toMatch(new RegExp(`^There is no command "${name}"\\..* doctor, ledger:check`))
  }
})

test('[RUN-11] an archive is made for a processor that has one, and for no other', () => {
  const program = join(root, 'scripts/release.mjs')
  const { status, stderr } = spawnSync(process.execPath, [program, '--arch', 'mips'], { encoding: 'utf8' })
  expect({ status, stderr: stderr.trim() }).toEqual({ status: 1, stderr: '--arch is one of x64, arm64, not mips.' })
})

test('[API-10] the client is a package with types that runs without anything else', async () => {
  const file = join(folder, 'client.tgz')
  await packClient(file)
  mkdirSync(join(folder, 'node_modules/@tallyroom/client'), { recursive: true })
  const into = ['-C', join(folder, 'node_modules/@tallyroom/client'), '--strip-components=1']
  expect(spawnSync('tar', ['-xzf', file, ...into]).status).toBe(0)
  const source = `import { createTallyroom } from '@tallyroom/client'
    console.log(typeof createTallyroom({ url: 'https://talk.example', key: 'tk_1', secret: 's' }).points.give)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect([stdout.trim(), stderr]).toEqual(['function', ''])
  const types = readFileSync(join(folder, 'node_modules/@tallyroom/client/calls.d.ts'), 'utf8')
  expect(types).toContain('give: (input: PointsGiveRequest')
})

test('[RUN-11] npm run works in a release, with the commands that it has', () => {
  const { scripts }: { scripts: Record<string, string> } = releaseManifest(manifest)
  expect(scripts['ledger:check']).toBe('./tallyroom ledger:check')
  expect(releaseManifest(manifest)).not.toHaveProperty('devDependencies')
  expect(scripts.start).toBe('exec ./tallyroom')
  expect(Object.keys(scripts).sort()).toEqual(['start', ...releaseCommands].sort())
})

test('[RUN-11] every package that runs or is in a page is named with the words of its licence', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const notices = noticesOf(lock, root)
  for (const name of ['react', 'fastify', 'sharp'])
    expect(notices).toMatch(new RegExp(`^${name} \\d[^\\n]*\\n\\n.*opyright|licen[cs]e`, 'ims'))
  expect(notices).not.toMatch(/^vitest \d/m)
})

test('[RUN-11] every package of ours has the version of the product, and the changelog has a part for it', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const folders: string[] = manifest.workspaces
  const versions = folders.flatMap((folder) => [
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).version,
    lock.packages[folder].version,
  ])
  expect(new Set([...versions, lock.version, lock.packages[''].version])).toEqual(new Set([manifest.version]))
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toMatch(new RegExp(`^## ${manifest.version}\\b`, 'm'))
})

test('[RUN-11] [CODE-05] a release has the pictures of its own pages', () => {
  const noted = join(folder, 'taken-of.txt')
  expect(oldPictures(noted, ['docs/pictures'])).toContain('npm run pictures')
  notePictures(noted, ['docs/pictures'])
  expect(oldPictures(noted, ['docs/pictures'])).toBeUndefined()
  expect(oldPictures(noted, ['docs/guides'])).toContain('npm run pictures')
})

test('[RUN-12] package.json has every command of the table, and what is not in the table is named here', () => {
  const scripts = Object.entries(manifest.scripts as Record<string, string>)
  // The first runs after npm install. Biome refuses by itself what it does not know.
  const others = scripts.filter(([, line]) => !line.includes('scripts/run.mjs')).map(([name]) => name)
  expect(others).toEqual(['prepare', 'format'])
  const ours = scripts.flatMap(([name, line]) =>
    line.replace(/^exec /, '') === `node scripts/run.mjs ${name}` ? [name] : [],
  )
  expect(ours.sort()).toEqual(Object.keys(table).sort())
})

test('[RUN-12] every file of the table is there, and every program of the server is in it', () => {
  const programs = Object.values(table).flatMap(({ program }) => program ?? [])
  for (const { script } of Object.values(table)) if (script) expect(existsSync(join(root, script))).toBe(true)
  // Parts of the others, what the server and PostgreSQL start themselves, and the program of a release.
  const parts = ['archive-file', 'database', 'dev-database', 'tallyroom']
  const files = readdirSync(join(root, 'server/src/cli')).flatMap((name) => /^([\w-]+)\.ts$/.exec(name)?.[1] ?? [])
  expect(['main', ...files].sort()).toEqual([...programs, ...parts].sort())
})
