import { fileURLToPath, pathToFileURL } from 'node:url'
import { chosen, printAndExit } from './arguments.mjs'
import { readEnvFile } from './env-file.mjs'
import { table } from './table.mjs'

/** The program of a release (deploy/tallyroom): runs a command of the table, and without one the server. */
const typed = process.argv.slice(2)
const isCommand =
  typed[0] !== undefined && (!typed[0].startsWith('-') || ['--help', '-h', '--version'].includes(typed[0]))
const wanted = chosen(isCommand ? typed : ['start', ...typed])
if ('text' in wanted) printAndExit(wanted)
else {
  readEnvFile('.env')
  const file = fileURLToPath(new URL(`${table[wanted.name]?.program}.js`, import.meta.url))
  process.argv.splice(1, Infinity, file, ...wanted.args)
  await import(pathToFileURL(file).href)
}
