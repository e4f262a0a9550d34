import type { Message, RoomChange, RoomSummary } from '@tallyroom/contract/events'
import { errors } from '@tallyroom/contract/errors'
import { RoomStatus } from '@tallyroom/contract/codes'
import { describe, expect, it } from 'vitest'
import { type Call, CallError } from '../../../api/call.ts'
import { makeRooms } from './rooms.ts'

/** A server with one room; `hold` delays its answers. */
const setUp = () => {
  const messages: Message[] = []
  const asked: string[] = []
  const summary = (): RoomSummary =>
    ({
      code: 'r',
      room_id: 1,
      member_id: 7,
      status: RoomStatus.shown,
      version: messages.length,
      desk_version: messages.length,
      mark_version: 0,
      marked_unread: 0,
      delivered_seq: 0,
      other_delivered_seq: 0,
      last_seq: messages.length,
      unanswered: messages.length,
      read_seq: 0,
      message_read: 0,
      message_time: String(messages.length),
    }) as RoomSummary
  const write = (): RoomChange => {
    const since = messages.length
    messages.push({ message_id: `m${since + 1}`, seq: since + 1, version: since + 1, is_self: false } as Message)
    return changeSince(since)
  }
  const changeSince = (since: number): RoomChange => ({
    code: 'r',
    since,
    version: messages.length,
    reset: false,
    messages: messages.filter((message) => message.version > since),
    room: summary(),
  })
  let gate: Promise<void> = Promise.resolve()
  const answers: Record<string, (input: never) => unknown> = {
    'room/list': () => ({ data: [summary()], cursor: '1' }),
    'room/enter': () => ({ room: summary(), messages: messages.slice(-2), has_more: messages.length > 2, asides: [] }),
    'room/sync': ({ version }: { version: number }) => changeSince(version),
    'room/history': ({ before }: { before: number }) => {
      const older = messages.filter((message) => message.seq < before)
      return { messages: older.slice(-2), has_more: older.length > 2, asides: [] }
    },
  }
  const ask = (async (name: string, input: never) => {
    asked.push(name)
    const answer = answers[name]?.(input)
    await gate
    return answer
  }) as unknown as Call
  const pause = () => {
    let open = () => {}
    gate = new Promise((resolve) => {
      open = resolve
    })
    return () => {
      gate = Promise.resolve()
      open()
    }
  }
  /** The room is another group's from now on. */
  const takeAway = () => {
    for (const name of ['room/sync', 'room/enter'])
      answers[name] = () => {
        throw new CallError(errors['room.not_found'], 'Conversation not found.', {}, 'room.not_found')
      }
  }
  return { ask, asked, write, pause, takeAway }
}
const idle = () => new Promise((resolve) => setTimeout(resolve, 10))
const seqs = (rooms: ReturnType<typeof makeRooms>) => rooms.room('r')?.state?.messages.map((message) => message.seq)

describe('[ROOM-12] the rooms of a page', () => {
  it('[ROOM-12] a room that appears after the list was loaded is fetched, also while a call is running', async () => {
    const { ask, asked, write, pause } = setUp()
    const rooms = makeRooms(ask)
    // No list is loaded yet, so there is nothing to catch up with.
    rooms.reconnected()
    expect(asked).toEqual([])
    const open = pause()
    const change = write()
    const first = rooms.loadList(1)
    open()
    await first
    rooms.clear()
    await rooms.loadList(2)
    const release = pause()
    rooms.receiveRoom({ ...change, code: 'other' })
    rooms.receiveRoom({ ...change, code: 'third' })
    release()
    await rooms.catchUp()
    expect(asked.filter((name) => name === 'room/list').length).toBeGreaterThanOrEqual(4)
  })

  it('a change during the first load of the list is in the list afterwards', async () => {
    for (const tell of ['event', 'connection'] as const) {
      const { ask, write, pause } = setUp()
      const rooms = makeRooms(ask)
      const release = pause()
      const loading = rooms.loadList(1)
      const change = write()
      if (tell === 'event') rooms.receiveRoom(change)
      else rooms.reconnected()
      release()
      await loading
      await idle()
      expect(rooms.list(1).map(({ last_seq }) => last_seq)).toEqual([1])
    }
  })

  it('resyncs a room after a lost event', async () => {
    const { ask, asked, write } = setUp()
    const rooms = makeRooms(ask)
    await rooms.loadList(1)
    await rooms.openRoom({ code: 'r' })
    write()
    rooms.receiveRoom(write())
    await idle()
    expect(seqs(rooms)).toEqual([1, 2])
    expect(asked).toContain('room/sync')
  })

  it('applies events that arrive while the room is loading', async () => {
    const { ask, write, pause } = setUp()
    write()
    const rooms = makeRooms(ask)
    const release = pause()
    const entering = rooms.openRoom({ code: 'r' })
    rooms.receiveRoom(write())
    rooms.receiveRoom(write())
    release()
    await entering
    await idle()
    expect(seqs(rooms)).toEqual([1, 2, 3])
  })

  it('[ROOM-04] loads older pages while events arrive', async () => {
    const { ask, write, pause } = setUp()
    for (let i = 0; i < 7; i++) write()
    const rooms = makeRooms(ask)
    await rooms.openRoom({ code: 'r' })
    const release = pause()
    const loading = rooms.older('r')
    rooms.receiveRoom(write())
    release()
    await loading
    await rooms.older('r')
    await rooms.older('r')
    expect(seqs(rooms)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(rooms.room('r')?.state?.hasMore).toBe(false)
  })

  it('[CONV-01] a prefetched room stays unread, is loaded once, and is up to date when it is opened', async () => {
    const { ask, asked, write, pause } = setUp()
    write()
    const rooms = makeRooms(ask)
    await rooms.loadList(1)
    const release = pause()
    const ahead = rooms.fetchAhead('r')
    await rooms.fetchAhead('r')
    const opening = rooms.openRoom({ code: 'r' })
    release()
    await Promise.all([ahead, opening])
    expect(asked.filter((name) => name === 'room/enter')).toEqual(['room/enter'])
    expect(rooms.summary('r')?.message_read).toBe(0)
    write()
    await rooms.openRoom({ code: 'r' })
    expect(seqs(rooms)).toEqual([1, 2])
  })

  it('[CONV-01] the open room stays loaded, however many are prefetched', async () => {
    const ask = (async (_: string, { code }: { code: string }) => ({
      room: { code, version: 0, desk_version: 0, mark_version: 0 },
      messages: [],
      has_more: false,
      asides: [],
    })) as unknown as Call
    const rooms = makeRooms(ask)
    await rooms.openRoom({ code: 'open' })
    for (let n = 0; n < 50; n++) await rooms.fetchAhead(`ahead${n}`)
    expect(rooms.room('open')?.state).toBeDefined()
    expect(rooms.room('ahead0')).toBeUndefined()
  })

  it('[CHAT-09] reports each new message once', async () => {
    const { ask, write } = setUp()
    const news: number[] = []
    const rooms = makeRooms(ask, { onNews: (_, messages) => news.push(...messages.map((message) => message.seq)) })
    write()
    await rooms.loadList(1)
    const change = write()
    rooms.receiveRoom(change)
    rooms.receiveRoom(change)
    await idle()
    expect(news).toEqual([2])
    expect(rooms.list(1)[0]?.message_read).toBe(0)
    rooms.markRead('r', 2)
    expect(rooms.list(1)[0]?.message_read).toBe(1)
  })

  it('forgets everything, and drops pending answers, when another account signs in', async () => {
    const { ask, write, pause } = setUp()
    write()
    const rooms = makeRooms(ask)
    const release = pause()
    const loading = rooms.loadList(1)
    rooms.clear()
    release()
    await loading
    expect(rooms.list(1)).toEqual([])
  })
})

describe('[TREE-03] a room whose partner was moved to another group', () => {
  it('leaves the list, and nothing of it stays in the page', async () => {
    const { ask, write, takeAway } = setUp()
    write()
    const rooms = makeRooms(ask)
    await rooms.loadList(1)
    await rooms.openRoom({ code: 'r' })
    expect([rooms.list(1).length, seqs(rooms)]).toEqual([1, [1]])
    takeAway()
    rooms.receiveGone({ codes: ['r', 'unknown'] })
    await idle()
    expect([rooms.list(1), rooms.counts(1).all, rooms.unread(), rooms.summary('r')]).toEqual([[], 0, [], undefined])
    expect(rooms.room('r')).toMatchObject({ loading: 'failed', error: 'Conversation not found.' })
    expect(seqs(rooms)).toBeUndefined()
  })

  it('is not brought back by an answer that was asked for before', async () => {
    const { ask, write, pause, takeAway } = setUp()
    write()
    const rooms = makeRooms(ask)
    await rooms.loadList(1)
    const release = pause()
    const late = rooms.catchUp()
    takeAway()
    rooms.receiveGone({ codes: ['r'] })
    release()
    await late
    expect([rooms.list(1), rooms.wasRemoved('r')]).toEqual([[], true])
  })

  it('also when the event was missed: the next connection finds out', async () => {
    const { ask, write, takeAway } = setUp()
    write()
    const rooms = makeRooms(ask)
    await rooms.loadList(1)
    await rooms.openRoom({ code: 'r' })
    takeAway()
    await rooms.sync('r')
    expect([rooms.summary('r'), seqs(rooms)]).toEqual([undefined, undefined])
  })
})
