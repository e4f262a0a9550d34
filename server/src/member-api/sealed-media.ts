import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { attachmentHeader } from '../chat/files/file-name.ts'
import { mediaIdOf } from '../chat/media-url.ts'
import type { Services } from '../services.ts'
import { PREFIX } from './samples.ts'

/** Long enough to load it, too short to be passed on. */
const SECONDS = 300

type Keys = Pick<Services, 'key' | 'settings'>
const sealOf = ({ key }: Pick<Services, 'key'>, id: string, until: number) =>
  createHmac('sha256', key.derive('sealed-media/v1')).update(`${id} ${until}`).digest()

/** An address of a room's file that a caller without a session may open for five minutes. `url` is that for people. */
export const sealedAddress = (services: Keys, url: string): string => {
  const id = mediaIdOf(url)
  const until = Math.floor(Date.now() / 1000) + SECONDS
  const seal = sealOf(services, id, until).toString('base64url')
  return `${services.settings.publicUrl ?? ''}${PREFIX}/media/${id}?until=${until}&seal=${seal}`
}

const isSealed = (services: Keys, id: string, until: number, seal: string): boolean => {
  const given = Buffer.from(seal, 'base64url')
  const right = sealOf(services, id, until)
  return given.length === right.length && timingSafeEqual(given, right) && until > Date.now() / 1000
}

/** Serves files of rooms at addresses of `sealedAddress`. Whatever one contains, a browser that opens it runs nothing. */
export const serveSealedMedia = (
  api: FastifyInstance,
  services: Services,
  notFound: (reply: FastifyReply) => unknown,
): void => {
  api.get<{ Params: { id: string }; Querystring: Record<string, unknown> }>(
    '/media/:id',
    { compress: false },
    async (request, reply) => {
      const { until, seal } = request.query
      const { id } = request.params
      const found =
        isSealed(services, id, Number(until), String(seal)) && (await services.media.ofRoom(services.db, id))
      const opened = found && (await found.open())
      if (!found || !opened || opened.kind === 'none') return notFound(reply)
      reply
        .header('content-type', found.type)
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('content-disposition', found.name === undefined ? 'inline' : attachmentHeader(found.name))
        .header('cache-control', 'no-store')
      return reply.header('content-length', opened.size).send(opened.stream)
    },
  )
}
