import { get } from 'node:http'

/** Everything that the server answers itself (server/src/http/app.ts). */
const ANSWERED = ['/api', '/media', '/config.json', '/healthz', '/readyz', '/widget.js', '/socket']

/** The same pages for the same addresses as `servePages` in server/src/http/app.ts. */
const pageOf = (path) => {
  if (/^\/login\/?$/.test(path)) return '/login.html'
  return /^\/(m|Signup)(\/|$)/.test(path) ? '/member.html' : '/index.html'
}

const isPage = ({ method, url, headers }) => {
  const path = url.split('?')[0]
  if (method !== 'GET' || /^\/(@|src\/|node_modules\/)/.test(path) || path.endsWith('.html')) return false
  if (ANSWERED.some((start) => path === start || path.startsWith(`${start}/`))) return false
  return ['document', 'iframe'].includes(headers['sec-fetch-dest']) || !/\.\w+$/.test(path)
}

/** The headers of the server's answer, requested under the browser's name for us. */
const headersOf = (server, host) =>
  new Promise((resolve, reject) => {
    get(`${server.url}/healthz`, { headers: { host } }, (answer) => resolve(answer.resume().headers)).once(
      'error',
      reject,
    )
  })

/**
 * The server's own policy, without what Vite breaks: its first script is inline, and its error page is made of markup.
 * The journeys run under the whole policy.
 */
const policyOf = async (server, host) => {
  await server.isReady()
  const { 'content-security-policy': policy = '' } = await headersOf(server, host)
  return policy
    .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
    .replace(/; (frame-ancestors|require-trusted-types-for|trusted-types) [^;]*/g, '')
}

/** Vite serves the pages at the server's addresses and under its policy; requests to the server wait until it runs. */
export const devPages = (server) => ({
  name: 'dev-pages',
  config: () => ({
    server: {
      proxy: Object.fromEntries(
        ANSWERED.map((start) => [
          start,
          {
            target: server.url,
            xfwd: true,
            ws: start === '/socket',
            // Also holds back requests while the server restarts.
            bypass: async () => {
              await server.isReady()
            },
          },
        ]),
      ),
    },
  }),
  configureServer({ middlewares }) {
    middlewares.use(async (request, response, next) => {
      try {
        if (isPage(request)) {
          response.setHeader('content-security-policy', await policyOf(server, request.headers.host))
          request.url = pageOf(request.url.split('?')[0])
        }
        next()
      } catch (error) {
        next(error)
      }
    })
  },
})
