import type { searchCalls } from '@tallyroom/contract/calls/search'
import { within } from '../actor.ts'
import { type Db, many, one, type Row, type Sql, sql } from '../db.ts'
import { excerptOf, fold } from '../fold.ts'
import type { Handlers } from '../handler.ts'
import { type RoomRow, roomColumns, roomTables } from '../messages.ts'
import { asRoom } from '../room-views.ts'

/** How many hits a call gives, and how many messages it looks through for them at most: this bounds its time. */
const HITS = 20
const SLICE = 100_000

type Place = { created_at: string; room_id: number; seq: number }
const cursorOf = ({ created_at, room_id, seq }: Place) => `${created_at}/${room_id}/${seq}`
const placeOf = (cursor: string): Place => {
  const [created_at = '', room_id, seq] = cursor.split('/')
  return { created_at, room_id: Number(room_id), seq: Number(seq) }
}

const moment: Sql = {
  text: `to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at`,
  values: [],
}
const newestFirst: Sql = { text: 'm.created_at desc, m.room_id desc, m.seq desc', values: [] }

type HitRow = Row & Place & { message_id: string; content: string; from_partner: boolean }

export const searchHandlers = {
  'search/messages': async ({ db, actor }, { text, before }) => {
    const folded = fold(text)
    const { created_at, room_id, seq } = before ? placeOf(before) : { created_at: 'infinity', room_id: 0, seq: 0 }
    // Index `messages_group` walks this backwards; the outer limit ends the walk as soon as there are enough.
    const walk = sql`from messages m
      where m.group_id = ${actor.groupId} and (m.created_at, m.room_id, m.seq) < (${created_at}::timestamptz, ${room_id}::int, ${seq}::int)
      order by ${newestFirst}`
    const found = await many<HitRow>(
      db,
      sql`select m.message_id, m.room_id, m.seq, m.content, m.from_partner, ${moment}
        from (select m.* ${walk} limit ${SLICE}) m
        where m.type = 1 and strpos(coalesce(m.folded, m.content), ${folded}) > 0
        order by ${newestFirst} limit ${HITS + 1}`,
    )
    const hits = found.slice(0, HITS)
    const rooms = await roomsOf(db, within(actor), hits)
    const last =
      found.length > HITS
        ? hits.at(-1)
        : await one<Place>(db, sql`select m.room_id, m.seq, ${moment} ${walk} limit 1 offset ${SLICE - 1}`)
    return {
      data: hits.flatMap((hit) => {
        const room = rooms.get(hit.room_id)
        if (!room) return []
        const { code, member_id, name, username, thumbnail } = asRoom(room, { side: 'group', viewer: actor })
        return {
          ...excerptOf(hit.content, folded),
          message_id: hit.message_id,
          code,
          room_id: room.id,
          member_id,
          seq: hit.seq,
          name,
          username,
          thumbnail,
          is_self: !hit.from_partner,
          created_at: hit.created_at,
        }
      }),
      next: last ? cursorOf(last) : null,
      looked_to: last?.created_at ?? null,
    }
  },
} satisfies Handlers<typeof searchCalls>

const roomsOf = async (db: Db, scope: Sql, hits: { room_id: number }[]): Promise<Map<number, RoomRow>> => {
  if (hits.length === 0) return new Map()
  const ids = [...new Set(hits.map(({ room_id }) => room_id))]
  const rows = await many<RoomRow>(
    db,
    sql`select ${roomColumns} from ${roomTables} where ${scope} and r.id = any(${ids}::int[])`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
