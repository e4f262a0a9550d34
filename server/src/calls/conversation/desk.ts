import { MAX_TEXT } from '@tallyroom/contract/lengths'
import { RoomStatus } from '@tallyroom/contract/codes'
import type { deskCalls } from '@tallyroom/contract/calls/conversation/desk'
import type { Actor } from '../../identity/actor.ts'
import { isBlank } from '@tallyroom/contract/text/blank'
import { sql } from '../../data/sql.ts'
import { may } from '../../identity/policy.ts'
import { mentionColleagues } from '../../chat/desk/mention-colleagues.ts'
import { storedMentions } from '../../chat/bell/mentions.ts'
import { ringBells } from '../../chat/bell/ring.ts'
import { bulk } from '../../chat/desk/bulk.ts'
import { answering, colleagues } from '../../chat/desk/colleagues.ts'
import { giveAll } from '../../chat/desk/give-all.ts'
import { changeDesks, findAsides, settleRooms } from '../../chat/desk/desk.ts'
import { MAX_PASSES } from '../../chat/desk/decide-owners.ts'
import { loadsOf } from '../../chat/desk/load.ts'
import { rulesOf } from '../../chat/desk/rules.ts'
import { ensureLater, hasWrittenSince, snoozeRoom, wakeRoom } from '../../chat/desk/snooze.ts'
import { setState } from '../../chat/desk/states.ts'
import type { Handlers } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import type { RoomRow } from '../../chat/room-row.ts'
import { shownText, shownUsername } from '../../identity/masking.ts'
import { asAside } from '../../chat/desk/aside.ts'
import { ownerName } from '../../chat/room-views.ts'
import { setOwner } from '../../chat/own-room.ts'
import { findGroupRoom, lockGroupRoom } from '../../chat/rooms.ts'
import { markUnread } from '../../chat/unread-marks.ts'
import { clearSentDrafts } from '../../chat/drafts.ts'

const MAX_ASIDES = 200

const mayGive = (actor: Actor, room: RoomRow) => room.ownerId === actor.id || may(actor, 'chat.give_any')

export const deskHandlers = {
  'desk/take': async ({ db, services, actor, idempotencyKey }, { code, from }) => {
    const room = await lockGroupRoom(db, actor, code)
    if (room.ownerId === actor.id) return null
    if (room.ownerId && room.ownerId !== from) refuse('room.taken', { name: ownerName(room, actor) })
    const [own] = await colleagues(db, actor, actor.id)
    await changeDesks(db, services.hub, [room], {
      aside: {
        asideId: idempotencyKey.id,
        kind: room.ownerId ? 'taken_over' : 'taken',
        senderId: actor.id,
        targetId: room.ownerId,
      },
      change: setOwner(own),
    })
    return null
  },

  'desk/handOver': async ({ db, services, actor, idempotencyKey }, { code, to, why, mentions }) => {
    const room = await lockGroupRoom(db, actor, code)
    if (!mayGive(actor, room)) refuse('room.not_yours')
    const [colleague] = await answering(db, services.settings.timeZone, await colleagues(db, actor, to))
    const given = ensure(colleague, 'room.not_a_colleague')
    if (room.ownerId === given.id) return null
    const asideId = idempotencyKey.id
    const { content, ids } = storedMentions(why, mentions)
    const where = { roomId: room.id, asideId }
    const mentioned = await mentionColleagues(db, actor, ids, where, services.settings.timeZone)
    await changeDesks(db, services.hub, [room], {
      aside: { asideId, kind: 'handed', content, mentions: ids, senderId: actor.id, targetId: given.id },
      change: setOwner(given),
    })
    await ringBells(db, services.hub, [
      { accountId: given.id, kind: 'handed', byId: actor.id, ...where },
      // The new owner hears of it once.
      ...mentioned.filter(({ accountId }) => accountId !== given.id),
    ])
    return null
  },

  'desk/release': async ({ db, services, actor, idempotencyKey }, { code }) => {
    const room = await lockGroupRoom(db, actor, code)
    if (!room.ownerId) return null
    if (!mayGive(actor, room)) refuse('room.not_yours')
    await changeDesks(db, services.hub, [room], {
      aside: { asideId: idempotencyKey.id, kind: 'released', senderId: actor.id, targetId: room.ownerId },
      change: setOwner(undefined),
    })
    return null
  },

  'desk/state': async ({ db, services, actor }, chosen) => {
    await setState(db, actor, chosen)
    db.afterCommit(() => services.hub.colleaguesChanged([actor.groupId]))
    return null
  },

  'desk/endShift': async ({ db, services, actor, idempotencyKey }, { to, note, after }) => {
    const [colleague] =
      to === null ? [] : await answering(db, services.settings.timeZone, await colleagues(db, actor, to))
    const given =
      to === null ? undefined : ensure(colleague?.id === actor.id ? undefined : colleague, 'room.not_a_colleague')
    const { rooms, next } = await giveAll(db, services.hub, { actor, asideId: idempotencyKey.id, given, note, after })
    if (next === null) {
      await setState(db, actor, { state: 'away', minutes: null })
      db.afterCommit(() => services.hub.colleaguesChanged([actor.groupId]))
    }
    return { n: rooms.length, next }
  },

  'desk/colleagues': async ({ db, actor, services }) => {
    const people = await answering(db, services.settings.timeZone, await colleagues(db, actor))
    const loads = await loadsOf(db, actor.groupId)
    const rules = await rulesOf(db, actor.groupId)
    return {
      data: people.map((person) => ({
        id: person.id,
        nickname: shownText(actor, person, person.nickname),
        username: shownUsername(actor, person),
        role_id: person.role,
        active: person.isActive ? (1 as const) : (0 as const),
        waiting: loads.get(person.id)?.waiting ?? 0,
        state: person.state,
        here: person.isHere ? (1 as const) : (0 as const),
        since: person.since?.toISOString() ?? null,
        until: person.until?.toISOString() ?? null,
        load: loads.get(person.id)?.load ?? 0,
        passed: person.state === 'away' && person.passes >= MAX_PASSES ? (1 as const) : (0 as const),
      })),
      capacity: rules.assign === 'off' ? null : rules.capacity,
      answer_s: rules.answer_s,
    }
  },

  'desk/whisper': async ({ db, services, actor, idempotencyKey }, { code, content, mentions, draft }) => {
    if (isBlank(content)) return refuse('message.blank')
    if (content.length > MAX_TEXT) return refuse('request.invalid', { field: 'content' })
    const room = await lockGroupRoom(db, actor, code)
    const asideId = idempotencyKey.id
    const { content: stored, ids } = storedMentions(content, mentions)
    const where = { roomId: room.id, asideId }
    const mentioned = await mentionColleagues(db, actor, ids, where, services.settings.timeZone)
    const [written] = await changeDesks(db, services.hub, [room], {
      aside: { asideId, kind: 'whisper', content: stored, mentions: ids, senderId: actor.id },
    })
    await ringBells(db, services.hub, mentioned)
    await clearSentDrafts(db, services.hub, [{ accountId: actor.id, room, inside: true, draft }])
    return asAside(ensure(written, 'server.failed'), room, actor)
  },

  'desk/asides': async ({ db, actor }, { code, after }) => {
    const room = await findGroupRoom(db, actor, code)
    const found = await findAsides(
      db,
      sql`d.room_id = ${room.id} and d.seq > ${after} order by d.seq limit ${MAX_ASIDES + 1}`,
    )
    return {
      asides: found.slice(0, MAX_ASIDES).map((aside) => asAside(aside, room, actor)),
      has_more: found.length > MAX_ASIDES,
    }
  },

  'desk/settle': async ({ db, services, actor, idempotencyKey }, { code }) => {
    const room = await lockGroupRoom(db, actor, code)
    if (!room.waitingSince) return null
    await settleRooms(db, services.hub, [room], { asideId: idempotencyKey.id, senderId: actor.id })
    return null
  },

  'desk/snooze': async ({ db, services, actor, idempotencyKey }, { code, until, seen }) => {
    const room = await lockGroupRoom(db, actor, code)
    if (room.status === RoomStatus.ai) refuse('room.in_ai_hands')
    if (room.ownerId !== null && !mayGive(actor, room)) refuse('later.not_yours')
    const aside = { asideId: idempotencyKey.id, kind: 'snoozed' as const, senderId: actor.id }
    if (until === null) {
      if (room.snoozedUntil) await changeDesks(db, services.hub, [room], { aside, change: wakeRoom })
      return null
    }
    const at = ensureLater(until)
    if (seen !== undefined && (await hasWrittenSince(db, room, seen))) refuse('later.wrote_meanwhile')
    await changeDesks(db, services.hub, [room], {
      aside: { ...aside, content: at.toISOString() },
      change: snoozeRoom(actor.id, at),
    })
    return null
  },

  'desk/markUnread': async ({ db, services, actor }, { code }) => {
    await markUnread(db, services.hub, [{ accountId: actor.id, room: await findGroupRoom(db, actor, code) }])
    return null
  },

  'desk/bulk': async (ctx, input) => {
    const { db, actor, services } = ctx
    if (input.deed !== 'assign') return bulk(ctx, input)
    const [colleague] = await answering(db, services.settings.timeZone, await colleagues(db, actor, input.to ?? 0))
    const to = ensure(colleague, 'room.not_a_colleague')
    return bulk(ctx, input, { to, mayGiveAny: may(actor, 'chat.give_any') })
  },
} satisfies Handlers<typeof deskCalls>
