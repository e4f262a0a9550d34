import { setTimeout as pause } from 'node:timers/promises'
import type { Message, RoomChange } from '@tallyroom/contract/events'
import { MessageType, RoomStatus, RoomType } from '@tallyroom/contract/codes'
import { Server } from 'socket.io'
import { answerParent } from '../bench/lib/child.ts'
import { openRedis } from '../server/src/data/redis.ts'
import { makeLog } from '../server/src/lib/log.ts'
import type { Io } from '../server/src/live/io.ts'
import { isTopicNeeded, topicOf } from '../server/src/live/channels.ts'
import { makeHub } from '../server/src/live/live-hub.ts'
import { openRelay } from '../server/src/live/relay.ts'

// One copy of proofs/relay-load.ts: hub and relay as in live/sockets.ts, with sockets that only count what they are sent.
export type World = { url: string; copy: number; copies: number; groups: number; colleagues: number; members: number }
type Room = { id: number; code: string; groupId: number; partnerId: number }

const groupOf = (group: number) => group + 1
const colleagueOf = (group: number, n: number) => 1000 + group * 100 + n
const roomOf = (world: World, group: number, n: number): Room => {
  const id = 100_000 + group * world.members + n
  return { id, code: `room${id}`, groupId: groupOf(group), partnerId: id }
}

/** The same numbers in each run. */
const randomFrom = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const message = (room: Room, seq: number): Message => ({
  message_id: `${room.id}-${seq}`,
  room_id: room.id,
  member_id: room.partnerId,
  seq,
  version: seq,
  type: MessageType.text,
  content: 'Hello, I have sent the slip. Could you have a look please?',
  is_self: false,
  created_at: '2026-11-23T12:00:00.000Z',
  nickname: 'Customer service',
  username: 'service01',
  thumbnail: '',
  user_username: 'service01',
  bot: 0,
  width: null,
  height: null,
  transaction_id: null,
  transaction_status: null,
  transaction_corrected: false,
  transaction_type: null,
  amount: null,
  remark: null,
  expires_at: null,
})
const changeOf = (room: Room, seq: number): RoomChange => ({
  code: room.code,
  since: seq - 1,
  version: seq,
  reset: false,
  messages: [message(room, seq)],
  room: {
    id: room.id,
    room_id: room.id,
    code: room.code,
    member_id: room.partnerId,
    members: [room.partnerId, room.groupId],
    name: 'A member',
    username: 'member01',
    partner_username: 'member01',
    thumbnail: '',
    status: RoomStatus.shown,
    bot: 0,
    version: seq,
    last_seq: seq,
    message_type: MessageType.text,
    transaction_type: null,
    message_content: 'Hello, I have sent the slip. Could you have a look please?',
    message_taken_back: 0,
    message_time: '2026-11-23T12:00:00.000Z',
    other_read_seq: seq,
    other_delivered_seq: seq,
    delivered_seq: seq,
    unanswered: 0,
    isThird: 0,
    type: RoomType.member,
    friend_id: room.partnerId,
    desk_version: seq,
    waiting_since: null,
    owner_id: null,
    owner_name: '',
    aside_seq: 0,
  },
})

const begin = async (world: World) => {
  const { copy, copies, groups, colleagues, members } = world
  const log = makeLog('silent')
  const io: Io = new Server()
  const { adapter, sockets } = io.of('/')
  const sums = { delivered: 0, frames: 0, gaps: 0 }
  const redis = await openRedis(world.url, log)
  const counting: Pick<typeof redis, 'isReady' | 'publish' | 'listen'> = {
    get isReady() {
      return redis.isReady
    },
    publish: (channel, text) => redis.publish(channel, text),
    listen: (channel, receive, onReady) => {
      const count = (text: string, from: string) => {
        sums.frames++
        receive(text, from)
      }
      return redis.listen(channel, count, onReady)
    },
  }
  const relay = openRelay(
    counting,
    { channel: 'load', key: Buffer.alloc(32), log },
    {
      perform: (action) => hub.perform(action),
      onGap: () => sums.gaps++,
      onDark: () => undefined,
      isNeeded: (topic) => isTopicNeeded(adapter.rooms, topic),
    },
  )
  const hub = makeHub(io, relay, { look: () => undefined, recheck: () => undefined, noteMoved: () => undefined }, log)
  const wanted: Promise<void>[] = []
  adapter.on('create-room', (name: string) => wanted.push(relay.want([topicOf(name) ?? []].flat())))
  await relay.subscribed

  const random = randomFrom(7)
  let last = 0
  const join = (names: string[]) => {
    // Each copy throws the same dice for all sockets, and takes those that fall to it.
    if (random(copies) !== copy) return
    const id = `socket${last++}`
    const client = { writeToEngine: () => sums.delivered++ }
    sockets.set(id, { id, client } as never)
    void adapter.addAll(id, new Set(names))
  }
  for (let group = 0; group < groups; group++) {
    for (let n = 0; n < colleagues; n++) {
      const id = colleagueOf(group, n)
      const open = roomOf(world, group, random(members))
      join([
        `user:${id}`,
        `session:${id}`,
        `group:${groupOf(group)}`,
        `room:${open.code}`,
        `partner:${open.partnerId}`,
        'below:1',
      ])
    }
    for (let n = 0; n < members; n++) {
      const { code, partnerId } = roomOf(world, group, n)
      join([`user:${partnerId}`, `session:${partnerId}`, `room:${code}:partner`, 'below:1'])
    }
  }
  await Promise.all(wanted)

  /** A message, what both sides have received, and typing: what a conversation consists of. */
  const say = (room: Room, sender: number, seq: number) => {
    hub.presence(
      room,
      { actor: { id: sender, username: 'service01', nickname: 'Service' }, side: 'group' },
      'typing',
      false,
    )
    hub.roomChanged(room, () => changeOf(room, seq), [sender])
    hub.delivered({ ...room, groupSeq: seq, partnerSeq: seq })
  }
  return {
    sockets: last,
    channels: () => adapter.rooms.size,
    async run({ messages, seconds }: { messages: number; seconds: number }) {
      const chosen = randomFrom(1000 + copy)
      const before = { ...sums, cpu: process.cpuUsage() }
      // All copies must count by then.
      await pause(500)
      const began = performance.now()
      for (let n = 0; n < messages; n++) {
        const group = chosen(groups)
        say(roomOf(world, group, chosen(members)), colleagueOf(group, chosen(colleagues)), n + 1)
        await pause(Math.max(0, began + ((n + 1) * seconds * 1000) / messages - performance.now()))
      }
      await pause(Math.max(0, began + (seconds + 2) * 1000 - performance.now()))
      const cpu = process.cpuUsage(before.cpu)
      const took = (performance.now() - began) / 1000
      return {
        cpuMs: (cpu.user + cpu.system) / 1000 / took,
        frames: (sums.frames - before.frames) / took,
        delivered: sums.delivered - before.delivered,
        gaps: sums.gaps - before.gaps,
      }
    },
  }
}

let copy: Awaited<ReturnType<typeof begin>> | undefined
const questions = {
  begin: async (world: World) => {
    copy = await begin(world)
    return { sockets: copy.sockets }
  },
  run: (load: { messages: number; seconds: number }) => {
    if (!copy) throw new Error('the copy has not begun')
    return copy.run(load)
  },
}
export type CopyQuestions = typeof questions
answerParent(questions)
