import type { Settings } from '../../config/settings.ts'
import type { Database } from '../../data/sql.ts'

/** What a command works with. */
export type Console = { db: Database; settings: Settings; print: (line: string) => void }

/**
 * A command, by the words behind its name. Returns its exit code. @throws StartError, whose line the administrator
 * reads, with exit code 1. A program of its own (`cli/NAME.ts`) runs it; tests run it in their process, which takes a
 * tenth of the time.
 */
export type Command = (words: string[], console: Console) => Promise<number>
