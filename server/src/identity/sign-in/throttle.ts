import type { Network } from '../../lib/address.ts'
import { type Db, one, run, sql } from '../../data/sql.ts'
import { refuse } from '../../lib/refusal.ts'
import type { Verdict } from '../passwords.ts'
import { sha256 } from '../../lib/secrets.ts'

/**
 * Tries are counted by this hash, and some are free. After the free ones the wait doubles from one to sixty
 * minutes: with five free tries that allows 33 in the first day and 24 in each further one.
 */
export type Tries = { key: Buffer; free: number }

const FREE = 5
/** An address may be shared by an office full of people. */
const FREE_OF_AN_ADDRESS = 20

const triesOf = (kind: string, of: string | number, free = FREE): Tries => ({ key: sha256(`${kind}:${of}`), free })

export const byAccount = (id: number) => triesOf('account', id)
/** Unknown usernames wait like existing ones. */
export const byName = (name: string) => triesOf('name', name.toLowerCase())
/** A known device has its own count, which strangers cannot use up. */
export const byDevice = (id: number, device: Buffer) => triesOf('device', `${id}:${device.toString('hex')}`)
export const byCodes = (id: number) => triesOf('codes', id)
export const byCodesOnDevice = (id: number, device: Buffer) =>
  triesOf('codes-device', `${id}:${device.toString('hex')}`)
/** The steps of a forgotten password: codes that are sent, codes that are entered, and passkeys. */
type RecoveryStep = 'send' | 'code' | 'passkey'
export const byRecovery = (step: RecoveryStep, name: string) => triesOf(`recovery-${step}`, name.toLowerCase())
export const byRecoveryOnDevice = (step: RecoveryStep, id: number, device: Buffer) =>
  triesOf(`recovery-${step}-device`, `${id}:${device.toString('hex')}`)
export const byRecoveryAddress = (step: RecoveryStep, network: Network) =>
  triesOf(`recovery-${step}-address`, network, FREE_OF_AN_ADDRESS)
export const byNewPassword = (id: number) => triesOf('new-password', id)
export const byAddress = (network: Network) => triesOf('address', network, FREE_OF_AN_ADDRESS)
/** Counts repetitions of one sign-up whose first answer was lost. */
export const byRepeatedSignUp = (requestId: string) => triesOf('sign-up', requestId)

/**
 * Counts a try for each key before checking, and takes it back when the result is right or there is none. Nothing else
 * takes tries back: signing in with the right password must not give an attacker new tries.
 * @throws Refused with request.too_often and the seconds to wait
 */
export const countTries = async (db: Db, keys: Tries[], judge: () => Promise<Verdict>): Promise<Verdict> => {
  const claimed: Tries[] = []
  const takeBack = async () => {
    for (const { key } of claimed) await run(db, refund(key))
  }
  let verdict: Verdict | undefined
  try {
    for (const tries of keys) {
      const seconds = await claim(db, tries)
      if (seconds !== undefined) return refuse('request.too_often', { seconds })
      claimed.push(tries)
    }
    verdict = await judge()
    return verdict
  } finally {
    if (verdict !== 'wrong') await takeBack()
  }
}

/** One row update: concurrent tries, also on other copies, count one after another. */
const claim = async (db: Db, { key, free }: Tries): Promise<number | undefined> => {
  const taken = await one(
    db,
    sql`insert into sign_in_tries as t (key, tries, last_at) values (${key}, 1, clock_timestamp())
      on conflict (key) do update set
        tries = case when t.last_at < now() - interval '24 hours' then 1 else t.tries + 1 end,
        last_at = clock_timestamp(),
        blocked_until = case when t.tries + 1 >= ${free}::int and t.last_at >= now() - interval '24 hours'
          then now() + make_interval(mins => least(60, 2 ^ least(6, t.tries + 1 - ${free}::int))::int) end
      where coalesce(t.blocked_until <= now(), true)
      returning tries`,
  )
  if (taken) return undefined
  const blocked = await one<{ seconds: number }>(
    db,
    sql`select greatest(1, ceil(extract(epoch from blocked_until - now())))::int as seconds
      from sign_in_tries where key = ${key}`,
  )
  return blocked?.seconds ?? 1
}

const refund = (key: Buffer) =>
  sql`update sign_in_tries set tries = greatest(0, tries - 1), blocked_until = null where key = ${key}`

/** Queues the sign-ins of one account: each counts as a try until its password is known to be right. */
const queues = new Map<string, Promise<unknown>>()
export const oneAtATime = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const before = queues.get(name)
  const mine = (before ?? Promise.resolve()).then(work, work)
  queues.set(name, mine)
  try {
    return await mine
  } finally {
    if (queues.get(name) === mine) queues.delete(name)
  }
}
