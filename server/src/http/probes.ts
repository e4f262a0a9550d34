import type { FastifyInstance } from 'fastify'
import { version } from '../lib/version.mjs'
import type { Services } from '../services.ts'
import { writeCheck } from './write-check.ts'

/**
 * The health checks, under the names that balancers and monitors ask by default: `/healthz` and `/livez` say that the
 * process answers, `/readyz` and `/health` that calls should be sent to this copy.
 */
export const serveProbes = (app: FastifyInstance, services: Services, isStopping: () => boolean): void => {
  for (const path of ['/healthz', '/livez']) app.get(path, () => ({ ok: true, version }))
  const isWritable = writeCheck(services)
  for (const path of ['/readyz', '/health'])
    app.get(path, async (_, reply) => {
      if (isStopping() || !(await isWritable())) return reply.code(503).send({ ok: false })
      return reply.send({ ok: true, ...(services.disk.isFull() ? { disk: 'full' } : {}) })
    })
}
