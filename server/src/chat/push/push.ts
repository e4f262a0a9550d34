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
/** Whoever is offline for longer sees it when he comes. */
const TTL_HOURS = 4

/** What may be posted to. Another one only in tests, whose push service is on this machine. */
export type PushPolicy = { accepts: (endpoint: string) => boolean; inside: boolean }
export type Push = {
  /** With which browsers subscribe. */
  publicKey: string
  accepts(endpoint: string): boolean
  /** Something has happened in a room. Called after its commit, and costs it nothing. */
  roomChanged(roomId: number): void
  /** Sends what is due, a handful at most; how many were taken in hand. */
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
 * Tells browsers of new messages through the push services of their makers. No message waits for it: what happened is
 * heard of after the commit and written down a moment later, so what a process that dies has heard and not yet written is not
 * told. The message itself is where it was.
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
    // To be read where everybody sees it: on the front of a locked phone.
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
    // Judged anew: the rule may have become stricter, and the key another one.
    if (!due.isAlive || !place || !reach.accepts(place.endpoint)) return deleteSubscription(db, due.subscriptionId)
    const news = await loadContent(db, due)
    if (!news) return finishPush(db, due, undefined)
    const answer = await post(place, news, due.language)
    if (/^2\d\d$/.test(answer)) return finishPush(db, due, news.seq)
    // Gone, or not ours: the browser asks anew when its page is open.
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
    const heard = [...rooms]
    rooms = new Set()
    // One after the other: two at once would lock the same rows.
    queueing = queueing
      .then(() => queuePushes(db, heard))
      .catch(logError('new messages could not be noted for browsers'))
  }
  const poll = async () => {
    const taken = await send().catch((error: unknown) => {
      logError('browsers could not be told of new messages')(error)
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
