import { account } from './commands/account.ts'
import { runCommand } from './database.ts'

await runCommand('account', account)
