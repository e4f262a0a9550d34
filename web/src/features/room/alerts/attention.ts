import { rooms } from '../../../chat/model/chat-session.ts'
import { longestWait } from '../../../chat/model/rooms/list-index.ts'
import { currentRoomTheme } from '../../../chat/model/room-theme.ts'
import { ring, soundSetting } from '../../../chat/model/sound.ts'
import { language, t } from '../../../i18n/i18n.ts'
import { serverNow } from '../../../lib/clock.ts'
import { isOwnOrFree } from '../state/neighbour.ts'
import { limitsOf, waitOf } from '../../../chat/model/wait.ts'

/** On every page of the back office: unread and longest wait in the title, the dot on the icon, the repeated sound. */
const AGAIN_MS = 20_000
/** The wait in the title has minutes. */
const TITLE_MS = 15_000
/** After this time a waiting member makes no more sound. */
const LONGEST_MS = 30 * 60_000
/** Delay before loading the list, so that the page's own data comes first. */
const LOAD_AFTER_MS = 3000

const unreadOf = (count: number) => (count ? `(${count > 99 ? '99+' : count}) ` : '')

/** "7 min · ", and from the group's limits on with its word, "Overdue 7 min · " (CONV-07). */
const waitInTitle = () => {
  const since = longestWait(rooms.waiting(1).filter(isOwnOrFree))?.waiting_since
  if (!since) return ''
  const waited = Math.max(0, serverNow() - Date.parse(since))
  const minutes = Math.floor(waited / 60_000)
  const unit = { style: 'unit', unit: 'minute', unitDisplay: 'short', numberingSystem: 'latn' } as const
  const time = new Intl.NumberFormat(language(), unit).format(Math.max(1, minutes))
  const wait = waitOf(waited, limitsOf(currentRoomTheme()))
  const word = wait === 'waiting' ? '' : `${t(wait === 'late' ? 'chat.wait_late' : 'chat.wait_overdue')} `
  return `${word}${minutes ? '' : '< '}${time} · `
}

export const startAttention = (): (() => void) => {
  /** What `show` has put before the page's own title. */
  let before = ''
  const show = () => {
    const count = rooms.counts(1).unread
    const bare = document.title.startsWith(before) ? document.title.slice(before.length) : document.title
    before = unreadOf(count) + waitInTitle()
    // Set it only when it differs: the observer below is called for each change.
    if (before + bare !== document.title) document.title = before + bare
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    const wanted = count ? '/icon-dot.svg' : '/icon.svg'
    if (icon && icon.getAttribute('href') !== wanted) icon.setAttribute('href', wanted)
  }
  const again = () => {
    if (soundSetting() !== 'repeat') return
    const since = serverNow() - LONGEST_MS
    const isRecent = (time: string | null) => time !== null && Date.parse(time) > since
    if (rooms.waiting(1).some((room) => isOwnOrFree(room) && isRecent(room.waiting_since))) ring()
  }
  const observer = new MutationObserver(show)
  observer.observe(document.head, { subtree: true, childList: true, characterData: true })
  const stop = rooms.subscribe('list', show)
  const timers = [setInterval(again, AGAIN_MS), setInterval(show, TITLE_MS)]
  const loading = setTimeout(() => {
    if (!rooms.listState(1)) void rooms.loadList(1)
  }, LOAD_AFTER_MS)
  show()
  return () => {
    observer.disconnect()
    stop()
    for (const timer of timers) clearInterval(timer)
    clearTimeout(loading)
    if (document.title.startsWith(before)) document.title = document.title.slice(before.length)
  }
}
