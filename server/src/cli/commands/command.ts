import type { Settings } from '../../config/settings.ts'
import type { Database } from '../../data/sql.ts'

/** The means of a command. */
export type Console = {
  db: Database
  settings: Settings
  print: (line: string) => void
  /** Asks for something that nobody else may see. */
  readSecret: (question: string) => Promise<string>
}

/** The input of a command: `arguments.mjs` reads it by `table.mjs`. */
export type Given = {
  /** The first word of a command with several, such as add of account. */
  command: string
  words: string[]
  values: Record<string, string>
  flags: Record<string, boolean>
}

/**
 * A command. Returns its exit code. @throws StartError, whose line the administrator
 * reads, with exit code 1. A program of its own (`cli/NAME.ts`) runs it; tests run it in their process, which takes a
 * tenth of the time.
 */
export type Command = (given: Given, console: Console) => Promise<number>
