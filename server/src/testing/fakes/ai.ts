import { Writable } from 'node:stream'
import type { Message } from '@tallyroom/contract/events'
import { MessageType, Role } from '@tallyroom/contract/codes'
import { pino } from 'pino'
import { startBot } from '../../chat/bot/responder.ts'
import { claimJobs, type Job } from '../../chat/bot/work.ts'
import { one, run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../app.ts'
import { openEndpoint } from './endpoint.ts'
import { whenDone } from '../postgres.ts'

/** A family whose group has a bot, with a member whose room started with the bot. */
export const botFamily = async (server: TestServer) => {
  const { top, agent, cs, member: old, room: oldRoom } = await server.family()
  for (const { id } of [agent, cs]) await top.call('user/saveAbilities', { id, chat_ai_bot_visible: 1 })
  await agent.call('ai/save', { ai_rooms: 1 })
  const member = await server.person({ role: Role.member, under: agent })
  const room = await roomOf(member)
  return { top, agent, cs, member, old, oldRoom, ...room }
}

export const roomOf = async (member: Person) => {
  const { code, room_id } = (await member.call('room/list', {})).data[0] ?? { code: '', room_id: 0 }
  return { code, room_id }
}

/** Sends a text as the member and returns the messages after it, as soon as there is one. */
export const sendAndAwait = async (member: Person, code: string, content: string): Promise<Message[]> => {
  const { seq } = await member.call('sendMessage', { code, type: MessageType.text, content })
  return messagesAfter(member, code, seq)
}

/** The messages after a seq, as soon as there is one. */
export const messagesAfter = async (who: Person, code: string, seq: number): Promise<Message[]> => {
  for (;;) {
    const { messages } = await who.call('room/history', { code, per_page: 100 })
    const news = messages.filter((message) => message.seq > seq)
    if (news.length) return news
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Expires all leases, as if their holders had died. */
export const leasesEnd = ({ services }: TestServer) =>
  run(services.db, sql`update ai_work set lease_until = now() - interval '1 hour'`)

const KEY = 'sk-canary-0123456789'

/** A server with an AI endpoint whose bot answers only after `answering(true)`. */
export const botServer = async () => {
  const endpoint = await openEndpoint()
  let logged = ''
  const sink = new Writable({
    write: (chunk, _, done) => {
      logged += String(chunk)
      done()
    },
  })
  const env = { AI_URL: endpoint.url, AI_KEY: KEY, AI_MODEL: 'little', AI_TIMEOUT_MS: '1500', AI_ANSWERS: '0' }
  const server = await startTestServer(env, pino({ level: 'debug' }, sink))
  const parts = () => ({ ...server.services, bot: server.services.settings.bot })
  let stopBot: (() => Promise<void>) | undefined
  const answering = async (on: boolean) => {
    if (on) stopBot ??= startBot(parts(), 10)
    else {
      await stopBot?.()
      stopBot = undefined
    }
  }
  whenDone(async () => {
    await answering(false)
    endpoint.close()
  })
  /** Waits until no room has work left. */
  const quiet = async () => {
    while (((await one<{ n: number }>(server.services.db, sql`select count(*)::int as n from ai_work`))?.n ?? 0) > 0)
      await new Promise((resolve) => setTimeout(resolve, 10))
  }
  /** Claims the only job, as another process would. */
  const take = async (): Promise<Job> => {
    const [job, ...others] = await claimJobs(server.services.db, 8, 60)
    if (!job || others.length) throw new Error(`${others.length + (job ? 1 : 0)} jobs to take`)
    return job
  }
  return { house: server, endpoint, key: KEY, logged: () => logged, parts, answering, quiet, take }
}

export const contents = (messages: Message[]) => messages.map(({ content }) => content)
export const talk = async (who: Person, code: string) =>
  (await who.call('room/history', { code, per_page: 100 })).messages
export const roomFacts = async (who: Person, code: string) => (await who.call('room/enter', { code })).room
