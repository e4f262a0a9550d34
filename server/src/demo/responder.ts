import { TransferStatus } from '@tallyroom/contract/codes'
import type { RoomChange } from '@tallyroom/contract/events'
import type { Running } from '../start-services.ts'
import { one, sql } from '../data/sql.ts'
import { demoClient } from './client.ts'

const phrases = ['I see, thank you!', 'One moment please…', 'Yes, it is there now.', 'How are you today?', '👍']

/** Makes a sample member read, answer and accept what arrives, after a short delay. */
export const startAnswering = async (running: Running, username: string): Promise<() => void> => {
  const { services } = running
  const member = await one<{ id: number }>(services.db, sql`select id from accounts where username = ${username}`)
  if (!member) return () => {}
  const client = await demoClient(running, member.id, 'member')
  const timers = new Set<NodeJS.Timeout>()
  let turn = 0

  const respond = async (change: RoomChange) => {
    const news = change.messages.filter((message) => !message.is_self && !message.taken_back)
    const last = news.at(-1)
    if (!last) return
    const offered =
      last.transaction_id && last.transaction_status === TransferStatus.pending ? last.transaction_id : undefined
    if (offered) await client.call('envelope/answer', { transaction_id: offered, accept: true })
    else if (last.transaction_id) return
    await client.call('readMessage', { code: change.code, message_id: last.message_id })
    const content = offered ? 'Thank you for the points!' : (phrases[turn++ % phrases.length] ?? '')
    await client.call('sendMessage', { code: change.code, type: 1, content })
  }

  const { hub } = services
  const roomChanged = hub.roomChanged.bind(hub)
  hub.roomChanged = (room, change) => {
    roomChanged(room, change)
    if (room.partnerId !== member.id) return
    const mine = change('partner')
    const timer = setTimeout(() => {
      timers.delete(timer)
      respond(mine).catch((error: unknown) => services.log.warn({ err: error }, 'The sample member could not answer'))
    }, 1500)
    timers.add(timer)
  }
  return () => {
    hub.roomChanged = roomChanged
    for (const timer of timers) clearTimeout(timer)
  }
}
