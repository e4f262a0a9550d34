import { one, run, sql, type Tx } from '../../data/sql.ts'
import type { Actor } from '../../identity/actor.ts'
import { refuse } from '../../lib/refusal.ts'
import { answering, colleagues } from './colleagues.ts'
import type { NewBellItem } from '../bell/ring.ts'

/** The most that one account mentions in ten minutes: each of them may be a sound on somebody's phone. */
export const MAX_MENTIONED = 100
const WAIT_SECONDS = 60

type Where = Pick<NewBellItem, 'roomId' | 'asideId' | 'contentId'>

/**
 * The items of the colleagues whom the actor mentions in a room of its group. Only those who have the conversations may be
 * mentioned. @throws Refused room.not_a_colleague, request.too_often
 */
export const mentionColleagues = async (
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  where: Where,
  timeZone: string,
): Promise<NewBellItem[]> => {
  if (ids.length === 0) return []
  const known = new Set((await answering(tx, timeZone, await colleagues(tx, actor))).map(({ id }) => id))
  if (ids.some((id) => !known.has(id))) return refuse('room.not_a_colleague')
  const others = ids.filter((id) => id !== actor.id)
  // Calls that come at once wait for each other, or each would find too few.
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`mentions:${actor.id}`}, 0))`)
  const recent = await one<{ n: number }>(
    tx,
    sql`select count(*)::int as n from bell_items
      where by_id = ${actor.id} and kind = 'mention' and created_at > now() - interval '10 minutes'`,
  )
  if ((recent?.n ?? 0) + others.length > MAX_MENTIONED) return refuse('request.too_often', { seconds: WAIT_SECONDS })
  return others.map((accountId) => ({ accountId, kind: 'mention', byId: actor.id, ...where }))
}
