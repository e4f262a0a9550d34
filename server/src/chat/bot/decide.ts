import { MessageType } from '@tallyroom/contract/codes'
import { cutText, shortText } from '@tallyroom/contract/text/cut-text'
import type { Line } from '@tallyroom/contract/events'
import type { Logger } from 'pino'
import { type Db, many, one, sql } from '../../data/sql.ts'
import type { BotSettings } from '../../config/bot-settings.ts'
import { asksForPeople } from './asks-for-people.ts'
import { askEndpoint, type PromptMessage } from './endpoint.ts'
import { findReply, type QuickReply } from './matcher.ts'
import type { Job } from './work.ts'
import { is } from '../../domain/is.ts'
import { isSandbox } from '../../domain/sandboxes.ts'
import type { Outgoing } from '../../lib/outgoing.ts'

/** The bot's answer, or the reason for handing the room to people. `skip`: what was asked has been taken back. */
export type Decision = { say: string } | { call: Line } | { skip: true }

/** The endpoint answers with this to hand over to people (prompts/bot.md). */
const HAND_OFF_MARK = '[[PEOPLE]]'
/** A job that made this many processes die is not tried again. */
const MAX_TRIES = 3
const MAX_MESSAGE_LENGTH = 2000
const MAX_QUOTE_LENGTH = 300
const MAX_HISTORY_LENGTH = 8000
const MAX_REPLIES_LENGTH = 6000

type Room = {
  topId: number
  groupId: number
  username: string
  nickname: string
  allowed: boolean
  isSandbox: boolean
}
type HistoryMessage = { seq: number; type: number; content: string; fromPartner: boolean; quoted: string | null }

type DecideDeps = {
  db: Db
  bot: BotSettings | undefined
  log: Pick<Logger, 'warn'>
  outgoing: Outgoing
}

export const decideReply = async (
  { db, bot, log, outgoing }: DecideDeps,
  job: Job,
  stop: AbortSignal,
): Promise<Decision> => {
  if (job.tries > MAX_TRIES) return { call: 'bot_failed' }
  const room = await roomOf(db, job.roomId)
  if (!room?.allowed) return { call: 'bot_is_off' }
  const asked = await loadMessages(
    db,
    sql`m.room_id = ${job.roomId} and m.from_partner and m.seq between ${job.fromSeq} and ${job.toSeq}`,
    50,
  )
  if (asked.length === 0) return { skip: true }
  // Photos, voice notes, files and points have no text to answer.
  if (asked.some(({ type }) => type !== MessageType.text)) return { call: 'bot_did_not_know' }
  const question = asked.map(({ content }) => content).join('\n')
  if (asksForPeople(question)) return { call: 'asked_for_people' }
  const replies = await loadReplies(db, room)
  const known = findReply(asked.at(-1)?.content ?? '', replies) ?? findReply(question, replies)
  if (known) return { say: fillPlaceholders(known.content, room) }
  if (!bot || room.isSandbox) return { call: 'bot_did_not_know' }
  try {
    const before = await loadMessages(db, sql`m.room_id = ${job.roomId} and m.seq <= ${job.toSeq}`, bot.history)
    const prompt = buildPrompt(bot, replies, before)
    const answer = await outgoing('bot', (continued) => askEndpoint(bot, prompt, stop, continued))
    return answer.includes(HAND_OFF_MARK)
      ? { call: 'bot_did_not_know' }
      : { say: shortText(fillPlaceholders(answer, room).replaceAll('\0', '').trim(), bot.answerLength) }
  } catch (error) {
    if (stop.aborted) throw error
    log.warn(
      { room: job.roomId, why: error instanceof Error ? error.message : String(error) },
      'The bot got no answer from the AI endpoint and hands the room to people',
    )
    return { call: 'bot_failed' }
  }
}

/** A group has a bot while its head has `chat_ai_bot_visible`. */
const roomOf = (db: Db, roomId: number) =>
  one<Room>(
    db,
    sql`select r.top_id as "topId", r.group_id as "groupId", p.username, p.nickname, g.chat_ai_bot_visible = 1 as allowed,
        ${isSandbox(sql`r.top_id`)} as "isSandbox"
      from rooms r join accounts p on p.id = r.partner_id join accounts g on g.id = r.group_id where r.id = ${roomId}`,
  )

/** The newest messages of a room, oldest first: what people wrote on both sides, without internal notes. */
const loadMessages = async (db: Db, condition: ReturnType<typeof sql>, most: number): Promise<HistoryMessage[]> =>
  (
    await many<HistoryMessage>(
      db,
      sql`select m.seq, m.type, m.content, m.from_partner as "fromPartner",
          (select q.content from messages q where q.room_id = m.room_id and q.seq = m.quoted_seq
            and q.type = ${MessageType.text} and q.taken_back_at is null) as quoted
        from messages m
        where ${condition} and m.taken_back_at is null and (m.type in (${is.text}, ${is.image}, ${is.voice}, ${is.file}) or m.from_partner) order by m.seq desc limit ${most}`,
    )
  ).toReversed()

/** The group's quick replies for everyone and for customer service: texts that the group wrote for members. */
const loadReplies = async (db: Db, { topId, groupId }: Room): Promise<QuickReply[]> => {
  const rows = await many<QuickReply>(
    db,
    sql`select title, content from templates
      where top_id = ${topId} and group_id = ${groupId} and type in (${is.generalTemplate}, ${is.serviceTemplate}) and image_id is null order by id desc limit 300`,
  )
  // A placeholder that the bot cannot fill, such as a balance, needs people.
  return rows.filter(({ content }) => !/\{(?!nickname\}|username\})[a-z_]+\}/i.test(content))
}

/** Names are filled in here only, so the endpoint never gets one. */
const fillPlaceholders = (words: string, { username, nickname }: Room) =>
  words.replaceAll('{nickname}', () => nickname || username).replaceAll('{username}', () => username)

/** In place of what has no text. A file's name stays here too: it may be somebody's name. */
const PLACEHOLDERS: Record<number, string> = { [MessageType.voice]: '[voice note]', [MessageType.file]: '[PDF file]' }

/** The prompt: the rules, the quick replies and the conversation. A member's text is always a `user` message. */
const buildPrompt = (bot: BotSettings, replies: QuickReply[], history: HistoryMessage[]): PromptMessage[] => {
  const texts: string[] = []
  let room = MAX_REPLIES_LENGTH
  for (const { title, content } of replies) {
    room -= title.length + content.length
    if (room >= 0) texts.push(`- ${title}: ${content}`)
  }
  const messages: PromptMessage[] = []
  let left = MAX_HISTORY_LENGTH
  for (const { type, content, fromPartner, quoted } of history.toReversed()) {
    const text = type === MessageType.text ? cutText(content, MAX_MESSAGE_LENGTH) : (PLACEHOLDERS[type] ?? '[photo]')
    const words = quoted ? `> ${cutText(quoted, MAX_QUOTE_LENGTH).replaceAll('\n', ' ')}\n${text}` : text
    left -= words.length
    if (left < 0) break
    messages.unshift({ role: fromPartner ? 'user' : 'assistant', content: words })
  }
  return [{ role: 'system', content: `${bot.prompt.trim()}\n${texts.join('\n')}` }, ...messages]
}
