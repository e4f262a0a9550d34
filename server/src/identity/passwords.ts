import { availableParallelism } from 'node:os'
import argon2 from '@node-rs/argon2'
import { fairLimit } from '../lib/concurrency.ts'
import { refuse } from '../lib/refusal.ts'
import { type Caller, dropIfLeft } from './caller.ts'

/** OWASP's argon2id settings for sign-ins; about 11 ms, off the main thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Leaves one processor to everyone who is not signing in. */
const MAX_AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1))
/** About ten seconds of work; further ones are refused at once. */
const MAX_WAITING = 1000
const MAX_WAITING_OF_NETWORK = 200

/** The caller for whom a hash is made. A network is any text whose hashes wait for each other. */
export type HashedFor = Pick<Caller, 'hasLeft'> & { network: string }
/** Stands in for the caller of a hash that nobody is waiting for. */
export const ofThisProcess: HashedFor = { network: 'this process' }

export type HashQueue = {
  run: <T>(by: HashedFor, work: () => Promise<T>) => Promise<T>
  /** @throws Refused with server.busy */
  needRoom: () => void
}

/**
 * Makes a few hashes at once and the rest in order. However many one network asks for, others wait for a few of them.
 */
const makeHashQueue = (atOnce: number, mostWaiting: number): HashQueue => {
  const ofNetwork = fairLimit<string>({ concurrency: atOnce, maxWaiting: MAX_WAITING_OF_NETWORK, total: atOnce })
  let asked = 0
  const needRoom = () => {
    if (asked >= atOnce + mostWaiting) refuse('server.busy')
  }
  return {
    needRoom,
    run: async (by, work) => {
      needRoom()
      asked++
      try {
        return await ofNetwork(by.network, () => {
          dropIfLeft(by)
          return work()
        })
      } finally {
        asked--
      }
    },
  }
}

const queue = makeHashQueue(MAX_AT_ONCE, MAX_WAITING)
/** New passwords in place of forgotten ones have their own: strangers ask for them, and sign-ins must not wait behind them. */
export const recoveryQueue = makeHashQueue(1, 20)

export const hashPassword = (text: string, by: HashedFor, { run }: HashQueue = queue): Promise<string> =>
  run(by, () => argon2.hash(text, COST))

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
export const checkPassword = async (
  stored: string | null | undefined,
  text: string,
  by: HashedFor,
  { run }: HashQueue = queue,
): Promise<Verdict> => {
  const hashed = stored || (await dummyHashOnce())
  const right = await run(by, () => argon2.verify(hashed, text))
  return stored && right ? 'right' : 'wrong'
}

export const verifyPassword = async (stored: string, text: string, by: HashedFor): Promise<boolean> =>
  (await checkPassword(stored, text, by)) === 'right'
