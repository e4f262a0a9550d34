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
/** Pushes for browsers that stay offline longer are dropped. */
const TTL_HOURS = 4

/** Which addresses may get pushes. Tests replace it, because their push service runs on this machine. */
type PushPolicy = { accepts: (endpoint: string) => boolean; allowPrivate: boolean }
export type Push = {
  /** The VAPID key with which browsers subscribe. */
  publicKey: string
  accepts(endpoint: string): boolean
  /** A room has changed. Call it after the commit; it returns at once. */
  roomChanged(roomId: number): void
  /** Sends due pushes, at most one batch, and returns how many were claimed. */
  send(): Promise<number>
  stop(): Promise<void>
}
type PushDeps = {
  db: Database
  key: InstallationKey
  settings: Pick<Settings, 'publicUrl' | 'pushServices'>
  log: Pick<Logger, 'error'>
  policy?: PushPolicy
}

/**
 * Notifies browsers of new messages through push services. Messages do not wait for it: changes are collected after the
 * commit and queued a moment later. If the process dies in between, these pushes are lost, but not the messages.
 */
export const startPush = ({ db, key, settings, log, policy: given }: PushDeps): Push => {
  const vapid = loadVapidKeys(key)
  const policy = given ?? { accepts: (endpoint) => isPushService(endpoint, settings.pushServices), allowPrivate: false }
  const subject = settings.publicUrl?.startsWith('https:') ? settings.publicUrl : 'https://tallyroom.invalid'

  const post = (
    subscription: PushSubscription,
    { name, url, code }: PushContent,
    language: DuePush['language'],
  ): Promise<string> => {
    // No message text: the notification shows on a locked phone.
    const words = { title: name, body: wordsFor(isLanguage(language) ? language : 'en', 'push.new_message'), url }
    const { endpoint, p256dh, auth } = subscription
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
    return postTo(new URL(endpoint), { headers: { ...headers }, body: body ?? '', allowPrivate: policy.allowPrivate })
  }

  const sendOne = async (due: DuePush): Promise<void> => {
    const subscription = openSubscription(due)
    // Checked again: the policy may be stricter now, and the installation's key another one.
    if (!due.isAlive || !subscription || !policy.accepts(subscription.endpoint))
      return deleteSubscription(db, due.subscriptionId)
    const content = await loadContent(db, due)
    if (!content) return finishPush(db, due, undefined)
    const answer = await post(subscription, content, due.language)
    if (/^2\d\d$/.test(answer)) return finishPush(db, due, content.seq)
    // The subscription is gone or belongs to another server: the browser subscribes again when its page opens.
    if (/^(403|404|410)$/.test(answer)) return deleteSubscription(db, due.subscriptionId)
    return retryPush(db, due)
  }
  const openSubscription = ({ sealed, hash }: DuePush): PushSubscription | undefined => {
    const opened = key.openSecret(sealed, `push/${hash.toString('hex')}`)
    return opened === undefined ? undefined : (JSON.parse(opened) as PushSubscription)
  }

  const send = async (): Promise<number> => {
    const all = await claimPushes(db, BATCH_SIZE)
    const results = await Promise.allSettled(all.map(sendOne))
    const failed = results.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
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
    // One at a time: two at once would lock the same rows.
    queueing = queueing.then(() => queuePushes(db, changed)).catch(logError('Could not queue pushes for new messages'))
  }
  const poll = async () => {
    const taken = await send().catch((error: unknown) => {
      logError('Could not send pushes; trying again')(error)
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
    accepts: policy.accepts,
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
