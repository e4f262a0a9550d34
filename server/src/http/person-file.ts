import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { findMember } from '../calls/accounts/person.ts'
import { may } from '../identity/policy.ts'
import type { Sessions } from '../identity/sessions.ts'
import { ifRefused } from '../lib/refusal.ts'
import { zip } from '../lib/zip.ts'
import { exportPerson } from '../retention/export.ts'
import { readExportLink } from '../retention/export-link.ts'
import type { Services } from '../services.ts'
import { refusal } from './dispatch.ts'
import { callerOf, credentialsOf } from './request.ts'

/**
 * Sends everything that is kept of a member as one archive, made meanwhile. The address comes from `person/export`, which
 * has written it into the audit log; it is of use in that session only, and while its account may still do so.
 */
export const servePersonFiles = (app: FastifyInstance, services: Services, sessions: Sessions) => {
  app.get<{ Params: { link: string } }>('/media/person/:link', { compress: false }, async (request, reply) => {
    const link = readExportLink(services.key, request.params.link)
    const readers = link ? await sessions.readersOf(credentialsOf(request)).catch(ifRefused([])) : []
    const reader = readers.find(({ session }) => session.id === link?.sessionId)
    const member =
      link &&
      reader &&
      may(reader, 'person/export') &&
      !reader.masks &&
      (await findMember(services.db, reader, link.memberId).catch(ifRefused(undefined)))
    if (!member) return reply.code(404).send(refusal('account.not_found', callerOf(request).language))
    const onMissing = (file: string) =>
      services.log.warn({ file, account: member.id }, 'A file of an exported person is lost')
    reply
      .header('content-type', 'application/zip')
      .header('content-disposition', `attachment; filename="person-${member.id}.zip"`)
      .header('cache-control', 'no-store')
    const files = exportPerson(services.db, { id: member.id, store: services.mediaStores.all, onMissing })
    return reply.send(Readable.from(zip(files)))
  })
}
