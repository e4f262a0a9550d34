import type { FastifyRequest } from 'fastify'

const originsOf = (apiUrl: string): string[] => {
  if (!URL.canParse(apiUrl)) return []
  const { origin } = new URL(apiUrl)
  return [origin, origin.replace(/^http/, 'ws')]
}

/** A Host header can hold anything; only a plain host name and port may enter the policy. */
const socketsOf = ({ host }: Pick<FastifyRequest, 'host'>): string[] =>
  /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host) ? [`ws://${host}`, `wss://${host}`] : []

/** The Content-Security-Policy of JSON, which loads nothing when a browser opens it. Calls are too many to build one each. */
export const jsonPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The Content-Security-Policy of a page: anything not listed is blocked. */
export const contentPolicy = (
  request: Pick<FastifyRequest, 'host'>,
  { ancestors, apiUrl }: { ancestors: string; apiUrl: string },
): string => {
  const api = originsOf(apiUrl)
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' blob: data:", ...api.slice(0, 1)].join(' '),
    // Voice notes, and those that were just recorded.
    ["media-src 'self' blob:", ...api.slice(0, 1)].join(' '),
    // Safari before 15.4 does not treat WebSockets of the same host as 'self'.
    ["connect-src 'self'", ...socketsOf(request), ...api].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${ancestors}`,
    // No text becomes markup, and only web/src/lib/trusted-types.ts gives scripts an address.
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
}

/** Pages may use nothing of the device; those that record voice notes may use the microphone. */
export const permissionsPolicy = (use: 'none' | 'microphone'): string =>
  [
    'accelerometer=()',
    'camera=()',
    'display-capture=()',
    'geolocation=()',
    'gyroscope=()',
    use === 'microphone' ? 'microphone=(self)' : 'microphone=()',
    'midi=()',
    'payment=()',
    'usb=()',
  ].join(', ')
