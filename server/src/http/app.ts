import { existsSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import compress from '@fastify/compress'
import statics from '@fastify/static'
import { callNames, commonRefusals, declared, OK } from '@tallyroom/contract'
import { officeAddresses } from '@tallyroom/contract/pages/office-addresses'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { contentPolicy, jsonPolicy, permissionsPolicy } from './content-policy.ts'
import { answerFor, makeDispatch, refusal } from './dispatch.ts'
import { setStatus } from './status.ts'
import { DatabaseAway } from '../data/faults.ts'
import { MediaAway } from '../data/media/store.ts'
import type { Caller } from '../identity/caller.ts'
import type { Services } from '../services.ts'
import type { Sessions } from '../identity/sessions.ts'
import type { Settings } from '../config/settings.ts'
import { jsonInSlices, LongAnswer } from '../lib/chunked-json.ts'
import { adoptZone } from '../ledger/check/time-zone.ts'
import { serveMedia } from './media.ts'
import { offersPasskeys } from '../identity/passkeys/site.ts'
import { somebodyHasPasskey } from '../identity/passkeys/options.ts'
import { offersSms } from '../identity/sign-in/recovery.ts'
import { servePersonFiles } from './person-file.ts'
import { callerOf, credentialsOf, isSecure, requestId } from './request.ts'
import { serveUploads } from './upload.ts'
import { serveProbes } from './probes.ts'
import { serveSecurityTxt } from './security-txt.ts'
import { widgetScript } from './widget.ts'
import { watchProxies } from './proxies.ts'
import { makeWire } from './wire.ts'

const MAX_BODY_BYTES = 256 * 1024
const MAX_IMAGE_BODY_BYTES = 8 * 1024 * 1024

type AppOptions = {
  webDir: string
  isStopping: () => boolean
  /** Whether this client has reached its limit of connections. */
  isOverLimit: (request: IncomingMessage) => boolean
  /** The member API is a floor above this folder, so it is passed in. */
  serveMemberApi: (
    app: FastifyInstance,
    services: Services,
    callerOf: (request: FastifyRequest) => Caller,
  ) => Promise<void>
}

/** The HTTP server: calls, images, the member API, the pages and the health checks. */
export const makeApp = async (
  services: Services,
  sessions: Sessions,
  { webDir, isStopping, isOverLimit, serveMemberApi }: AppOptions,
): Promise<FastifyInstance> => {
  const { settings } = services
  const app: FastifyInstance = fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_, hop) => hop < settings.trustedProxies,
    bodyLimit: MAX_BODY_BYTES,
    genReqId: (request) => requestId(request, settings.trustedProxies),
    // How often Node looks for connections that have not sent a whole request header.
    http: { connectionsCheckingInterval: 1000 },
    // Requests on open connections are still answered while the server stops.
    return503OnClosing: false,
    // Links are cut off inside of an escape, or end in a % of the sentence. Fastify refuses them before any route.
    frameworkErrors: ({ statusCode = 400 }, { method, url }, reply: FastifyReply) => {
      const readable = readablePath(url)
      if ((method === 'GET' || method === 'HEAD') && readable !== undefined && !isForMachines(readable))
        return void reply.redirect(readable)
      void reply.code(statusCode).type('text/plain').send('bad request')
    },
  })
  // JSON only: other sites cannot send it without a CORS preflight.
  app.removeContentTypeParser('text/plain')
  // Every request runs these hooks. With callbacks they need no promises.
  app.addHook('onSend', (request, reply, _, done) => {
    addSecurityHeaders(request, reply, settings)
    reply.header('x-request-id', request.id)
    // The next call opens a new connection and so reaches another copy.
    if (isStopping()) reply.header('connection', 'close')
    done()
  })
  const lookAtProxies = watchProxies(settings.trustedProxies, services.log)
  app.addHook('onRequest', (request, reply, done) => {
    // Health checks come from the balancer itself.
    if (request.url.startsWith('/api/')) lookAtProxies(request.raw)
    if (!isOverLimit(request.raw)) return done()
    const answer = refusal('request.too_often', callerOf(request).language, { seconds: 1 })
    setStatus(reply, answer)
    reply.send(answer)
  })
  handleHttpErrors(app, services)
  await app.register(compress, {
    threshold: 2048,
    encodings: ['br', 'gzip'],
    zlibOptions: { level: 1 },
    brotliOptions: { params: { 1: 3 } },
  })

  const dispatch = makeDispatch(services, makeWire(settings.wireSecret), sessions)
  for (const name of callNames) {
    app.post(
      `/api/${name}`,
      declared(name).size === 'image'
        ? { bodyLimit: MAX_IMAGE_BODY_BYTES, onRequest: refuseLargeBodies(services, sessions) }
        : { bodyLimit: MAX_BODY_BYTES },
      async (request, reply) => {
        const cookies: string[] = []
        const setCookie = (key: string, value: string, maxAge: number) => {
          cookies.push(
            `${key}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${isSecure(request) ? '; Secure' : ''}`,
          )
        }
        const asked = { name, body: request.body, credentials: credentialsOf(request) }
        const answer = await dispatch(asked, callerOf(request), { setCookie })
        if (cookies.length) reply.header('set-cookie', cookies)
        setStatus(reply, answer)
        reply.header('cache-control', 'no-store')
        // Photos of rooms are kept for a year, and the next person at this computer is another one.
        const hasEnded = answer.refusal === 'session.dead' && asked.credentials.token !== undefined
        if (hasEnded || (name === 'logout' && answer.code === OK)) reply.header('clear-site-data', '"cache"')
        const { data } = answer
        if (!(data instanceof LongAnswer)) return reply.send(answer)
        return reply.type('application/json; charset=utf-8').send(Readable.from(jsonInSlices({ ...answer, data })))
      },
    )
  }
  app.post('/api/*', (request, reply) => reply.send(refusal('request.unknown_call', callerOf(request).language)))

  app.get('/config.json', async (request, reply) => {
    // The zone may have been chosen on another copy a moment ago. Without a database the page shows that there is none.
    const [, hasPasskeys] = await Promise.all([
      adoptZone(services.db, settings).catch(() => undefined),
      somebodyHasPasskey(services.db).catch(() => false),
    ])
    const passkeys = offersPasskeys(settings, request.host)
    return reply.header('cache-control', 'no-cache').send({
      api: settings.apiUrl,
      secret: settings.wireSecret,
      time_zone: settings.timeZone,
      passkeys,
      // Where nobody has one, the sign-in does not offer it.
      passkey_sign_in: passkeys && hasPasskeys,
      recovery_sms: offersSms(settings),
    })
  })
  serveProbes(app, services, isStopping)
  serveSecurityTxt(app, settings)
  await serveMemberApi(app, services, callerOf)
  servePersonFiles(app, services, sessions)
  serveMedia(app, services, sessions)
  serveUploads(app, services, sessions)
  app.get('/widget.js', (request, reply) =>
    reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(widgetScript(callerOf(request).language, settings.widgetOrigins)),
  )
  await servePages(app, webDir, settings)
  return app
}

/** Nobody without a session gets the server to keep megabytes in memory: a large body is read after its sender is known. */
const refuseLargeBodies =
  (services: Services, sessions: Sessions) => async (request: FastifyRequest, reply: FastifyReply) => {
    const length = Number(request.headers['content-length'] ?? Infinity)
    if (length <= MAX_BODY_BYTES) return
    await sessions.actorOf(credentialsOf(request)).catch((error: unknown) => {
      const answer = answerFor(services, error, callerOf(request), { name: 'image', refuses: commonRefusals })
      setStatus(reply, answer)
      return reply.header('connection', 'close').send(answer)
    })
  }

const isJson = (reply: FastifyReply) => String(reply.getHeader('content-type')).startsWith('application/json')

const addSecurityHeaders = (request: FastifyRequest, reply: FastifyReply, { apiUrl, hstsSubdomains }: Settings) => {
  reply.header('x-content-type-options', 'nosniff')
  reply.header('referrer-policy', 'no-referrer')
  if (!reply.hasHeader('permissions-policy')) reply.header('permissions-policy', permissionsPolicy('none'))
  if (!reply.hasHeader('content-security-policy')) {
    const policy = isJson(reply) ? jsonPolicy : contentPolicy(request, { ancestors: "'none'", apiUrl })
    reply.header('content-security-policy', policy)
  }
  if (isSecure(request))
    reply.header('strict-transport-security', `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}`)
}

/** The client closed its connection before the answer began. A stream that breaks while it is open is our fault. */
const hasLeft = (request: FastifyRequest, error: Error & { code?: string }) =>
  error.code === 'ERR_STREAM_PREMATURE_CLOSE' && request.raw.socket.destroyed

/** Answers HTTP errors in the usual shape. 413 and 503 keep their status, broken requests get 200. */
const handleHttpErrors = (app: FastifyInstance, services: Services) => {
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const { language } = callerOf(request)
    const status = error.statusCode ?? 500
    if (status === 413) return reply.code(413).send(refusal('request.too_large', language))
    if (status < 500) return reply.code(200).send(refusal('request.bad_envelope', language))
    // answerFor() writes its line about what is away.
    const isAway = error instanceof DatabaseAway || error instanceof MediaAway
    const away = isAway ? answerFor(services, error, callerOf(request), { name: '', refuses: [] }) : undefined
    const answer = away ?? refusal('server.starting', language)
    setStatus(reply, answer)
    if (!away && !hasLeft(request, error))
      services.log.error(
        { err: error, url: request.routeOptions.url, call_id: request.id },
        'A request failed outside of the calls',
      )
    return reply.send(answer)
  })
}

/** No page has such an address: a scanner or a wrong set-up must not get one with status 200. */
const isForMachines = (path: string) =>
  /^\/(api|member-api|metrics|socket|upload|\.well-known)(\/|$)|^\/(assets|media)\/./.test(path) ||
  /\.(css|env|html?|ico|js|json|map|php|png|svg|txt|webp|xml)$/i.test(path)

const READABLE =
  /^(?:[^%?]|%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3})*/i
/** The path up to the escape that cannot be read; undefined if there is none. Two slashes at its start would be a host. */
const readablePath = (url: string): string | undefined => {
  const [found = ''] = READABLE.exec(url) ?? []
  return url[found.length] === '%' ? found.replace(/^[/\\]+/, '/') : undefined
}

/** Serves sign-in page, back office and member's page. At an unknown address the back office says that it is none. */
const servePages = async (app: FastifyInstance, webDir: string, { widgetOrigins, apiUrl }: Settings) => {
  if (!existsSync(webDir)) return
  await app.register(statics, {
    root: webDir,
    wildcard: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const forever = /[\\/]assets[\\/]/.test(path)
      // Voice notes are recorded in the back office and on the member's page; the guides have an index.html too.
      if (dirname(path) === normalize(webDir) && /[\\/](index|member)\.html(\.br|\.gz)?$/.test(path))
        reply.header('permissions-policy', permissionsPolicy('microphone'))
      // It is kept and opened from a disk: the policy of the pages would stop its script.
      if (/[\\/]check\.html(\.br|\.gz)?$/.test(path))
        reply.header('content-disposition', 'attachment; filename="check.html"')
      reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const ancestors = widgetOrigins.join(' ') || "'none'"
  app.setNotFoundHandler((request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return reply.code(404).send(refusal('request.unknown_call', 'en'))
    const path = request.url.split('?')[0] ?? ''
    if (path === '/docs') return reply.redirect('/docs/')
    if (isForMachines(path)) return reply.code(404).type('text/plain').send('not found')
    const isLogin = /^\/login\/?$/i.test(path)
    if (!isLogin && !/^\/(m|signup)(\/|$)/i.test(path))
      return reply.code(officeAddresses.has(path.split('/')[1]?.toLowerCase() ?? '') ? 200 : 404).sendFile('index.html')
    const policy = contentPolicy(request, { ancestors: isLogin ? "'none'" : ancestors, apiUrl })
    return reply.header('content-security-policy', policy).sendFile(isLogin ? 'login.html' : 'member.html')
  })
}
