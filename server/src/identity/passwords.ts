import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { refuse } from '../lib/refusal.ts'

/** OWASP's argon2id for interactive sign-in; about 11 ms, off the main thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One processor is left to everyone who is not signing in. */
const AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1))
/** About ten seconds of work; whoever comes then is told so at once. */
const MOST_WAITING = 1000
let busy = 0
const waiting: (() => void)[] = []

/** Runs a few at once, the others in the order in which they came. */
const inLine = async <T>(work: () => Promise<T>): Promise<T> => {
  if (busy < AT_ONCE) busy++
  else if (waiting.length >= MOST_WAITING) return refuse('server.busy')
  else await new Promise<void>((go) => waiting.push(go))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else busy--
  }
}

export const hashPassword = (text: string): Promise<string> => inLine(() => hash(text, COST))

/** A branded answer, so that a promise or a stray truthy value cannot pass for "the password is right". */
export type Verdict = 'right' | 'wrong'

/** Kept where nobody knows a password: none is right. */
export const NO_PASSWORD = ''

let nobody: Promise<string> | undefined
/** Beside the line, which may be full: whoever is refused there must not leave a refusal behind for all who come later. */
const nobodys = () => (nobody ??= hash(`${Math.random()}${Date.now()}`, COST))
/**
 * Compares a password with its hash. Without a hash (no such account) it works just as long on one that nothing matches,
 * so that the time does not tell which accounts there are.
 */
export const checkPassword = async (stored: string | null | undefined, text: string): Promise<Verdict> => {
  const hashed = stored || (await nobodys())
  const right = await inLine(() => verify(hashed, text))
  return stored && right ? 'right' : 'wrong'
}

export const verifyPassword = async (stored: string, text: string): Promise<boolean> =>
  (await checkPassword(stored, text)) === 'right'
