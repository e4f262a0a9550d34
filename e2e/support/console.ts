import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { account } from '../../server/src/cli/commands/account.ts'
import { apiKey } from '../../server/src/cli/commands/api-key.ts'
import { parse } from '../../server/src/cli/arguments.mjs'
import { errorText, onInstallation } from '../../server/src/cli/database.ts'
import type { Server } from './server.ts'

const commands = { account, 'api-key': apiKey }
type Name = keyof typeof commands
type Outcome = { code: number; output: string }

/** The words, with the one behind `--password` as what is typed when the command asks for it. */
const withTyped = (words: string[]) => {
  const at = words.indexOf('--password') + 1
  return at ? { given: words.toSpliced(at, 1), typed: words[at] ?? '' } : { given: words, typed: '' }
}

/** Runs `npm run NAME -- words` beside a running server, in this process: a program of its own needs half a second. */
export const consoleOf = async (server: Server, name: Name, words: string[]): Promise<Outcome> => {
  const { given, typed } = withTyped(words)
  const parsed = parse(name, given)
  if (!('given' in parsed)) return { code: parsed.code, output: parsed.text }
  const lines: string[] = []
  let code = 1
  try {
    await onInstallation({ ...process.env, ...server.env }, async (db, settings) => {
      code = await commands[name](parsed.given, {
        db,
        settings,
        print: (line) => lines.push(line),
        readSecret: () => Promise.resolve(typed),
      })
    })
  } catch (error) {
    lines.push(errorText(error))
  }
  return { code, output: lines.join('\n').trim() }
}

/** The same by the built program, as an operator runs it: one test of each command does. */
export const programOf = (server: Server, name: Name, words: string[]) =>
  new Promise<Outcome>((resolve) => {
    const program = fileURLToPath(new URL(`../../server/dist/${name}.js`, import.meta.url))
    const env = { ...process.env, ...server.env }
    const { given, typed } = withTyped(words)
    const child = execFile(process.execPath, [program, ...given], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: (stdout + stderr).trim() })
    })
    child.stdin?.end(`${typed}\n`)
  })
