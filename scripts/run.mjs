import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chosen, printAndExit } from '../server/src/cli/arguments.mjs'
import { readEnvFile } from '../server/src/cli/env-file.mjs'
import { table } from '../server/src/cli/table.mjs'
import { main, programOf, root } from './shell.mjs'

// `npm run NAME -- …`: every command of the table. What was typed is read before anything is installed or built.

/** TypeScript runs in a process of its own. Signals reach it, as they would without this one. */
const runWithTsx = async (file, args) => {
  const { install } = await import('./install.mjs')
  install()
  const child = spawn(process.execPath, [programOf('tsx'), file, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  process.exitCode = await new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}

/** In this process: signals, the terminal and the exit code are the program's own. */
const runHere = async (file, args) => {
  process.argv.splice(1, Infinity, file, ...args)
  await import(pathToFileURL(file).href)
}

await main(async () => {
  const wanted = chosen(process.argv.slice(2))
  if ('text' in wanted) return printAndExit(wanted)
  const { name, args } = wanted
  const { script, program } = table[name]
  // Tests and checks do not depend on how somebody has set up the server.
  if (program || ['dev', 'demo', 'seed'].includes(name)) readEnvFile('.env')
  if (script?.endsWith('.ts')) return runWithTsx(join(root, script), args)
  if (script) return runHere(join(root, script), args)
  const { install } = await import('./install.mjs')
  install()
  const { buildServer } = await import('./build.mjs')
  await buildServer()
  process.setSourceMapsEnabled(true)
  await runHere(join(root, 'server/dist', `${program}.js`), args)
})
