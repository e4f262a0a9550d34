import { availableParallelism } from 'node:os'
import argon2 from '@node-rs/argon2'
import { refuse } from '../lib/refusal.ts'

/** OWASP's argon2id settings for sign-ins; about 11 ms, off the main thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Leaves one processor to everyone who is not signing in. */
const MAX_AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1))
/** About ten seconds of work; further ones are refused at once. */
const MAX_WAITING = 1000
let busy = 0
const waiting: (() => void)[] = []

/** Runs a few at once and queues the rest in order. */
const queued = async <T>(work: () => Promise<T>): Promise<T> => {
  if (busy < MAX_AT_ONCE) busy++
  else if (waiting.length >= MAX_WAITING) return refuse('server.busy')
  else await new Promise<void>((go) => waiting.push(go))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else busy--
  }
}

export const hashPassword = (text: string): Promise<string> => queued(() => argon2.hash(text, COST))

/** A named result: a promise or a stray truthy value cannot pass for "the password is right". */
export type Verdict = 'right' | 'wrong'

/** Stored for accounts without a password: no password matches it. */
export const NO_PASSWORD = ''

let dummyHash: Promise<string> | undefined
/** Not queued: a refusal of the full queue would be cached here for all later callers. */
const dummyHashOnce = () => (dummyHash ??= argon2.hash(`${Math.random()}${Date.now()}`, COST))
/**
 * Compares a password with its hash. Without a hash (no such account) it compares with a dummy and takes just as long,
 * so the time does not reveal which accounts exist.
 */
export const checkPassword = async (stored: string | null | undefined, text: string): Promise<Verdict> => {
  const hashed = stored || (await dummyHashOnce())
  const right = await queued(() => argon2.verify(hashed, text))
  return stored && right ? 'right' : 'wrong'
}

export const verifyPassword = async (stored: string, text: string): Promise<boolean> =>
  (await checkPassword(stored, text)) === 'right'
