import { media } from './commands/media.ts'
import { runCommand } from './database.ts'

await runCommand('media', media)
