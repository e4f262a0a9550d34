import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser } from '@playwright/test'

const dist = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** The bytes of a page's first visit: its scripts plain, by gzip and as sent; and its style sheets. */
export const loaded = async (browser: Browser, address: string) => {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  const sizes: Promise<readonly [file: string, kind: string, wire: number]>[] = []
  page.on('requestfinished', (request) => {
    const kind = request.resourceType()
    if (kind !== 'script' && kind !== 'stylesheet') return
    const file = new URL(request.url()).pathname
    sizes.push(request.sizes().then(({ responseBodySize }) => [file, kind, responseBodySize]))
  })
  await page.goto(address, { waitUntil: 'networkidle' })
  const wires = new Map<string, number>()
  const kinds = new Map<string, string>()
  // The sign-in page reloads itself: files from the cache count once.
  for (const [file, kind, wire] of await Promise.all(sizes)) {
    kinds.set(file, kind)
    wires.set(file, Math.max(wires.get(file) ?? 0, wire))
  }
  const files = [...kinds].map(([file, kind]) => {
    const [body, wire] = [readFileSync(dist + file), wires.get(file) ?? 0]
    return { kind, file, raw: body.length, gzip: gzipSync(body).length, wire }
  })
  await context.close()
  const sum = (wanted: string, size: 'raw' | 'gzip' | 'wire') =>
    files.reduce((total, { kind, [size]: bytes }) => total + (kind === wanted ? bytes : 0), 0)
  return {
    count: files.filter(({ kind }) => kind === 'script').length,
    raw: sum('script', 'raw'),
    gzip: sum('script', 'gzip'),
    wire: sum('script', 'wire'),
    sheets: sum('stylesheet', 'gzip'),
    files,
  }
}
