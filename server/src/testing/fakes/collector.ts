import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'

/** A span as it arrived. `kind` and `status` are the numbers of OTLP: 2 is a server's span, and an error. */
type CollectedSpan = {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: number
  status: number
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
  resource: Record<string, unknown>
}
type Pairs = { key: string; value: Record<string, unknown> }[]
type Sent = {
  resourceSpans: {
    resource: { attributes: Pairs }
    scopeSpans: {
      spans: (Pick<CollectedSpan, 'traceId' | 'spanId' | 'parentSpanId' | 'name' | 'kind'> & {
        attributes: Pairs
        links?: CollectedSpan['links']
        status: { code?: number }
      })[]
    }[]
  }[]
}

const valuesOf = (pairs: Pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]))

/** A collector of traces on this machine: OTLP over HTTP, as JSON. */
export const openCollector = async () => {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const requests: IncomingHttpHeaders[] = []
  const state = { hangs: false }
  const take = (text: string) => {
    bodies.push(text)
    for (const { resource, scopeSpans } of (JSON.parse(text) as Sent).resourceSpans)
      for (const one of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...one,
          parentSpanId: one.parentSpanId,
          status: one.status.code ?? 0,
          attributes: valuesOf(one.attributes),
          links: one.links ?? [],
          resource: valuesOf(resource.attributes),
        })
  }
  const server = createServer((request, answer) => {
    requests.push(request.headers)
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      if (state.hangs) return
      if (request.url === '/v1/traces') take(text)
      answer.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const find = async (isMeant: (span: CollectedSpan) => boolean): Promise<CollectedSpan> => {
    await expect.poll(() => spans.some(isMeant)).toBe(true)
    return spans.find(isMeant) as CollectedSpan
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    requests,
    /** It takes connections from now on, and answers nothing. */
    hang: () => {
      state.hangs = true
    },
    /** The first such span, as soon as it is there. */
    find,
    /** The span of the call with this id. */
    call: (id: string) => find(({ attributes }) => attributes['tallyroom.call_id'] === id),
    below: (parent: CollectedSpan) => spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
export type Collector = Awaited<ReturnType<typeof openCollector>>
