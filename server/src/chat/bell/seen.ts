import type { BellKind } from '@tallyroom/contract/desk/bell'
import { type Sql, sql } from '../../data/sql.ts'
import { type Actor, groupRooms } from '../../identity/actor.ts'

/** The rights without which an item is not shown: what it says is on their pages. */
const kindsOf = ({ rights }: Pick<Actor, 'rights'>): BellKind[] => [
  ...(rights.has('chat') ? (['mention', 'handed'] as const) : []),
  ...(rights.has('requests') ? (['refused'] as const) : []),
  'decision',
]

/**
 * The items `b` that the actor may see now: of a conversation that was moved to another group, or of words that are gone,
 * nothing is shown or counted.
 */
export const seenItems = (actor: Actor): Sql =>
  sql`b.account_id = ${actor.id} and b.kind = any(${kindsOf(actor)}::text[])
    and (b.room_id is null or exists (select from rooms r where r.id = b.room_id and ${groupRooms(actor)}))
    and (b.content_id is null or exists (select from note_contents c where c.id = b.content_id))
    and (b.aside_id is null or b.room_id is null
      or exists (select from asides d where d.room_id = b.room_id and d.aside_id = b.aside_id))`
