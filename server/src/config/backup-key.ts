import { z } from 'zod'
import { readEnv } from './env.ts'
import { KEY_RULE, parseKey } from './parse-key.ts'

export const backupShape = {
  BACKUP_KEY: z
    .string()
    .transform(parseKey)
    .pipe(z.instanceof(Buffer, { error: `must hold ${KEY_RULE}` }))
    .optional()
    .meta({
      description:
        'What backups are [encrypted](operations/backup.md#an-encrypted-backup) with: 32 bytes, hex or base64.',
      isSecret: true,
    }),
}

/** The key that backups are encrypted with; undefined: they are not. Only commands read it. @throws StartError */
export const backupKey = (env: NodeJS.ProcessEnv): Buffer | undefined => readEnv(env, backupShape).BACKUP_KEY
