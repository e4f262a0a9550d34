import type { Network } from '../../lib/address.ts'
import { type Db, one, sql } from '../../data/sql.ts'
import { refuse } from '../../lib/refusal.ts'
import { sha256 } from '../../lib/secrets.ts'
import type { Settings } from '../../config/settings.ts'

type Budget = { key: Buffer; most: number }

/** One statement: concurrent sign-ups, also on other copies, count one after another. */
const claim = async (db: Db, { key, most }: Budget): Promise<number | undefined> => {
  if (most === 0) return undefined
  const claimed = await one(
    db,
    sql`insert into sign_up_tries as t (key, tries, ends_at) values (${key}, 1, now() + interval '1 hour')
      on conflict (key) do update set
        tries = case when t.ends_at <= now() then 1 else t.tries + 1 end,
        ends_at = case when t.ends_at <= now() then now() + interval '1 hour' else t.ends_at end
      where t.tries < ${most}::int or t.ends_at <= now()
      returning tries`,
  )
  if (claimed) return undefined
  const left = await one<{ seconds: number }>(
    db,
    sql`select greatest(1, ceil(extract(epoch from ends_at - now())))::int as seconds from sign_up_tries where key = ${key}`,
  )
  return left?.seconds ?? 1
}

const claimOrRefuse = async (db: Db, budget: Budget) => {
  const seconds = await claim(db, budget)
  if (seconds !== undefined) refuse('signup.too_many', { seconds, minutes: Math.ceil(seconds / 60) })
}

/**
 * Counts a sign-up before it is checked, whatever its outcome: a refused taken username reveals that the account
 * exists.
 * @throws Refused with signup.too_many and the seconds to wait
 */
export const countSignUpOfAddress = (db: Db, { signUpsPerHour }: Settings, network: Network): Promise<void> =>
  claimOrRefuse(db, { key: sha256(`address:${network}`), most: signUpsPerHour.ofAddress })

/** The same for the owner of the share code: protects its customer service from a flood of made-up members. */
export const countSignUpOfInviter = (db: Db, { signUpsPerHour }: Settings, inviterId: number): Promise<void> =>
  claimOrRefuse(db, { key: sha256(`inviter:${inviterId}`), most: signUpsPerHour.ofShareCode })
