import { networkOf } from '../../lib/address.ts'
import { type Db, one, run, sql } from '../../data/sql.ts'
import { refuse } from '../../lib/refusal.ts'
import type { Verdict } from '../passwords.ts'
import { sha256 } from '../../lib/secrets.ts'

/**
 * What tries are counted by, as a hash, and how many are free. From the last free one on each waits twice as long as the
 * one before, from one minute to sixty: of five free ones that makes 33 in the first day and 24 in each further one.
 */
export type Tries = { key: Buffer; free: number }

const FREE = 5
/** Behind one address there may be an office full of people. */
const FREE_OF_AN_ADDRESS = 20

const by = (kind: string, of: string | number, free = FREE): Tries => ({ key: sha256(`${kind}:${of}`), free })

export const byAccount = (id: number) => by('account', id)
/** Names that there are not wait like those that there are. */
export const byName = (name: string) => by('name', name.toLowerCase())
/** An account on a device that it has signed in on has a count of its own, which strangers cannot fill. */
export const byDevice = (id: number, device: Buffer) => by('device', `${id}:${device.toString('hex')}`)
export const byCodes = (id: number) => by('codes', id)
export const byCodesOnDevice = (id: number, device: Buffer) => by('codes-device', `${id}:${device.toString('hex')}`)
export const byNewPassword = (id: number) => by('new-password', id)
export const byAddress = (address: string) => by('address', networkOf(address), FREE_OF_AN_ADDRESS)

/**
 * Counts a try for each key before it is judged, and takes it back when it was right, or not judged at all. Nothing else
 * takes anything back: whoever knows the password does not make new tries for one who does not.
 * @throws Refused with request.too_often and the seconds to wait
 */
export const counted = async (db: Db, keys: Tries[], judge: () => Promise<Verdict>): Promise<Verdict> => {
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

/** One row update, so that two instances and many tries at once count like one after another. */
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

/** Sign-ins of one account that come at once take their turns: each counts as a try until its password is known to be right. */
const turns = new Map<string, Promise<unknown>>()
export const inTurn = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const before = turns.get(name)
  const mine = (before ?? Promise.resolve()).then(work, work)
  turns.set(name, mine)
  try {
    return await mine
  } finally {
    if (turns.get(name) === mine) turns.delete(name)
  }
}
