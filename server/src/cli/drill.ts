import { backupKey } from '../config/backup-key.ts'
import { settingsFrom } from '../config/settings.ts'
import { drill } from '../doctor/drill.ts'
import { argumentsOf } from './arguments.mjs'
import { finish, printDiagnoses } from './database.ts'

const {
  words: [backup = ''],
  values: { archive, below },
} = argumentsOf('drill')

/** `npm run drill`: restores a backup elsewhere, checks it, and removes it. Exits with 1 when something is wrong. */
await finish(async () => {
  const settings = settingsFrom(process.env)
  printDiagnoses(await drill({ backup, archive, settings, key: backupKey(process.env), ...(below ? { below } : {}) }))
})
