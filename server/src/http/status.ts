import { errors } from '@tallyroom/contract'
import type { FastifyReply } from 'fastify'
import type { CallAnswer } from './dispatch.ts'

/** HTTP statuses that proxies must see too; every other answer has status 200. */
const statuses: Partial<Record<number, number>> = {
  [errors['request.too_often']]: 429,
  [errors['server.unsure']]: 504,
}
/** Clients ask again after this time. A new primary is there within seconds. */
const AWAY_SECONDS = 1
export const setStatus = (reply: FastifyReply, { code, data, refusal: name }: CallAnswer): void => {
  const status = name === 'server.starting' || name === 'server.media_away' ? 503 : statuses[code]
  if (status) reply.code(status)
  if (status === 429) reply.header('retry-after', (data as { seconds?: number } | null)?.seconds ?? 60)
  if (status === 503) reply.header('retry-after', AWAY_SECONDS)
}
