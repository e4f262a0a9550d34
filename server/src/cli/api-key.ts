import { apiKey } from './commands/api-key.ts'
import { runCommand } from './database.ts'

await runCommand('api-key', apiKey)
