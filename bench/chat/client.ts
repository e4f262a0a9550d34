import { answerParent } from '../lib/child.ts'
import { quantile } from '../lib/stats.ts'
import { openRelay, openTallyroom, type ChatUser, type ChatConnection } from './chat-connections.ts'
import { openEjabberd } from './xmpp.ts'

type Who = 'ours' | 'relay' | 'ejabberd'
type Flying = { user: number; sent: number; left: number }

const LONGEST_WAIT = 15_000

let connection: ChatConnection | undefined
const opened = () => {
  if (!connection) throw new Error('No connection is open: call `open` first')
  return connection
}
let users: ChatUser[] = []
/** The number of sockets that receive each message, including the sender's. */
let listeners = 0
let sample = ''

const flying = new Map<number, Flying>()
let latencies: number[] = []
let last = 0
let delivered: () => void = () => undefined

const hear = (user: number, packet: string) => {
  // Several messages of one room may come in one packet.
  // The mark finds the content of a message that this client sent, with its number.
  if (!connection) return
  const mark = `${connection.mark}~`
  for (let at = packet.indexOf(mark); at >= 0; at = packet.indexOf(mark, at + 1)) {
    sample ||= packet
    const id = Number.parseInt(packet.slice(at + mark.length), 10)
    const message = flying.get(id)
    if (!message) throw new Error(`message ${id} came once too often`)
    // The sender's own copy does not count.
    if (message.user !== user) latencies.push(performance.now() - message.sent)
    if (--message.left > 0) continue
    flying.delete(id)
    if (flying.size === 0) delivered()
  }
}

/** A message of 60 letters. The users send in a fixed order, and each user goes through its rooms in order. */
const prepare = (id: number) => {
  const user = id % users.length
  const { rooms } = users[user] as ChatUser
  const room = rooms[Math.floor(id / users.length) % rooms.length] ?? ''
  return { id, user, message: opened().prepare(user, room, `~${id}~`.padEnd(60, 'x')) }
}
type Prepared = ReturnType<typeof prepare>
let prepared: Prepared[] = []

const send = ({ id, user, message }: Prepared, done: () => void) => {
  flying.set(id, { user, sent: performance.now(), left: listeners })
  opened().send(user, message, done)
}

/** Each seat sends its next message when the last one was answered. */
const asFastAsTheyCan = (end: number) =>
  Promise.all(
    users.map(
      () =>
        new Promise<void>((resolve) => {
          const next = () => {
            const message = performance.now() < end ? prepared.shift() : undefined
            if (message) send(message, next)
            else resolve()
          }
          next()
        }),
    ),
  )

/** Sends `rate` messages a second, whether or not the earlier ones were answered. */
const steadily = async (rate: number, began: number) => {
  const answers: Promise<void>[] = []
  const all = prepared.length
  while (prepared.length) {
    const due = Math.min(all, Math.floor(((performance.now() - began) / 1000) * rate))
    while (all - prepared.length < due) {
      const message = prepared.shift()
      if (message) answers.push(new Promise((resolve) => send(message, resolve)))
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(answers)
}

const arrival = () =>
  new Promise<void>((resolve, reject) => {
    if (flying.size === 0) return resolve()
    const late = setTimeout(() => reject(new Error(`${flying.size} messages never arrived`)), LONGEST_WAIT)
    delivered = () => {
      clearTimeout(late)
      resolve()
    }
  })

const questions = {
  open: async (given: { who: Who; url: string; secret?: string; users: ChatUser[]; listeners: number }) => {
    ;({ users, listeners } = given)
    const { who, url, secret = '' } = given
    const openers = {
      ours: () => openTallyroom(url, secret, users, hear),
      relay: () => openRelay(url, users, hear),
      ejabberd: () => openEjabberd(url, users, hear),
    }
    connection = await openers[who]()
  },
  /** One delivered packet, as a model for the relay. */
  sample: () => sample,
  prepare: async (count: number) => {
    prepared = Array.from({ length: count }, () => prepare(last++))
    await opened().ready?.()
  },
  /** With a rate: that many messages a second. Without: as many as possible. */
  run: async ({ seconds, rate }: { seconds: number; rate?: number }) => {
    latencies = []
    const before = prepared.length
    const began = performance.now()
    await (rate ? steadily(rate, began) : asFastAsTheyCan(began + seconds * 1000))
    await arrival()
    const took = (performance.now() - began) / 1000
    const sent = before - prepared.length
    const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)]
    return { sent, rate: sent / took, p50, p99 }
  },
}
export type ChatClient = typeof questions

answerParent(questions, async () => connection?.close())
