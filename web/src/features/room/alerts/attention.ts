import type { RoomSummary } from '@tallyroom/contract/events'
import { rooms } from '../../../chat/model/chat-session.ts'
import { ring, soundSetting } from '../../../chat/model/sound.ts'
import { serverNow } from '../../../lib/clock.ts'
import { isOwnOrFree } from '../list/neighbour.ts'

/** On every page of the back office: the count in the title, the dot on the icon, the repeated sound. */
const AGAIN_MS = 20_000
/** After this time a waiting member makes no more sound. */
const LONGEST_MS = 30 * 60_000
/** Delay before loading the list, so that the page's own data comes first. */
const LOAD_AFTER_MS = 3000

const COUNTED = /^\(\d+\+?\) /
const titled = (count: number, title: string) => {
  const bare = title.replace(COUNTED, '')
  return count ? `(${count > 99 ? '99+' : count}) ${bare}` : bare
}

export const startAttention = (): (() => void) => {
  const show = () => {
    const count = rooms.list(1).filter((room) => room.message_read === 0).length
    const title = titled(count, document.title)
    // Set it only when it differs: the observer below is called for each change.
    if (title !== document.title) document.title = title
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    const wanted = count ? '/icon-dot.svg' : '/icon.svg'
    if (icon && icon.getAttribute('href') !== wanted) icon.setAttribute('href', wanted)
  }
  const again = () => {
    if (soundSetting() !== 'repeat') return
    const since = serverNow() - LONGEST_MS
    const waits = (room: RoomSummary) => room.waiting_since !== null && Date.parse(room.waiting_since) > since
    if (rooms.list(1).some((room) => isOwnOrFree(room) && waits(room))) ring()
  }
  const observer = new MutationObserver(show)
  observer.observe(document.head, { subtree: true, childList: true, characterData: true })
  const stop = rooms.subscribe('list', show)
  const timer = setInterval(again, AGAIN_MS)
  const loading = setTimeout(() => {
    if (!rooms.listState(1)) void rooms.loadList(1)
  }, LOAD_AFTER_MS)
  show()
  return () => {
    observer.disconnect()
    stop()
    clearInterval(timer)
    clearTimeout(loading)
  }
}
