import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiPage } from './api-page.ts'
import { clientCalls } from './client-calls.ts'
import { commandsPage } from './commands-page.ts'
import { envExample, settingsPage } from './settings-page.ts'
import { root } from './shell.mjs'

// `npm run reference` writes the pages that are lists of what the program has, and the types of the client. A test compares them.
writeFileSync(join(root, 'docs/commands.md'), commandsPage())
writeFileSync(join(root, 'docs/settings.md'), settingsPage())
writeFileSync(join(root, 'docs/api.md'), apiPage())
writeFileSync(join(root, 'client/calls.ts'), clientCalls())
writeFileSync(join(root, '.env.example'), envExample())
