import { z } from 'zod'
import { readEnv } from './env.ts'

export const firstAccountShape = {
  ADMIN_PASSWORD: z.string().optional().meta({
    description:
      'The password of the account `admin` that the first start makes. Without it the start makes one and prints it.',
    isSecret: true,
  }),
}

/** Undefined: the first start makes a password. */
export const adminPassword = (env: NodeJS.ProcessEnv): string | undefined =>
  readEnv(env, firstAccountShape).ADMIN_PASSWORD
