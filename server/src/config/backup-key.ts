import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { StartError } from '../lib/start-error.ts'
import { readEnv, text } from './env.ts'
import { parseKey } from './parse-key.ts'

const FORM = '32 bytes, as 64 hexadecimal digits or as base64 (openssl rand -hex 32).'

/**
 * The key that backups are encrypted with; undefined: they are not. Only commands read it: the server itself need not be
 * able to. @throws StartError
 */
export const backupKey = (env: NodeJS.ProcessEnv): Buffer | undefined => {
  const { BACKUP_KEY: given, BACKUP_KEY_FILE: file } = readEnv(env, {
    BACKUP_KEY: z.string().optional(),
    BACKUP_KEY_FILE: text(),
  })
  if (given && file) throw new StartError('Set BACKUP_KEY or BACKUP_KEY_FILE, not both.')
  if (!given && !file) return undefined
  const key = parseKey(given ?? contentOf(file))
  // The words do not say what it holds.
  if (!key) throw new StartError(`${given ? 'BACKUP_KEY' : `The file ${file} (BACKUP_KEY_FILE)`} must hold ${FORM}`)
  return key
}

const contentOf = (file: string) => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartError(`BACKUP_KEY_FILE: cannot read ${file} (${(error as NodeJS.ErrnoException).code}).`)
  }
}
