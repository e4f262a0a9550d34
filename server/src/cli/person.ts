import { person } from './commands/person.ts'
import { runCommand } from './database.ts'

await runCommand('person', person)
