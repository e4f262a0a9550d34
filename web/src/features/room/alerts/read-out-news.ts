import { RoomStatus } from '@tallyroom/contract/codes'
import { onNewsElsewhere, rooms } from '../../../chat/model/chat-session.ts'
import { t } from '../../../i18n/i18n.ts'
import { throttle } from '../../../lib/throttle.ts'
import { notify } from '../../../ui/overlay/message.tsx'
import { isOwnOrFree } from '../state/neighbour.ts'

/** Time between two of them: a busy hour would otherwise be read out over everything else. */
const APART_MS = 8000
/** Above this many names only the number of unread conversations is read out. */
const MAX_NAMES = 3

/**
 * Says to screen readers whose message has arrived in a room that is not open, on every page of the back office. Not
 * of hidden rooms, and not of those that a colleague or the bot answers.
 */
export const readOutNews = (): (() => void) => {
  const codes = new Set<string>()
  const say = () => {
    const names = [...codes].flatMap((code) => {
      const room = rooms.summary(code)
      return room && room.status === RoomStatus.shown && isOwnOrFree(room) ? [room.name] : []
    })
    codes.clear()
    if (names.length > MAX_NAMES) notify.said(t('shell.unread', { n: rooms.counts(1).unread }))
    else if (names.length > 0) notify.said(t('room.news_from', { name: names.join(', ') }))
  }
  const { soon, stop } = throttle(say, APART_MS)
  const end = onNewsElsewhere((code) => {
    // The tab in front says it.
    if (document.hidden) return
    codes.add(code)
    soon()
  })
  return () => {
    end()
    stop()
  }
}
