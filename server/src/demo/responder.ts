import { TransferStatus } from '@tallyroom/contract/codes'
import type { RoomChange } from '@tallyroom/contract/events'
import { many, sql } from '../data/sql.ts'
import type { Running } from '../start/serve.ts'
import { type DemoClient, demoClient } from './client.ts'
import type { DemoMember } from './people.ts'

type Answerer = { client: DemoClient; phrases: readonly string[]; nextPhrase: number }

/** Makes sample members read, answer in their own language and accept what arrives, after a short delay. */
export const startAnswering = async (running: Running, members: readonly DemoMember[]): Promise<() => void> => {
  const { services } = running
  const found = await many<{ id: number; username: string }>(
    services.db,
    sql`select id, username from accounts where username = any(${members.map(({ username }) => username)}::text[])`,
  )
  const answerers = new Map<number, Answerer>()
  for (const { id, username } of found) {
    const phrases = members.find((member) => member.username === username)?.phrases ?? []
    answerers.set(id, { client: await demoClient(running, id, 'member'), phrases, nextPhrase: 0 })
  }
  const timers = new Set<NodeJS.Timeout>()

  const respond = async (who: Answerer, change: RoomChange) => {
    const news = change.messages.filter((message) => !message.is_self && !message.taken_back)
    const last = news.at(-1)
    if (!last) return
    const offered =
      last.transaction_id && last.transaction_status === TransferStatus.pending ? last.transaction_id : undefined
    if (offered) await who.client.call('envelope/answer', { transaction_id: offered, accept: true })
    else if (last.transaction_id) return
    await who.client.call('readMessage', { code: change.code, message_id: last.message_id })
    const content = (offered ? who.phrases[0] : who.phrases[who.nextPhrase++ % who.phrases.length]) ?? ''
    await who.client.call('sendMessage', { code: change.code, type: 1, content })
  }

  const { hub } = services
  const roomChanged = hub.roomChanged.bind(hub)
  hub.roomChanged = (room, change) => {
    roomChanged(room, change)
    const who = answerers.get(room.partnerId)
    if (!who) return
    const mine = change('partner')
    const timer = setTimeout(() => {
      timers.delete(timer)
      respond(who, mine).catch((error: unknown) =>
        services.log.warn({ err: error }, 'The sample member could not answer'),
      )
    }, 1500)
    timers.add(timer)
  }
  return () => {
    hub.roomChanged = roomChanged
    for (const timer of timers) clearTimeout(timer)
  }
}
