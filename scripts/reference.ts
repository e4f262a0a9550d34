import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandsPage } from './commands-page.ts'
import { root } from './shell.mjs'

// `npm run reference` writes docs/commands.md from the table of all commands. A test compares them.
writeFileSync(join(root, 'docs/commands.md'), commandsPage())
