import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from '../shell.mjs'

let clone = ''
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'commit-'))
  git('init', '--quiet')
  write('.gitignore', 'dist\n')
})
afterEach(() => rmSync(clone, { recursive: true, force: true }))

// Git's variables for a hook must not point these commands at this repository.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, env, encoding: 'utf8' })
const write = (name: string, text: string) => writeFileSync(join(clone, name), text)
const hook = () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/hooks/pre-commit.mjs')], {
    cwd: clone,
    env,
    encoding: 'utf8',
  })
  return { status, stderr }
}

test('a staged file is formatted, and unstaged changes stay', () => {
  write('a.ts', 'export const a = {b:"x"}\n')
  write('b.ts', 'export const b = {b:"x"}\n')
  git('add', 'a.ts')
  expect(hook()).toEqual({ status: 0, stderr: '' })
  expect(git('show', ':a.ts')).toBe("export const a = { b: 'x' }\n")
  expect(readFileSync(join(clone, 'b.ts'), 'utf8')).toBe('export const b = {b:"x"}\n')
})

test('a partly staged file is not changed, and refused when it is not formatted', () => {
  write('a.ts', 'export const a = {b:"x"}\n')
  git('add', 'a.ts')
  write('a.ts', 'export const a = {b:"y"}\n')
  expect(hook().status).toBe(1)
  expect(git('show', ':a.ts')).toBe('export const a = {b:"x"}\n')
  expect(readFileSync(join(clone, 'a.ts'), 'utf8')).toBe('export const a = {b:"y"}\n')
})

test('a lint error in a staged file stops the commit', () => {
  write('a.ts', 'export const a = (given: unknown) => {\n  const unused = given\n}\n')
  git('add', 'a.ts')
  const { status, stderr } = hook()
  expect(status).toBe(1)
  expect(stderr).toContain('unused')
  expect(stderr).toContain('Not committed.')
})

test('a commit without code passes', () => {
  expect(hook()).toEqual({ status: 0, stderr: '' })
})
