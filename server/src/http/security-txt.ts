import type { FastifyInstance } from 'fastify'
import type { Settings } from '../config/settings.ts'

const DAY_MS = 86_400_000
/** RFC 9116 wants less than a year. Each day has its date. */
const VALID_DAYS = 90

/** Says whom to tell about a weakness of this installation (RFC 9116), if the operator has named somebody. */
export const serveSecurityTxt = (
  app: FastifyInstance,
  { securityContact, publicUrl }: Pick<Settings, 'securityContact' | 'publicUrl'>,
): void => {
  if (!securityContact) return
  for (const path of ['/.well-known/security.txt', '/security.txt'])
    app.get(path, (_, reply) => {
      const day = Math.floor(Date.now() / DAY_MS) + VALID_DAYS
      const lines = [`Contact: ${securityContact}`, `Expires: ${new Date(day * DAY_MS).toISOString()}`]
      if (publicUrl) lines.push(`Canonical: ${publicUrl}/.well-known/security.txt`)
      return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
    })
}
