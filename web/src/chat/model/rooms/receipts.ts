import { onConnected, sendReceived } from '../../../api/live.ts'
import type { Rooms } from './rooms.ts'

const SOON_MS = 400
/** The server's limit per call; the rest is sent with the next one. */
const MAX_PER_CALL = 200

/** Reports how far this browser has received each room, each seq once; the other side sees it as delivered. */
export const startReceipts = (rooms: Rooms): (() => void) => {
  const reported = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const report = () => {
    timer = undefined
    const unreported = rooms
      .unread()
      .filter(({ code, last_seq, delivered_seq }) => last_seq > Math.max(delivered_seq, reported.get(code) ?? 0))
    const marks = unreported.slice(0, MAX_PER_CALL).map(({ code, last_seq }): [string, number] => [code, last_seq])
    if (marks.length === 0) return
    sendReceived(marks)
    for (const [code, seq] of marks) reported.set(code, seq)
    if (unreported.length > MAX_PER_CALL) soon()
  }
  const soon = () => {
    timer ??= setTimeout(report, SOON_MS)
  }
  const stops = [
    rooms.subscribe('list', soon),
    onConnected(() => {
      reported.clear()
      soon()
    }),
  ]
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}
