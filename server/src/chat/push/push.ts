import { isLanguage } from '@tallyroom/locales'
import type { Logger } from 'pino'
import webPush from 'web-push'
import type { Database } from '../../data/sql.ts'
import type { InstallationKey } from '../../identity/installation-key.ts'
import { postTo } from '../../lib/outbound/post.ts'
import type { Settings } from '../../config/settings.ts'
import { wordsFor } from '../../lib/words.ts'
import {
  type DuePush,
  deleteSubscription,
  type PushContent,
  loadContent,
  queuePushes,
  retryPush,
  finishPush,
  claimPushes,
} from './outbox.ts'
import { isPushService, type PushSubscription } from './subscription.ts'
import { loadVapidKeys } from './vapid.ts'

const COLLECT_MS = 200
const POLL_MS = 1000
const BATCH_SIZE = 20
const MAX_ROOMS = 2000
/** The push service drops a push that could not be delivered for this long. */
const TTL_HOURS = 4

/** Which addresses may be posted to. Tests replace it, because their push service runs on this machine. */
export type PushPolicy = { accepts: (endpoint: string) => boolean; inside: boolean }
export type Push = {
  /** Browsers subscribe with this VAPID key. */
  publicKey: string
  accepts(endpoint: string): boolean
  /** Call it after the commit of a change of a room; it returns at once. */
  roomChanged(roomId: number): void
  /** Sends up to one batch of due pushes. @returns how many it took */
  send(): Promise<number>
  stop(): Promise<void>
}
type PushDeps = {
  db: Database
  key: InstallationKey
  settings: Pick<Settings, 'publicUrl' | 'pushServices'>
  log: Pick<Logger, 'error'>
  reach?: PushPolicy
}

/**
 * Notifies browsers of new messages through their push services. Messages do not wait for it: pushes are queued a moment
 * after the commit. A crash between commit and queueing loses the notification, never the message.
 */
export const startPush = ({ db, key, settings, log, reach: given }: PushDeps): Push => {
  const vapid = loadVapidKeys(key)
  const reach = given ?? { accepts: (endpoint) => isPushService(endpoint, settings.pushServices), inside: false }
  const subject = settings.publicUrl?.startsWith('https:') ? settings.publicUrl : 'https://tallyroom.invalid'

  const post = (
    place: PushSubscription,
    { name, url, code }: PushContent,
    language: DuePush['language'],
  ): Promise<string> => {
    // Shown on the lock screen, where anyone can read it: no text of the message.
    const words = { title: name, body: wordsFor(isLanguage(language) ? language : 'en', 'push.new_message'), url }
    const { endpoint, p256dh, auth } = place
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify({ ...words, tag: code }),
      {
        vapidDetails: { subject, publicKey: vapid.publicKey, privateKey: vapid.privateKey },
        TTL: TTL_HOURS * 3600,
        urgency: 'high',
        topic: vapid.topicOf(code),
      },
    )
    return postTo(new URL(endpoint), { headers: { ...headers }, body: body ?? '', inside: reach.inside })
  }

  const sendOne = async (due: DuePush): Promise<void> => {
    const place = openSubscription(due)
    // Checked again: the allowed services or the installation's key may have changed since.
    if (!due.isAlive || !place || !reach.accepts(place.endpoint)) return deleteSubscription(db, due.subscriptionId)
    const news = await loadContent(db, due)
    if (!news) return finishPush(db, due, undefined)
    const answer = await post(place, news, due.language)
    if (/^2\d\d$/.test(answer)) return finishPush(db, due, news.seq)
    // Expired or rejected: the browser subscribes again the next time its page is open.
    if (/^(403|404|410)$/.test(answer)) return deleteSubscription(db, due.subscriptionId)
    return retryPush(db, due)
  }
  const openSubscription = ({ sealed, hash }: DuePush): PushSubscription | undefined => {
    const opened = key.openSecret(sealed, `push/${hash.toString('hex')}`)
    return opened === undefined ? undefined : (JSON.parse(opened) as PushSubscription)
  }

  const send = async (): Promise<number> => {
    const all = await claimPushes(db, BATCH_SIZE)
    const troubles = await Promise.allSettled(all.map(sendOne))
    const trouble = troubles.find(({ status }) => status === 'rejected')
    if (trouble?.status === 'rejected') throw trouble.reason
    return all.length
  }

  let isStopped = false
  let rooms = new Set<number>()
  let collectTimer: NodeJS.Timeout | undefined
  let pollTimer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  let queueing: Promise<unknown> = Promise.resolve()

  const logError = (words: string) => (error: unknown) => {
    if (!isStopped) log.error({ err: error }, words)
  }
  const queueCollected = () => {
    collectTimer = undefined
    const changed = [...rooms]
    rooms = new Set()
    // One after the other: two at once would wait for each other's row locks.
    queueing = queueing.then(() => queuePushes(db, changed)).catch(logError('push notifications could not be queued'))
  }
  const poll = async () => {
    const taken = await send().catch((error: unknown) => {
      logError('push notifications could not be sent: trying again')(error)
      return 0
    })
    if (!isStopped) schedulePoll(taken === BATCH_SIZE ? 0 : POLL_MS)
  }
  const schedulePoll = (pause: number) => {
    pollTimer = setTimeout(() => {
      running = poll()
    }, pause).unref()
  }
  schedulePoll(POLL_MS)

  return {
    publicKey: vapid.publicKey,
    accepts: reach.accepts,
    roomChanged(roomId) {
      if (isStopped || rooms.size >= MAX_ROOMS) return
      rooms.add(roomId)
      collectTimer ??= setTimeout(queueCollected, COLLECT_MS).unref()
    },
    send,
    async stop() {
      clearTimeout(collectTimer)
      clearTimeout(pollTimer)
      if (rooms.size > 0) queueCollected()
      await queueing
      isStopped = true
      clearTimeout(pollTimer)
      await running
    },
  }
}
