import { RoomStatus, MessageType } from '@tallyroom/contract/codes'
import type { Logger } from 'pino'
import { type Database, one, sql } from '../../data/sql.ts'
import type { Hub } from '../../live/hub.ts'
import { lockRooms, writeMessages } from '../messages.ts'
import type { BotSettings } from '../../config/bot-settings.ts'
import type { Outgoing } from '../../lib/outgoing.ts'
import { type Decision, decideReply } from './decide.ts'
import { switchRoom } from './switch-room.ts'
import { claimJobs, finishJob, hasLease, type Job, releaseJob } from './work.ts'

type BotDeps = {
  db: Database
  hub: Hub
  bot: BotSettings | undefined
  log: Pick<Logger, 'warn' | 'error'>
  outgoing: Outgoing
}

/** The most answers that one process prepares at once. */
const MAX_CONCURRENT = 8
/** Time for everything around the endpoint's own time limit. */
const LEASE_MARGIN_MS = 2000
const WITHOUT_ENDPOINT_MS = 3000

/**
 * Writes the answer or hands the room to people, if the job still holds its lease. The room is locked, so this comes
 * entirely before or after any other change of the room. @returns false when it was too late and nothing was written
 */
export const applyDecision = (
  { db, hub }: Pick<BotDeps, 'db' | 'hub'>,
  job: Job,
  decision: Decision,
): Promise<boolean> =>
  db.transact(async (tx) => {
    const rooms = await lockRooms(tx, [job.roomId])
    const room = rooms.get(job.roomId)
    if (!room || room.status !== RoomStatus.ai || !(await hasLease(tx, job))) return false
    if ('call' in decision) {
      await switchRoom(tx, hub, { room, status: RoomStatus.shown, line: decision.call })
      return true
    }
    await finishJob(tx, job)
    if ('skip' in decision) return true
    const { now } = (await one<{ now: Date }>(tx, sql`select clock_timestamp() as now`)) ?? { now: new Date() }
    const answer = {
      roomId: room.id,
      // One lease, one answer: a room cannot have two messages with the same id.
      messageId: job.lease,
      type: MessageType.text,
      content: decision.say,
      senderId: null,
      fromPartner: false,
      senderUsername: '',
      senderNickname: '',
      senderIsSub: 0 as const,
    }
    writeMessages(tx, hub, rooms, { news: [answer], now })
    return true
  })

/** Answers members in AI rooms until it is stopped. Any number of processes may run it. */
export const startBot = (parts: BotDeps, everyMs = 300): (() => Promise<void>) => {
  const { db, bot, log } = parts
  const stop = new AbortController()
  const seconds = ((bot?.timeoutMs ?? WITHOUT_ENDPOINT_MS) + LEASE_MARGIN_MS) / 1000
  const running = new Set<Promise<void>>()
  let polling: Promise<void> | undefined

  const answer = async (job: Job) => {
    try {
      await applyDecision(parts, job, await decideReply(parts, job, stop.signal))
    } catch (error) {
      if (!stop.signal.aborted)
        log.error({ err: error, room: job.roomId }, 'The bot could not answer a room; trying again')
      await releaseJob(db, job, stop.signal.aborted).catch(() => {})
    }
  }
  const poll = async () => {
    try {
      const free = MAX_CONCURRENT - running.size
      for (const job of free > 0 ? await claimJobs(db, free, seconds) : []) {
        const one = answer(job).finally(() => running.delete(one))
        running.add(one)
      }
    } catch (error) {
      log.error({ err: error }, 'Could not read the queue of AI rooms; trying again')
    } finally {
      polling = undefined
    }
  }
  const timer = setInterval(() => {
    polling ??= poll()
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    stop.abort()
    await polling
    await Promise.all(running)
  }
}
