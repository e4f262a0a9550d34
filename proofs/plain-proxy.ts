import { createServer, type IncomingMessage } from 'node:http'
import { randomBytes, randomUUID } from 'node:crypto'
import { seal } from '../contract/wire.ts'
import { signatureOf } from '../server/src/member-api/signing.ts'

// For scanners, which know neither envelopes nor signatures: plain queries, forms and JSON are forwarded as calls of a
// signed-in account. `/call/room/list` is the call room/list, `/member-api/balance/list` one of the member API.

/** The default input of each call. A field that is a number here is sent as a number if it looks like one. */
export type Sample = Record<string, string | number | string[]>
type Given = {
  server: string
  token: string
  apiKey: { id: string; secret: string }
  /** By path, such as `call/room/list`. */
  samples: Record<string, Sample>
}

const bodyOf = async (asked: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of asked) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

const givenBy = (url: URL, body: string, type = ''): Record<string, unknown> => {
  const found: Record<string, unknown> = Object.fromEntries(url.searchParams)
  if (type.startsWith('application/json')) {
    try {
      return { ...found, ...(JSON.parse(body) as object) }
    } catch {
      return found
    }
  }
  return { ...found, ...Object.fromEntries(new URLSearchParams(body)) }
}

const fitted = (sample: Sample, given: Record<string, unknown>): Record<string, unknown> => {
  const made: Record<string, unknown> = { ...sample }
  for (const [name, value] of Object.entries(given)) {
    const fallback = sample[name]
    if (typeof fallback === 'number' && /^-?\d{1,9}$/.test(String(value))) made[name] = Number(value)
    else if (Array.isArray(fallback)) made[name] = [value]
    else made[name] = value
  }
  return made
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
/** A page with a form for each call, for scanners that crawl. */
const pageOf = (samples: Given['samples']) => {
  const forms = Object.entries(samples).map(([path, sample]) => {
    const inputs = Object.entries(sample).map(
      ([name, value]) => `<input name="${escaped(name)}" value="${escaped(String(value))}">`,
    )
    return `<form method="get" action="/${path}">${inputs.join('')}<button>go</button></form>`
  })
  return `<!doctype html><title>calls</title>${forms.join('\n')}`
}

/** Starts the proxy. Returns its address, the number of forwarded calls and the codes of their answers. */
export const startPlainProxy = async ({ server, token, apiKey, samples }: Given) => {
  const codes: Record<string, number> = {}
  const pass = async (path: string, payload: Record<string, unknown>) => {
    const name = path.slice(path.indexOf('/') + 1)
    if (path.startsWith('call/')) {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const body = JSON.stringify(seal(name, payload, 'tallyroom'))
      return fetch(`${server}/api/${name}`, { method: 'POST', headers, body })
    }
    const body = JSON.stringify(payload)
    const to = `/member-api/v1/${name}`
    const timestamp = String(Math.floor(Date.now() / 1000))
    const nonce = randomBytes(12).toString('hex')
    const signature = signatureOf(apiKey.secret, { method: 'POST', path: to, timestamp, nonce, body })
    const headers = {
      'content-type': 'application/json',
      'x-tallyroom-key': apiKey.id,
      'x-tallyroom-timestamp': timestamp,
      'x-tallyroom-nonce': nonce,
      'x-tallyroom-signature': signature,
    }
    return fetch(`${server}${to}`, { method: 'POST', headers, body })
  }
  const proxy = createServer((asked, answer) => {
    const work = async () => {
      const url = new URL(asked.url ?? '/', 'http://proxy')
      const path = url.pathname.slice(1)
      const sample = samples[path]
      if (!sample) {
        const isHome = url.pathname === '/'
        answer.writeHead(isHome ? 200 : 404, { 'content-type': 'text/html', ...SAFE })
        return answer.end(isHome ? pageOf(samples) : 'not found')
      }
      const payload = fitted(sample, givenBy(url, await bodyOf(asked), asked.headers['content-type']))
      const got = await pass(path, { request_id: randomUUID(), ...payload })
      const text = await got.text()
      const code = /"code":(\d+)/.exec(text)?.[1] ?? `HTTP ${got.status}`
      codes[`${path} ${code}`] = (codes[`${path} ${code}`] ?? 0) + 1
      // The scanner also checks the answers' own headers.
      const headers = Object.fromEntries(
        ['content-type', 'content-security-policy', 'x-content-type-options', 'referrer-policy'].flatMap((name) => {
          const value = got.headers.get(name)
          return value ? [[name, value]] : []
        }),
      )
      answer.writeHead(got.status, headers)
      answer.end(text)
    }
    work().catch(() => answer.writeHead(502).end())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, codes, close: () => proxy.close() }
}

/** For the proxy's own page, so that the scanner finds nothing in it. */
const SAFE = {
  'content-security-policy': "default-src 'none'; form-action 'self'",
  'x-content-type-options': 'nosniff',
}
