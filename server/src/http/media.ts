import type { FastifyInstance } from 'fastify'
import { attachmentHeader } from '../chat/files/file-name.ts'
import type { ByteRange } from '../data/media/store.ts'
import type { Sessions } from '../identity/sessions.ts'
import { ifRefused } from '../lib/refusal.ts'
import type { Services } from '../services.ts'
import { refusal } from './dispatch.ts'
import { callerOf, credentialsOf } from './request.ts'

/**
 * Images, voice notes and files. Whatever one contains, a browser that opens it runs nothing: it has a fixed type, a
 * sandbox, and a PDF is saved and not shown.
 */
export const serveMedia = (app: FastifyInstance, services: Services, sessions: Sessions) => {
  // Uncompressed: they are compressed already, and a part of one is a part of its bytes.
  app.get<{ Params: { id: string } }>('/media/:id', { compress: false }, async (request, reply) => {
    // "/media/" is an address as unknown as "/media".
    if (request.params.id === '') return reply.callNotFound()
    const readers = await sessions.readersOf(credentialsOf(request)).catch(ifRefused([]))
    const found = await services.media.find(services.db, readers, request.params.id)
    const opened = await found?.open(rangeOf(request.headers.range))
    if (!found || !opened) return reply.code(404).send(refusal('message.not_found', callerOf(request).language))
    reply
      .header('content-type', found.type)
      .header('content-security-policy', "sandbox; default-src 'none'")
      .header('content-disposition', found.name === undefined ? 'inline' : attachmentHeader(found.name))
      .header('cross-origin-resource-policy', 'same-origin')
      .header('cache-control', 'private, max-age=31536000, immutable')
      .header('accept-ranges', 'bytes')
    const { size } = opened
    if (opened.kind === 'none') return reply.code(416).header('content-range', `bytes */${size}`).send()
    const { from, to, stream } = opened
    if (rangeOf(request.headers.range)) reply.code(206).header('content-range', `bytes ${from}-${to}/${size}`)
    return reply.header('content-length', to - from + 1).send(stream)
  })
}

/** Players of Safari ask for parts first, and do not play what comes as a whole. One part only; others get the whole. */
const rangeOf = (range: string | undefined): ByteRange | undefined => {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return undefined
  const [first, last] = [found[1] ?? '', found[2] ?? '']
  if (first === '') return { last: Number(last) }
  return { from: Number(first), ...(last !== '' && { to: Number(last) }) }
}
