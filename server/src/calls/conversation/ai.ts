import { RoomStatus } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import type { aiCalls } from '@tallyroom/contract/calls/conversation/ai'
import { type Actor, groupRooms } from '../../identity/actor.ts'
import { settleRooms } from '../../chat/desk/desk.ts'
import { switchRoom, waitsForPeople } from '../../chat/bot/switch-room.ts'
import { audit, differencesOf } from '../../identity/audit.ts'
import { type Db, one, run, sql, type Tx } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import type { Handlers } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { lockRoomsBy } from '../../chat/messages.ts'
import type { RoomRow } from '../../chat/room-row.ts'
import type { Settings } from '../../config/settings.ts'

export const aiHandlers = {
  'room/recover': async ({ db, services, actor }, { room_id }) => {
    const room = await lockedRoom(db, actor, room_id)
    if (room.status !== RoomStatus.ai) return refuse('room.not_in_ai_hands')
    await switchRoom(db, services.hub, { room, status: RoomStatus.shown, line: 'took_over', who: actor })
    return null
  },

  'room/giveToBot': async ({ db, services, actor, idempotencyKey }, { room_id, settle }) => {
    const room = await lockedRoom(db, actor, room_id)
    if (!(await mayHaveBot(db, actor, room))) return refuse('access.denied')
    if (room.status === RoomStatus.ai) return refuse('room.in_ai_hands')
    if (await waitsForPeople(db, room)) {
      if (settle !== 1) return refuse('room.still_waits')
      await settleRooms(db, services.hub, [room], { asideId: idempotencyKey.id, senderId: actor.id })
    }
    await switchRoom(db, services.hub, { room, status: RoomStatus.ai, line: 'given_to_bot', who: actor })
    return null
  },

  'ai/view': async ({ db, services, actor }) => viewOf(db, services.settings, actor),

  'ai/save': async (ctx, { ai_rooms }) => {
    const { db, services, actor } = ctx
    const before = await viewOf(db, services.settings, actor)
    if (before.allowed !== 1) return refuse('access.denied')
    const differences = differencesOf({ ai_rooms: before.ai_rooms }, { ai_rooms })
    if (Object.keys(differences).length) {
      await run(db, sql`update accounts set ai_rooms = ${ai_rooms} where id = ${actor.id}`)
      await audit(db, ctx, 'settings_changed', actor, differences)
    }
    return { ...before, ai_rooms }
  },
} satisfies Handlers<typeof aiCalls>

const lockedRoom = async (db: Tx, actor: Actor, roomId: number): Promise<RoomRow> => {
  const rooms = await lockRoomsBy(db, sql`r.id = ${roomId} and ${groupRooms(actor)}`)
  return ensure(rooms.get(roomId), 'room.not_found')
}

/** Both the actor and the head of the group need the ability. The bot answers members only. */
const mayHaveBot = async (db: Db, actor: Actor, { groupId, partnerId }: RoomRow): Promise<boolean> => {
  const found = await one(
    db,
    sql`select 1 as yes from accounts a, accounts g, accounts p
      where a.id = ${actor.id} and g.id = ${groupId} and p.id = ${partnerId}
        and a.chat_ai_bot_visible = 1 and g.chat_ai_bot_visible = 1 and p.role_id = ${is.member}`,
  )
  return found !== undefined
}

const viewOf = async (db: Db, { bot }: Settings, actor: Actor): Promise<Answer<'ai/view'>> => {
  const row = await one<{ allowed: 0 | 1; ai_rooms: 0 | 1; templates: number }>(
    db,
    sql`select a.chat_ai_bot_visible as allowed, a.ai_rooms,
        (select count(*)::int from templates t where t.top_id = a.top_id and t.group_id = a.id and t.type in (${is.generalTemplate}, ${is.serviceTemplate})
          and t.image_id is null) as templates
      from accounts a where a.id = ${actor.id}`,
  )
  return { ...ensure(row, 'account.not_found'), endpoint: bot ? 1 : 0 }
}
