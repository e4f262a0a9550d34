import { parseArgs } from 'node:util'
import { backupKey } from '../config/backup-key.ts'
import { settingsFrom } from '../config/settings.ts'
import { drill } from '../doctor/drill.ts'
import { StartError } from '../lib/start-error.ts'
import { finish, printDiagnoses } from './database.ts'

const USAGE = `npm run drill -- BACKUP [--archive DIR] [--below DIR]

  BACKUP          the directory that npm run backup made
  --archive DIR   the WAL_ARCHIVE directory: restores everything since the backup too
  --below DIR     where it is restored for the drill; needs as much room as the backup

An encrypted backup or archive needs BACKUP_KEY or BACKUP_KEY_FILE.`

/** `npm run drill`: restores a backup elsewhere, checks it, and removes it. Exits with 1 when something is wrong. */
await finish(async () => {
  const options = { archive: { type: 'string' }, below: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  const [backup] = positionals
  if (!backup) throw new StartError(USAGE)
  const { archive, below } = values
  const settings = settingsFrom(process.env)
  printDiagnoses(await drill({ backup, archive, settings, key: backupKey(process.env), ...(below ? { below } : {}) }))
})
