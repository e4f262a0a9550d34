import { get } from 'node:http'

/** Everything that the server answers itself (server/src/http/app.ts). */
const ANSWERED = ['/api', '/media', '/config.json', '/healthz', '/readyz', '/widget.js', '/socket', '/docs']

/** The same pages for the same addresses as `servePages` in server/src/http/app.ts. */
const pageOf = (path) => {
  // The controls with their states, which no build has.
  if (path === '/ui') return '/controls.html'
  if (/^\/login\/?$/.test(path)) return '/login.html'
  return /^\/(m|Signup)(\/|$)/.test(path) ? '/member.html' : '/index.html'
}

const isPage = ({ method, url, headers }) => {
  const path = url.split('?')[0]
  if (method !== 'GET' || /^\/(@|src\/|node_modules\/)/.test(path) || path.endsWith('.html')) return false
  if (ANSWERED.some((start) => path === start || path.startsWith(`${start}/`))) return false
  return ['document', 'iframe'].includes(headers['sec-fetch-dest']) || !/\.\w+$/.test(path)
}

/** The headers of an answer that is no JSON: it has the policy of pages. Requested under the browser's name for us. */
const headersOf = (server, host) =>
  new Promise((resolve, reject) => {
    get(`${server.url}/widget.js`, { headers: { host } }, (answer) => resolve(answer.resume().headers)).once(
      'error',
      reject,
    )
  })

/**
 * The server's own policy, without what Vite breaks: its first script and its sheets are inline, and its error page is
 * made of markup.
 * The journeys run under the whole policy.
 */
const policyOf = async (server, host) => {
  await server.isReady()
  const { 'content-security-policy': policy = '' } = await headersOf(server, host)
  // Otherwise every page would be blank, without a word here.
  if (!policy.includes("script-src 'self'")) throw new Error(`The server gave no policy for pages: ${policy}`)
  return policy
    .replace(/(script|style)-src 'self'/g, "$& 'unsafe-inline'")
    .replace(/; (frame-ancestors|require-trusted-types-for|trusted-types) [^;]*/g, '')
}

const TABLE = /\/locales\/[\w-]+\.ts(\?|$)/

/**
 * A module of words that puts changed texts into the table that the page has, and draws the page again. Otherwise each of
 * them would reload the page, which then waits for the server: the server has the words too, so it restarts.
 */
export const hotWords = (code) =>
  `${code.replace(/^export default /m, 'const said = ')}
const words = (import.meta.hot.data.words ??= {})
export default Object.assign(words, said)
import.meta.hot.accept(async () => {
  const { language, setLanguage } = await import('/src/i18n/i18n.ts')
  await setLanguage(language())
})
`

/** Vite serves the pages at the server's addresses and under its policy; requests to the server wait until it runs. */
export const devPages = (server) => ({
  name: 'dev-pages',
  // After some-words, which leaves only the words of a light page.
  enforce: 'post',
  transform: (code, id) =>
    TABLE.test(id) && /^export default \{/m.test(code) ? { code: hotWords(code), map: null } : undefined,
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
