import type { FastifyInstance } from 'fastify'
import type { Settings } from '../config/settings.ts'

const DAY_MS = 86_400_000
/** RFC 9116 wants less than a year. Each request gets a new date. */
const VALID_DAYS = 90

/** Says whom to tell about a weakness of this installation (RFC 9116), if the operator has named somebody. */
export const serveSecurityTxt = (
  app: FastifyInstance,
  { securityContact, publicUrl }: Pick<Settings, 'securityContact' | 'publicUrl'>,
): void => {
  if (!securityContact) return
  for (const path of ['/.well-known/security.txt', '/security.txt'])
    app.get(path, (_, reply) => {
      const expires = new Date(Date.now() + VALID_DAYS * DAY_MS).toISOString()
      const lines = [`Contact: ${securityContact}`, `Expires: ${expires}`]
      if (publicUrl) lines.push(`Canonical: ${publicUrl}/.well-known/security.txt`)
      return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
    })
}
