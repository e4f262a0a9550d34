import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** An error that the person at the keyboard can fix: prints the message without a stack. */
export class Stop extends Error {}

/** Runs the main work of a script; a Stop is printed as one line, with exit code 1. */
export const main = async (work) => {
  try {
    await work()
  } catch (error) {
    console.error(error instanceof Stop ? error.message : error)
    process.exit(1)
  }
}

/** The program of an installed package as arguments for node: without npx or a shell, the same on every system. */
export const programOf = (name, program = name) => {
  const require = createRequire(import.meta.url)
  // Not by `resolve`: some packages do not export their package.json.
  const manifest = require.resolve
    .paths(name)
    .map((folder) => join(folder, name, 'package.json'))
    .find((file) => existsSync(file))
  if (!manifest) throw new Stop(`The package ${name} is not installed: run npm install`)
  const { bin } = require(manifest)
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[program])
}

/** Runs a node program to its end. Returns its code and output; with `loud` the output is printed instead. */
export const node = (args, { loud = false, env = {}, cwd = root, input = '' } = {}) =>
  new Promise((resolve) => {
    let output = ''
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: loud ? 'inherit' : [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    })
    child.stdin?.end(input)
    const take = (chunk) => (output += chunk)
    child.stdout?.setEncoding('utf8').on('data', take)
    child.stderr?.setEncoding('utf8').on('data', take)
    child.once('error', (error) => resolve({ code: -1, output: String(error) }))
    child.once('close', (code) => resolve({ code: code ?? -1, output }))
  })
