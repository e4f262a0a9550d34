import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { commandsOf, releaseManifest } from './release-manifest.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const place = mkdtempSync(join(tmpdir(), 'tallyroom-release-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** A release whose programs print how they were started. */
const program = () => {
  const dist = join(place, 'server/dist')
  mkdirSync(dist, { recursive: true })
  writeFileSync(join(place, 'package.json'), JSON.stringify(releaseManifest(manifest)))
  const print = 'console.log(import.meta.url.split("/").pop(), ...process.argv.slice(2), process.env.TALLYROOM_PROGRAM)'
  const names = ['main.js', 'database.js', ...commandsOf(manifest).map((name) => `${name.replace(':', '-')}.js`)]
  for (const name of names) writeFileSync(join(dist, name), print)
  copyFileSync(join(root, 'deploy/tallyroom'), join(place, 'tallyroom'))
  return join(place, 'tallyroom')
}

test('[RUN-11] the program of a release runs each command under the name that npm run has for it', () => {
  const path = program()
  const run = (...words: string[]) => spawnSync(path, words, { encoding: 'utf8' })
  expect(run().stdout.trim()).toBe(`main.js ${path}`)
  for (const name of commandsOf(manifest))
    expect(run(name, 'word').stdout.trim()).toBe(`${name.replace(':', '-')}.js word ${path}`)
  expect(run('help')).toMatchObject({ status: 0, stderr: expect.stringContaining('ledger:check') })
  // It is a part of the others, and no command.
  const unknown = run('database')
  expect(unknown).toMatchObject({ status: 1, stdout: '' })
  expect(unknown.stderr).toMatch(/^There is no command "database"\.\n[^]*doctor ledger:check/)
})

test('[RUN-11] npm run works in a release, with the commands that it has', () => {
  const { scripts }: { scripts: Record<string, string> } = releaseManifest(manifest)
  expect(scripts['ledger:check']).toBe('./tallyroom ledger:check')
  expect(scripts.start).toBe('exec ./tallyroom')
  expect(Object.keys(scripts).sort()).toEqual(['start', ...commandsOf(manifest)].sort())
})
