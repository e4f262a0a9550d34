import { call } from '../../api/call.ts'
import { onConnected, stopLive, startLive, onEvent } from '../../api/live.ts'
import { configured, configuredAgain } from '../../lib/config.ts'
import { currentFace } from '../../lib/storage.ts'
import { makeDrafts } from './drafts.ts'
import { makeAsides } from './asides.ts'
import { isRoomVisible, startTabLeader, stopTabLeader } from './tab-leader.ts'
import { forgetFiles, forgetOldFiles, keptFiles } from './outbox/kept-files.ts'
import { makeOutbox } from './outbox/outbox.ts'
import { makePhotos } from './outbox/photos.ts'
import { makeQuotes } from './quotes.ts'
import { clearRoomTheme, loadRoomTheme } from './room-theme.ts'
import { startReceipts } from './rooms/receipts.ts'
import { makeRooms } from './rooms/rooms.ts'
import { ring } from './sound.ts'

/** The chat of this page: its rooms, drafts and outbox, connected to the socket's events. */
let account = ''
let isStarted = false

const name = (what: string) => `${what}:${currentFace()}:${account}`
/** sessionStorage for one account: survives reloads and the end of a session. */
const tabStore = (what: string) => ({
  read: () => {
    try {
      return sessionStorage.getItem(name(what)) ?? undefined
    } catch {
      return undefined
    }
  },
  write: (text: string) => {
    try {
      if (text === '' || text === '[]' || text === '{}') sessionStorage.removeItem(name(what))
      else sessionStorage.setItem(name(what), text)
    } catch {
      // Storage is full or forbidden: the data lives as long as the page.
    }
  },
})

const newsListeners = new Set<(code: string) => void>()
/** Calls for each new message of the other side in a room that no tab shows. @returns a function that stops it */
export const onNewsElsewhere = (listener: (code: string) => void): (() => void) => {
  newsListeners.add(listener)
  return () => newsListeners.delete(listener)
}

export const rooms = makeRooms(call, {
  onNews: (code, messages) => {
    // In an AI room the bot answers: no sound.
    if (currentFace() === 'office' && rooms.summary(code)?.bot === 1) return
    if (messages.every((message) => message.is_self) || isRoomVisible(code)) return
    ring()
    for (const listener of newsListeners) listener(code)
  },
  onMessages: (code, messages) => {
    outbox.confirm(code, messages)
    quotes.hear(code, messages)
  },
  onAsides: (code, said, upTo) => asides.take(code, said, upTo),
})

export const asides = makeAsides(call)
export const drafts = makeDrafts(() => tabStore('drafts'))
export const quotes = makeQuotes(() => tabStore('quotes'))

export const outbox = makeOutbox({
  ask: call,
  storage: tabStore('outbox'),
  files: keptFiles(() => name('outbox')),
  newestSeq: (code) => rooms.room(code)?.state?.messages.at(-1)?.seq,
  delivered: (code, message) => {
    rooms.receiveRead({ code, read_seq: message.seq })
    const room = rooms.room(code)
    // A room that is loading will contain the message when it is loaded.
    if (!room || room.loading === 'failed') {
      outbox.settle(code)
      void rooms.catchUp()
      return
    }
    // If no `room` event follows within 400 ms, resync the room.
    setTimeout(() => {
      if (outbox.of(code).some((item) => item.state === 'sent')) void rooms.sync(code)
    }, 400)
  },
})

export const photos = makePhotos(outbox)

const onVisible = () => {
  if (document.hidden) return
  rooms.reconnected()
  outbox.flush()
}
const onOnline = () => outbox.flush()
/** A reload finds what waits in the tab's store, but the tab's end loses it, and the two look alike. */
const onUnload = (event: BeforeUnloadEvent) => {
  if (outbox.kept() > 0) event.preventDefault()
}
let stops: (() => void)[] = []

/** Call it before the first page is rendered: what was typed is stored by account, and read when a room is rendered. */
export const chooseAccount = (accountId: string) => {
  if (!isStarted) account = accountId
}

/** Starts once for an account; called again for the same one it does nothing. */
export const startChat = (accountId: string) => {
  if (isStarted && account === accountId) return
  stopChat()
  account = accountId
  isStarted = true
  stops = [
    onConnected(() => {
      rooms.reconnected()
      outbox.flush()
      photos.preload()
      void loadRoomTheme()
    }),
    onEvent('settings', () => {
      void loadRoomTheme()
      void configuredAgain()
    }),
    onEvent('room', rooms.receiveRoom),
    onEvent('ended', stopLive),
    startReceipts(rooms),
    ...drafts.start(),
    onEvent('desk', rooms.receiveDesk),
    onEvent('gone', rooms.receiveGone),
    onEvent('delivered', ({ code, seq }) => rooms.receiveDelivered(code, seq)),
    onEvent('read', rooms.receiveRead),
  ]
  document.addEventListener('visibilitychange', onVisible)
  window.addEventListener('online', onOnline)
  window.addEventListener('beforeunload', onUnload)
  startTabLeader(name('lead'))
  outbox.start()
  // The server's time decides: a device a year ahead would drop files that are on their way.
  configured().then(forgetOldFiles, () => undefined)
  void startLive()
}

/** Stops when the session ends. Drafts and unsent messages stay for the same account, unless `forgetTyped`. */
export const stopChat = ({ forgetTyped = false } = {}) => {
  if (!isStarted) return
  isStarted = false
  for (const stop of stops) stop()
  document.removeEventListener('visibilitychange', onVisible)
  window.removeEventListener('online', onOnline)
  window.removeEventListener('beforeunload', onUnload)
  stopTabLeader()
  stopLive()
  outbox.stop()
  photos.clear()
  rooms.clear()
  asides.clear()
  drafts.stop()
  quotes.stop()
  clearRoomTheme()
  if (forgetTyped) {
    for (const what of ['outbox', 'drafts', 'quotes']) tabStore(what).write('')
    forgetFiles(name('outbox'))
  }
  account = ''
}
