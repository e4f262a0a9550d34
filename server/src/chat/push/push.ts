import { isLanguage } from '@tallyroom/locales'
import type { Logger } from 'pino'
import webPush from 'web-push'
import type { Database } from '../../data/sql.ts'
import type { InstallationKey } from '../../identity/installation-key.ts'
import { postTo } from '../../lib/outbound/post.ts'
import type { Settings } from '../../config/settings.ts'
import { wordsFor } from '../../lib/words.ts'
import {
  type Due,
  dropSubscription,
  type News,
  newsOf,
  notePushes,
  retryPush,
  settlePush,
  takePushes,
} from './outbox.ts'
import { isPushService, type PushSubscription } from './subscription.ts'
import { loadVapidKeys } from './vapid.ts'

const GATHER_MS = 200
const PAUSE_MS = 1000
const AT_ONCE = 20
const MOST_ROOMS = 2000
/** Whoever is offline for longer sees it when he comes. */
const HOURS = 4

/** What may be posted to. Another one only in tests, whose push service is on this machine. */
export type Reach = { accepts: (endpoint: string) => boolean; inside: boolean }
export type Push = {
  /** With which browsers subscribe. */
  publicKey: string
  accepts(endpoint: string): boolean
  /** Something has happened in a room. Called after its commit, and costs it nothing. */
  heard(roomId: number): void
  /** Sends what is due, a handful at most; how many were taken in hand. */
  send(): Promise<number>
  stop(): Promise<void>
}
type Given = {
  db: Database
  key: InstallationKey
  settings: Pick<Settings, 'publicUrl' | 'pushServices'>
  log: Pick<Logger, 'error'>
  reach?: Reach
}

/**
 * Tells browsers of new messages through the push services of their makers. No message waits for it: what happened is
 * heard of after the commit and written down a moment later, so what a process that dies has heard and not yet written is not
 * told. The message itself is where it was.
 */
export const startPush = ({ db, key, settings, log, reach: given }: Given): Push => {
  const voice = loadVapidKeys(key)
  const reach = given ?? { accepts: (endpoint) => isPushService(endpoint, settings.pushServices), inside: false }
  const subject = settings.publicUrl?.startsWith('https:') ? settings.publicUrl : 'https://tallyroom.invalid'

  const post = (place: PushSubscription, { name, url, code }: News, language: Due['language']): Promise<string> => {
    // To be read where everybody sees it: on the front of a locked phone.
    const words = { title: name, body: wordsFor(isLanguage(language) ? language : 'en', 'push.new_message'), url }
    const { endpoint, p256dh, auth } = place
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify({ ...words, tag: code }),
      {
        vapidDetails: { subject, publicKey: voice.publicKey, privateKey: voice.privateKey },
        TTL: HOURS * 3600,
        urgency: 'high',
        topic: voice.topicOf(code),
      },
    )
    return postTo(new URL(endpoint), { headers: { ...headers }, body: body ?? '', inside: reach.inside })
  }

  const sendOne = async (due: Due): Promise<void> => {
    const place = placeOf(due)
    // Judged anew: the rule may have become stricter, and the key another one.
    if (!due.isAlive || !place || !reach.accepts(place.endpoint)) return dropSubscription(db, due.subscriptionId)
    const news = await newsOf(db, due)
    if (!news) return settlePush(db, due, undefined)
    const answer = await post(place, news, due.language)
    if (/^2\d\d$/.test(answer)) return settlePush(db, due, news.seq)
    // Gone, or not ours: the browser asks anew when its page is open.
    if (/^(403|404|410)$/.test(answer)) return dropSubscription(db, due.subscriptionId)
    return retryPush(db, due)
  }
  const placeOf = ({ sealed, hash }: Due): PushSubscription | undefined => {
    const opened = key.openSecret(sealed, `push/${hash.toString('hex')}`)
    return opened === undefined ? undefined : (JSON.parse(opened) as PushSubscription)
  }

  const send = async (): Promise<number> => {
    const all = await takePushes(db, AT_ONCE)
    const troubles = await Promise.allSettled(all.map(sendOne))
    const trouble = troubles.find(({ status }) => status === 'rejected')
    if (trouble?.status === 'rejected') throw trouble.reason
    return all.length
  }

  let isStopped = false
  let rooms = new Set<number>()
  let gathering: NodeJS.Timeout | undefined
  let turning: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  let noting: Promise<unknown> = Promise.resolve()

  const complain = (words: string) => (error: unknown) => {
    if (!isStopped) log.error({ err: error }, words)
  }
  const note = () => {
    gathering = undefined
    const heard = [...rooms]
    rooms = new Set()
    // One after the other: two at once would lock the same rows.
    noting = noting.then(() => notePushes(db, heard)).catch(complain('new messages could not be noted for browsers'))
  }
  const turn = async () => {
    const taken = await send().catch((error: unknown) => {
      complain('browsers could not be told of new messages')(error)
      return 0
    })
    if (!isStopped) after(taken === AT_ONCE ? 0 : PAUSE_MS)
  }
  const after = (pause: number) => {
    turning = setTimeout(() => {
      running = turn()
    }, pause).unref()
  }
  after(PAUSE_MS)

  return {
    publicKey: voice.publicKey,
    accepts: reach.accepts,
    heard(roomId) {
      if (isStopped || rooms.size >= MOST_ROOMS) return
      rooms.add(roomId)
      gathering ??= setTimeout(note, GATHER_MS).unref()
    },
    send,
    async stop() {
      clearTimeout(gathering)
      clearTimeout(turning)
      if (rooms.size > 0) note()
      await noting
      isStopped = true
      clearTimeout(turning)
      await running
    },
  }
}
