import { hash, verify } from '@node-rs/argon2'

/** OWASP's argon2id for interactive sign-in; about 11 ms, off the main thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (text: string): Promise<string> => hash(text, COST)

/** A branded answer, so that a promise or a stray truthy value cannot pass for "the password is right". */
export type Verdict = 'right' | 'wrong'

let nobody: Promise<string> | undefined
/**
 * Compares a password with its hash. Without a hash (no such account) it works just as long on one that nothing matches,
 * so that the time does not tell which accounts there are.
 */
export const checkPassword = async (stored: string | null | undefined, text: string): Promise<Verdict> => {
  nobody ??= hashPassword(`${Math.random()}${Date.now()}`)
  const right = await verify(stored ?? (await nobody), text)
  return stored && right ? 'right' : 'wrong'
}

export const verifyPassword = async (stored: string, text: string): Promise<boolean> =>
  (await checkPassword(stored, text)) === 'right'
