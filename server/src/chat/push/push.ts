import { isLanguage, type WordKey } from '@tallyroom/locales'
import type { Logger } from 'pino'
import type { Database } from '../../data/sql.ts'
import type { InstallationKey } from '../../data/installation-key.ts'
import { postTo } from '../../lib/outbound/post.ts'
import type { Settings } from '../../config/settings.ts'
import { wordsFor } from '../../lib/words.ts'
import { type Outgoing, uncounted } from '../../lib/outgoing.ts'
import { finishApprovalPush, loadApprovalContent, retryApprovalPush } from './approval-pushes.ts'
import { loadBellContent } from './bell-pushes.ts'
import { claimPushes, type DuePush, type PushContent } from './due.ts'
import { loadEndpointContent } from './endpoint-pushes.ts'
import { loadLaterContent } from './later-pushes.ts'
import { deleteSubscription, finishRoomPush, loadRoomContent, queuePushes, retryRoomPush } from './outbox.ts'
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
  /** Sends due pushes, at most one batch of each kind, and returns how many were claimed. */
  send(): Promise<number>
  stop(): Promise<void>
}
type PushDeps = {
  db: Database
  key: InstallationKey
  settings: Pick<Settings, 'publicUrl' | 'pushServices' | 'timeZone'>
  log: Pick<Logger, 'error'>
  outgoing?: Outgoing
  policy?: PushPolicy
  /** False: another process sends what this one queues. */
  sends?: boolean
}

/** Checks again at sending time: undefined when there is nothing to say any more. */
const loadContent = (db: Database, due: DuePush, timeZone: string): Promise<PushContent | undefined> => {
  if (due.about === 'room') return loadRoomContent(db, due, timeZone)
  if (due.about === 'later') return loadLaterContent(db, due, timeZone)
  if (due.about === 'bell') return loadBellContent(db, due, timeZone)
  if (due.about === 'endpoint') return loadEndpointContent(db, due)
  return loadApprovalContent(db, due, due.about, timeZone)
}

/**
 * Notifies browsers of new messages, and of what waits for their user's approval, through push services. Messages do not wait for it: changes are collected after the
 * commit and queued a moment later. If the process dies in between, these pushes are lost, but not the messages.
 */
export const startPush = ({ policy: given, sends = true, outgoing = uncounted, ...deps }: PushDeps): Push => {
  const { db, key, settings, log } = deps
  const vapid = loadVapidKeys(key)
  const policy = given ?? { accepts: (endpoint) => isPushService(endpoint, settings.pushServices), allowPrivate: false }
  const subject = settings.publicUrl?.startsWith('https:') ? settings.publicUrl : 'https://tallyroom.invalid'

  const post = async (
    subscription: PushSubscription,
    { title, titled = 'menu.approvals', body: words, url, tag }: PushContent,
    language: DuePush['language'],
  ): Promise<string> => {
    // No message text: the notification shows on a locked phone.
    const say = (key: WordKey) => wordsFor(isLanguage(language) ? language : 'en', key)
    const news = { title: title ?? say(titled), body: say(words), url, tag }
    const { endpoint, p256dh, auth } = subscription
    // Not when the server starts: it would be a twelfth of what starting takes.
    const { default: webPush } = await import('web-push')
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(news),
      {
        vapidDetails: { subject, publicKey: vapid.publicKey, privateKey: vapid.privateKey },
        TTL: TTL_HOURS * 3600,
        urgency: 'high',
        topic: vapid.topicOf(tag),
      },
    )
    const options = { headers: { ...headers }, body: body ?? '', allowPrivate: policy.allowPrivate }
    return postTo(new URL(endpoint), options)
  }

  const sendOne = async (due: DuePush): Promise<void> => {
    const subscription = openSubscription(due)
    // Checked again: the policy may be stricter now, and the installation's key another one.
    if (!due.isAlive || !subscription || !policy.accepts(subscription.endpoint))
      return deleteSubscription(db, due.subscriptionId)
    const content = await loadContent(db, due, settings.timeZone)
    if (!content) return finish(due, undefined)
    const sent = () => post(subscription, content, due.language)
    // The browser's maker learns nothing of our traces.
    const answer = await outgoing('push', sent, (status) => status)
    if (/^2\d\d$/.test(answer)) return finish(due, content.seq)
    // The subscription is gone or belongs to another server: the browser subscribes again when its page opens.
    if (/^(403|404|410)$/.test(answer)) return deleteSubscription(db, due.subscriptionId)
    return due.about === 'room' ? retryRoomPush(db, due) : retryApprovalPush(db, due)
  }
  const finish = (due: DuePush, sentSeq: number | undefined) =>
    due.about === 'room' ? finishRoomPush(db, due, sentSeq) : finishApprovalPush(db, due)
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
    if (!isStopped) schedulePoll(taken >= BATCH_SIZE ? 0 : POLL_MS)
  }
  const schedulePoll = (pause: number) => {
    pollTimer = setTimeout(() => {
      running = poll()
    }, pause).unref()
  }
  if (sends) schedulePoll(POLL_MS)

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
