import type { FastifyRequest } from 'fastify'

/** Whose page it is: only the back office draws with the component library. */
export type Page = 'office' | 'light'

const originsOf = (apiUrl: string): string[] => {
  if (!URL.canParse(apiUrl)) return []
  const { origin } = new URL(apiUrl)
  return [origin, origin.replace(/^http/, 'ws')]
}

/** A header can hold anything; in the policy only a host name and a port may stand. */
const socketsOf = ({ host }: Pick<FastifyRequest, 'host'>): string[] =>
  /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host) ? [`ws://${host}`, `wss://${host}`] : []

type Given = { page: Page; ancestors: string; apiUrl: string }

/** The Content-Security-Policy of a page: what is not listed is not loaded. */
export const contentPolicy = (request: Pick<FastifyRequest, 'host'>, { page, ancestors, apiUrl }: Given): string => {
  const api = originsOf(apiUrl)
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The component library writes style elements.
    page === 'office' ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    ["img-src 'self' blob: data:", ...api.slice(0, 1)].join(' '),
    // Safari before 15.4 does not count WebSockets of the own host as 'self'.
    ["connect-src 'self'", ...socketsOf(request), ...api].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${ancestors}`,
    // Text becomes markup or a script's address only by way of web/src/lib/trusted-types.ts.
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
}
