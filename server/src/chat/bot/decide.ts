import { MessageType } from '@tallyroom/contract/codes'
import type { Line } from '@tallyroom/contract/events'
import type { Logger } from 'pino'
import { type Db, many, one, sql } from '../../data/sql.ts'
import type { BotSettings } from '../../config/settings.ts'
import { asksForPeople } from './asks-for-people.ts'
import { askEndpoint, type PromptMessage } from './endpoint.ts'
import { findReply, type QuickReply } from './matcher.ts'
import type { Job } from './work.ts'

/** The bot's answer, or why it hands over to customer service. */
export type Decision = { reply: string } | { handOff: Line }

/** The endpoint answers this to hand over to customer service (prompts/bot.md). */
const HAND_OFF_MARK = '[[PEOPLE]]'
/** After so many processes died answering a job, it is handed over instead. */
const MAX_TRIES = 3
const MAX_MESSAGE_LENGTH = 2000
const MAX_HISTORY_LENGTH = 8000
const MAX_REPLIES_LENGTH = 6000

type Room = { topId: number; groupId: number; username: string; nickname: string; allowed: boolean }
type HistoryMessage = { seq: number; type: number; content: string; fromPartner: boolean }

export const decideReply = async (
  { db, bot, log }: { db: Db; bot: BotSettings | undefined; log: Pick<Logger, 'warn'> },
  job: Job,
  stop: AbortSignal,
): Promise<Decision> => {
  if (job.tries > MAX_TRIES) return { handOff: 'bot_failed' }
  const room = await roomOf(db, job.roomId)
  if (!room?.allowed) return { handOff: 'bot_is_off' }
  const asked = await loadMessages(
    db,
    sql`m.room_id = ${job.roomId} and m.from_partner and m.seq between ${job.fromSeq} and ${job.toSeq}`,
    50,
  )
  // The bot cannot answer a photo or a transfer.
  if (asked.some(({ type }) => type !== MessageType.text)) return { handOff: 'bot_did_not_know' }
  const question = asked.map(({ content }) => content).join('\n')
  if (asksForPeople(question)) return { handOff: 'asked_for_people' }
  const replies = await loadReplies(db, room)
  const known = findReply(asked.at(-1)?.content ?? '', replies) ?? findReply(question, replies)
  if (known) return { reply: fillPlaceholders(known.content, room) }
  if (!bot) return { handOff: 'bot_did_not_know' }
  try {
    const before = await loadMessages(db, sql`m.room_id = ${job.roomId} and m.seq <= ${job.toSeq}`, bot.history)
    const said = await askEndpoint(bot, buildPrompt(bot, replies, before), stop)
    return said.includes(HAND_OFF_MARK)
      ? { handOff: 'bot_did_not_know' }
      : { reply: truncateAnswer(fillPlaceholders(said, room), bot.answerLength) }
  } catch (error) {
    if (stop.aborted) throw error
    log.warn(
      { room: job.roomId, why: error instanceof Error ? error.message : String(error) },
      'the bot could not answer',
    )
    return { handOff: 'bot_failed' }
  }
}

/** A group may use the bot while its agent or admin may (chat_ai_bot_visible). */
const roomOf = (db: Db, roomId: number) =>
  one<Room>(
    db,
    sql`select r.top_id as "topId", r.group_id as "groupId", p.username, p.nickname, g.chat_ai_bot_visible = 1 as allowed
      from rooms r join accounts p on p.id = r.partner_id join accounts g on g.id = r.group_id where r.id = ${roomId}`,
  )

/** The newest messages, oldest first: texts and photos of both sides, never event lines. */
const loadMessages = async (db: Db, condition: ReturnType<typeof sql>, most: number): Promise<HistoryMessage[]> =>
  (
    await many<HistoryMessage>(
      db,
      sql`select m.seq, m.type, m.content, m.from_partner as "fromPartner" from messages m
        where ${condition} and (m.type in (1, 2) or m.from_partner) order by m.seq desc limit ${most}`,
    )
  ).toReversed()

/** The group's public quick replies (types 1 and 3) without an image: the only texts the bot may use. */
const loadReplies = async (db: Db, { topId, groupId }: Room): Promise<QuickReply[]> => {
  const rows = await many<QuickReply>(
    db,
    sql`select title, content from templates
      where top_id = ${topId} and group_id = ${groupId} and type in (1, 3) and image_id is null order by id desc limit 300`,
  )
  // The bot knows only names; a reply with another placeholder, such as a balance, is left to people.
  return rows.filter(({ content }) => !/\{(?!nickname\}|username\})[a-z_]+\}/i.test(content))
}

/** Runs after the endpoint answered, so that the endpoint never learns a name. */
const fillPlaceholders = (words: string, { username, nickname }: Room) =>
  words.replaceAll('{nickname}', () => nickname || username).replaceAll('{username}', () => username)

/** The rules and quick replies as the system's message, then the conversation. A member's text always has the role `user`. */
const buildPrompt = (bot: BotSettings, replies: QuickReply[], history: HistoryMessage[]): PromptMessage[] => {
  const texts: string[] = []
  let room = MAX_REPLIES_LENGTH
  for (const { title, content } of replies) {
    room -= title.length + content.length
    if (room >= 0) texts.push(`- ${title}: ${content}`)
  }
  const said: PromptMessage[] = []
  let left = MAX_HISTORY_LENGTH
  for (const { type, content, fromPartner } of history.toReversed()) {
    const words = type === MessageType.text ? content.slice(0, MAX_MESSAGE_LENGTH) : '[photo]'
    left -= words.length
    if (left < 0) break
    said.unshift({ role: fromPartner ? 'user' : 'assistant', content: words })
  }
  return [{ role: 'system', content: `${bot.prompt.trim()}\n${texts.join('\n')}` }, ...said]
}

/** Removes NUL, which PostgreSQL refuses, and cuts at `longest` code points. */
const truncateAnswer = (said: string, longest: number): string => {
  const letters = Array.from(said.replaceAll('\0', '').trim())
  return letters.length <= longest
    ? letters.join('')
    : `${letters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
}
