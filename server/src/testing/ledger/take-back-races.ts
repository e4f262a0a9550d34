import { randomUUID } from 'node:crypto'
import type { Message, RoomChange } from '@tallyroom/contract/events'
import { MessageType } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import sharp from 'sharp'
import type { Person, TestServer } from '../app.ts'
import { outcomeOf } from '../outcome.ts'

/** What was found: `faults` must stay empty. The counts say that both orders came up. */
export type Races = {
  faults: string[]
  /** Quotes that came before the message was taken back, and after. */
  quoted: number
  unquoted: number
  /** Readers that still had the words, and those that had none. */
  saw: number
  missed: number
}

const photo = async (seed: number) => {
  const image = sharp({ create: { width: 8 + (seed % 40), height: 8, channels: 3, background: '#336699' } })
  return `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`
}
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/**
 * A message is taken back while both sides read, search and quote it, and while a second page takes it back too. In
 * whatever order they come, afterwards no answer and no last event has its words. The two servers share a database.
 */
export const takeBackRaces = async (first: TestServer, second: TestServer, count: number): Promise<Races> => {
  const { agent, member, room } = await first.family()
  const there = second.here(agent)
  const found: Races = { faults: [], quoted: 0, unquoted: 0, saw: 0, missed: 0 }
  const pages = await Promise.all([agent, member].map((who) => followRoom([who, second.here(who)])))
  for (let n = 0; n < count; n++) {
    const isPhoto = n % 10 === 9
    const secret = `Zq${randomUUID()}`
    const sent = await member.call('sendMessage', {
      code: room,
      type: isPhoto ? MessageType.image : MessageType.text,
      content: isPhoto ? await photo(n) : secret,
    })
    const words = sent.content
    const { message_id } = sent
    const isIn = (answer: unknown) => JSON.stringify(answer).includes(words)
    const fault = (what: string) => found.faults.push(`${n}: ${what}`)
    const take = async (who: Person) => {
      await pause(n % 7)
      return outcomeOf(await who.ask('message/takeBack', { code: room, message_id, request_id: randomUUID() }))
    }
    const reading = [
      () => there.ask('room/history', { code: room, around: sent.seq, per_page: 5 }),
      () => there.ask('room/sync', { code: room, version: sent.version - 1 }),
      () => there.ask('search/messages', { text: words }),
      () => there.ask('room/list', {}),
      () => member.ask('room/enter', { code: room }),
      () => fetchImage(second, agent, isPhoto ? words : ''),
    ]
    const quote = {
      code: room,
      type: MessageType.text,
      content: `about ${n}`,
      quote: message_id,
      request_id: randomUUID(),
    }
    const [one, two, answered, ...read] = await Promise.all([
      take(member),
      take(second.here(member)),
      pause((n * 5) % 11).then(() => there.ask('sendMessage', quote)),
      ...reading.map((ask) => ask()),
    ])
    if ([one, two].toSorted().join() !== 'done,message.already_taken_back')
      fault(`two takings were answered ${one} and ${two}`)
    if (answered.code === OK) found.quoted++
    else if (answered.refusal === 'message.quote_taken_back') found.unquoted++
    else fault(`the quote was answered ${answered.code} ${answered.message}`)
    for (const answer of read) found[isIn(answer) ? 'saw' : 'missed']++

    // From here on it is taken back for everybody.
    for (const [at, ask] of reading.entries()) if (isIn(await ask())) fault(`reader ${at} still has its words`)
    const again = await there.ask('sendMessage', quote)
    if (again.code !== answered.code || isIn(again)) fault('the repeated quote has its words, or another outcome')
    for (const page of pages) {
      await page.reach(sent.seq)
      for (const message of page.messages.values())
        if (isIn(message)) fault('a page that heard the events has its words')
    }
    const views = await Promise.all(
      [there, member].map(async (who) => {
        const { messages } = await who.call('room/history', { code: room, around: sent.seq, per_page: 5 })
        return messages.map(({ seq, type, content, taken_back, quote: of }) => [
          seq,
          type,
          content,
          taken_back,
          of?.taken_back,
        ])
      }),
    )
    if (JSON.stringify(views[0]) !== JSON.stringify(views[1])) fault('the two sides differ')
  }
  return found
}

const fetchImage = async (server: TestServer, { token }: Person, path: string): Promise<string> => {
  if (!path) return ''
  const { status } = await fetch(server.address + path, { headers: { authorization: `Bearer ${token}` } })
  return status === 200 ? path : ''
}

/**
 * A page that gets only the events: the newest version of each message. Without Redis a server sends events only to its own
 * sockets, so it listens at both.
 */
const followRoom = async (who: Person[]) => {
  const messages = new Map<number, Message>()
  let look = () => {}
  const hear = ({ messages: news }: RoomChange) => {
    for (const message of news)
      if ((messages.get(message.seq)?.version ?? 0) < message.version) messages.set(message.seq, message)
    look()
  }
  for (const one of who) (await one.socket()).on('room', hear)
  /** Until it has heard that the message with this seq was taken back. */
  const reach = (seq: number) =>
    new Promise<void>((done) => {
      look = () => messages.get(seq)?.taken_back && done()
      look()
    })
  return { messages, reach }
}
