import type { Message, RoomChange, RoomSummary } from '@tallyroom/contract/events'
import { unreadIn } from '@tallyroom/contract/unread'
import { MessageType, RoomStatus, RoomType, TransferStatus } from '@tallyroom/contract/codes'
import { describe, expect, it } from 'vitest'
import { applyChange, changedSummary, freshRoom, newerSummary, prependOlder, type RoomState } from './room-state.ts'

/** A seeded random generator, so that a failing history can be repeated. */
const dice = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}

/** The server's room: every browser must converge to it. */
const makeServer = () => {
  let version = 0
  const messages: Message[] = []
  const log: RoomChange[] = []
  const summary = (): RoomChange['room'] => ({
    id: 1,
    room_id: 1,
    code: 'r',
    member_id: 7,
    members: [7, 2],
    name: 'Ann',
    username: 'ann88',
    partner_username: 'ann88',
    thumbnail: '',
    status: RoomStatus.shown,
    bot: 0,
    version,
    last_seq: messages.length,
    message_type: messages.at(-1)?.type ?? null,
    transaction_type: null,
    message_taken_back: 0,
    message_content: messages.at(-1)?.content ?? '',
    message_time: null,
    other_read_seq: 0,
    other_delivered_seq: 0,
    delivered_seq: 0,
    unanswered: messages.length,
    isThird: 0,
    type: RoomType.member,
    friend_id: null,
    desk_version: version,
    waiting_since: null,
    owner_id: null,
    owner_name: '',
    aside_seq: 0,
  })
  const push = (since: number, changed: Message[]) => {
    log.push({ code: 'r', since, version, reset: false, messages: changed.map((m) => ({ ...m })), room: summary() })
  }
  return {
    write: (count: number) => {
      const since = version
      const made = Array.from({ length: count }, () => {
        version++
        const message = {
          message_id: `m${messages.length + 1}`,
          seq: messages.length + 1,
          version,
          type: MessageType.envelope,
          content: `text ${messages.length + 1}`,
          transaction_status: TransferStatus.pending,
        } as Message
        messages.push(message)
        return message
      })
      push(since, made)
    },
    settle: (index: number) => {
      const message = messages[index]
      if (!message) return
      const since = version
      version++
      const settled = { ...message, version, transaction_status: TransferStatus.success } as Message
      messages[index] = settled
      push(since, [settled])
    },
    touch: () => {
      version++
      push(version - 1, [])
    },
    log,
    sync: (since: number): RoomChange => ({
      code: 'r',
      since,
      version,
      reset: version - since > 40,
      messages: messages.filter((m) => m.version > since).map((m) => ({ ...m })),
      room: summary(),
    }),
    enter: () => ({
      room: { ...summary(), message_read: 0, read_seq: 0, marked_unread: 0, mark_version: 0 } as RoomSummary,
      messages: messages.slice(-30).map((m) => ({ ...m })),
      has_more: messages.length > 30,
      asides: [],
    }),
    history: (before: number) => {
      const older = messages.filter((m) => m.seq < before)
      return { messages: older.slice(-30).map((m) => ({ ...m })), has_more: older.length > 30, asides: [] }
    },
    all: () => messages,
    version: () => version,
    summary,
  }
}
type Server = ReturnType<typeof makeServer>

const act = (server: Server, roll: () => number) => {
  const what = roll()
  if (what < 0.6) server.write(1 + Math.floor(roll() * 3))
  else if (what < 0.9) server.settle(Math.floor(roll() * server.all().length))
  else server.touch()
}

/** Applies a change as the stores do. */
const receive = (state: RoomState, change: RoomChange, server: Server): RoomState => {
  const { outcome, state: next } = applyChange(state, change)
  if (outcome === 'reset') return freshRoom(server.enter())
  if (outcome === 'gap') return receive(state, server.sync(state.version), server)
  return next
}

describe('[ROOM-12] a room in the browser', () => {
  it('old state + events (lost, repeated, late, shuffled) + sync = fresh state, for 300 random histories', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const roll = dice(seed)
      const server = makeServer()
      for (let i = 0; i < 20 + roll() * 60; i++) act(server, roll)
      let state = freshRoom(server.enter())
      let page: ReturnType<Server['history']> | undefined
      const receivedUpTo = server.log.length
      for (let i = 0; i < roll() * 60; i++) {
        // A history page is read now and arrives several changes later.
        if (roll() < 0.1 && state.hasMore) page = server.history(state.messages[0]?.seq ?? 0)
        act(server, roll)
        if (roll() < 0.7) state = receive(state, server.log.at(-1) as RoomChange, server)
        if (roll() < 0.2) {
          const old = server.log[receivedUpTo + Math.floor(roll() * (server.log.length - receivedUpTo))]
          if (old) state = receive(state, old, server)
        }
        if (page && roll() < 0.3) {
          state = prependOlder(state, page)
          page = undefined
        }
      }
      state = receive(state, server.sync(state.version), server)
      while (state.hasMore) state = prependOlder(state, server.history(state.messages[0]?.seq ?? 0))
      expect(state.messages, `seed ${seed}`).toEqual(server.all())
      expect(state.version).toBe(server.version())
    }
  })

  it('drops known events, reports a gap, and reloads on a reset', () => {
    const server = makeServer()
    server.write(2)
    const state = freshRoom(server.enter())
    server.write(1)
    server.write(1)
    const [, third, fourth] = server.log as [RoomChange, RoomChange, RoomChange]
    expect(applyChange(state, fourth).outcome).toBe('gap')
    const { state: next } = applyChange(state, third)
    expect(applyChange(next, third).outcome).toBe('known')
    expect(applyChange(next, fourth).state.messages.map((m) => m.seq)).toEqual([1, 2, 3, 4])
    expect(applyChange(next, { ...fourth, reset: true }).outcome).toBe('reset')
  })

  it('takes the first message of an empty room', () => {
    const server = makeServer()
    const state = freshRoom(server.enter())
    server.write(1)
    expect(applyChange(state, server.log[0] as RoomChange).state.messages).toHaveLength(1)
  })
})

describe('[CHAT-02] a row of the list', () => {
  it('keeps the newer of two summaries, and a read mark never goes back', () => {
    const server = makeServer()
    server.write(3)
    const old = server.enter().room
    const read = { ...old, read_seq: 3, message_read: 1 as const }
    expect(newerSummary(read, old).read_seq).toBe(3)
    expect(unreadIn(newerSummary(read, old))).toBe(0)
    server.write(2)
    const next = changedSummary(read, server.log.at(-1) as RoomChange)
    expect([unreadIn(next), next.message_read, next.message_content]).toEqual([2, 0, 'text 5'])
    expect(changedSummary(next, server.log[0] as RoomChange)).toBe(next)
  })

  it('[DESK-03] [DESK-07] what an event does not have any more does not stay: who was given it by hand has no time to answer', () => {
    const { room } = makeServer().enter()
    const known = { ...room, assigned_at: '2026-11-30T10:00:00.000Z', snoozed_until: '2026-11-30T12:00:00.000Z' }
    const next = changedSummary(known, { room: { ...room, desk_version: room.desk_version + 1 } })
    expect([next.assigned_at, next.snoozed_until]).toEqual([undefined, undefined])
  })

  it('[CONV-06] a colleague’s answer clears what is unread, but not a mark as unread', () => {
    const server = makeServer()
    server.write(3)
    const { room } = server.enter()
    const answered = { room: { ...room, desk_version: room.desk_version + 1, last_seq: 4, unanswered: 0 } }
    const seen = changedSummary(room, answered)
    expect([unreadIn(seen), seen.message_read, seen.read_seq]).toEqual([0, 1, 0])
    const marked = changedSummary({ ...room, marked_unread: 1, mark_version: 1 }, answered)
    expect([unreadIn(marked), marked.message_read]).toEqual([0, 0])
    // The next question counts alone, though this account has read none of the earlier messages.
    const again = changedSummary(seen, {
      room: { ...answered.room, desk_version: room.desk_version + 2, last_seq: 5, unanswered: 1 },
    })
    expect([unreadIn(again), again.message_read]).toEqual([1, 0])
  })
})
