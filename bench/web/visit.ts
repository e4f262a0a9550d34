import { gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Locator, Page } from '@playwright/test'

/** A mid-range phone on a slow line, with Lighthouse's numbers. */
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const SLOWER = 4
/** The page is done when it has neither loaded nor worked for this long. */
const STILL_MS = 1500

const gzips = new Map<string, number>()
/** Bytes of a script at gzip's default level, whatever its server uses. */
const gzipOf = async (url: string): Promise<number> => {
  const known = gzips.get(url)
  if (known !== undefined) return known
  const size = gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length
  gzips.set(url, size)
  return size
}

type State = BrowserContextOptions['storageState']
export type Visit = {
  address: string
  /** The page's main content is visible. */
  there: (page: Page) => Locator
  /** Cookies and storage of the signed-in account. */
  state?: State
}

/** Opens a page with an empty cache, and measures until it is idle. */
export const visit = async (browser: Browser, { address, there, state }: Visit) => {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
    ...(state ? { storageState: state } : {}),
  })
  const page = await context.newPage()
  await page.addInitScript({ path: fileURLToPath(new URL('watch.js', import.meta.url)) })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', LINE)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const scripts: Promise<readonly [url: string, wire: number]>[] = []
  let last = performance.now()
  let open = 0
  page.on('request', () => open++)
  const over = () => {
    open--
    last = performance.now()
  }
  page.on('requestfailed', over)
  page.on('requestfinished', (request) => {
    over()
    if (request.resourceType() !== 'script') return
    scripts.push(request.sizes().then(({ responseBodySize }) => [request.url(), responseBodySize] as const))
  })
  await page.goto(address, { waitUntil: 'commit' })
  await there(page).first().waitFor()
  const quiet = () => page.evaluate<number>('performance.now() - lastWork()')
  while (open > 0 || performance.now() - last < STILL_MS || (await quiet()) < STILL_MS) await page.waitForTimeout(100)
  const painted = await page.evaluate<Record<'largest' | 'blocking' | 'work' | 'shift', number>>('measured()')
  // A page that reloads itself takes the same files from its cache: only the first time counts.
  const wires = new Map<string, number>()
  for (const [url, wire] of await Promise.all(scripts)) wires.set(url, Math.max(wires.get(url) ?? 0, wire))
  await context.close()
  const sizes = await Promise.all([...wires.keys()].map(gzipOf))
  const kb = (sizes: Iterable<number>) => [...sizes].reduce((sum, size) => sum + size, 0) / 1000
  return { ...painted, gzip: kb(sizes), wire: kb(wires.values()) }
}
