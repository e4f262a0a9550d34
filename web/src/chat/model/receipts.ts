import { connected, sendReceived } from '../../api/live.ts'
import type { Rooms } from './rooms.ts'

const SOON_MS = 400
/** The server's limit per call; the rest follows. */
const MOST = 200

/** Reports once per message up to where this browser has received each room; the other side sees it as delivered. */
export const startReceipts = (rooms: Rooms): (() => void) => {
  const said = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    timer = undefined
    const news = rooms
      .unread()
      .filter(({ code, last_seq, delivered_seq }) => last_seq > Math.max(delivered_seq, said.get(code) ?? 0))
    const marks = news.slice(0, MOST).map(({ code, last_seq }): [string, number] => [code, last_seq])
    if (marks.length === 0) return
    sendReceived(marks)
    for (const [code, seq] of marks) said.set(code, seq)
    if (news.length > MOST) soon()
  }
  const soon = () => {
    timer ??= setTimeout(look, SOON_MS)
  }
  const stops = [
    rooms.subscribe('list', soon),
    connected(() => {
      said.clear()
      soon()
    }),
  ]
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}
