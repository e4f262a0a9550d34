/** Everything that the server answers itself (server/src/app.ts). */
const ANSWERED = ['/api', '/media', '/config.json', '/healthz', '/readyz', '/widget.js', '/socket']

/** The same pages for the same addresses as `servePages` in server/src/app.ts. */
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

/** The server's own policy, with what Vite needs: its first script is inline. Other sites may embed a page here. */
const policyOf = async (server) => {
  await server.isReady()
  const answer = await fetch(`${server.url}/healthz`)
  return (answer.headers.get('content-security-policy') ?? '')
    .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
    .replace(/; frame-ancestors [^;]*/, '')
}

/** Vite serves the pages, at the server's addresses and under its policy; what the server answers waits until it runs. */
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
            // Also holds back what comes while the server starts again.
            bypass: async () => {
              await server.isReady()
            },
          },
        ]),
      ),
    },
  }),
  configureServer({ middlewares }) {
    let policy
    middlewares.use(async (request, response, next) => {
      try {
        if (isPage(request)) {
          policy ??= await policyOf(server)
          response.setHeader('content-security-policy', policy)
          request.url = pageOf(request.url.split('?')[0])
        }
        next()
      } catch (error) {
        next(error)
      }
    })
  },
})
