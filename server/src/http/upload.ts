import { commonRefusals, OK } from '@tallyroom/contract'
import { UPLOAD_PART_BYTES } from '@tallyroom/contract/files'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../identity/actor.ts'
import type { Sessions } from '../identity/sessions.ts'
import { Refused } from '../lib/refusal.ts'
import { wordsFor } from '../lib/words.ts'
import type { Services } from '../services.ts'
import { answerFor, takeFromLimit } from './dispatch.ts'
import { setStatus } from './status.ts'
import { callerOf, credentialsOf } from './request.ts'

type Part = { Params: { id: string }; Querystring: { offset?: string } }
const DECLARED = { name: 'upload', refuses: [...commonRefusals, 'upload.not_found'] as const }

/**
 * Parts of an upload, as bytes: as calls they would be twice as long. Each answer says how many bytes the server has; a
 * part that does not come next is not stored, and its answer says where to go on. Sender and limits are checked before a
 * body is read.
 */
export const serveUploads = (parent: FastifyInstance, services: Services, sessions: Sessions) =>
  // A scope of its own: only here are bodies bytes.
  parent.register((app, _, done) => {
    const actors = new WeakMap<FastifyRequest, Actor>()
    const refuseWith = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
      const answer = answerFor(services, error, callerOf(request), DECLARED)
      setStatus(reply, answer)
      return reply.header('cache-control', 'no-store').send(answer)
    }
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    )
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        await takeFromLimit(services, 'address', callerOf(request).network)
        const actor = await sessions.actorOf(credentialsOf(request))
        await takeFromLimit(services, 'write', String(actor.session.id))
        if (services.disk.isScarce()) throw new Refused('server.full')
        actors.set(request, actor)
      } catch (error) {
        await refuseWith(request, reply.header('connection', 'close'), error)
      }
    }
    app.post<Part>('/upload/:id', { bodyLimit: UPLOAD_PART_BYTES, onRequest }, async (request, reply) => {
      try {
        const actor = actors.get(request)
        const offset = /^\d{1,9}$/.test(request.query.offset ?? '') ? Number(request.query.offset) : 0
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const { id } = request.params
        const received =
          actor && (await services.uploads.write(services.db, { accountId: actor.id, id, offset, bytes }))
        if (received === undefined) throw new Refused('upload.not_found')
        const { language } = callerOf(request)
        reply.header('cache-control', 'no-store')
        return await reply.send({ code: OK, message: wordsFor(language, 'success'), data: { received } })
      } catch (error) {
        return refuseWith(request, reply, error)
      }
    })
    done()
  })
