import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { settingsFrom } from '../config/settings.ts'
import { makeSessions } from '../identity/sessions.ts'
import { version } from '../lib/version.mjs'
import { serveMemberApi } from '../member-api/route.ts'
import { type TestServer, startTestServer } from '../testing/app.ts'
import { makeApp } from './app.ts'

let server: TestServer
const webDir = mkdtempSync(join(tmpdir(), 'tallyroom-pages-'))
beforeAll(async () => {
  server = await startTestServer()
  cpSync(fileURLToPath(new URL('../../../web/public', import.meta.url)), webDir, { recursive: true })
  for (const page of ['index.html', 'login.html', 'member.html']) writeFileSync(join(webDir, page), `<!-- ${page} -->`)
})

const openApp = ({ env = {}, isStopping = false }: { env?: Record<string, string>; isStopping?: boolean } = {}) => {
  const { services } = server
  const { securityContact, publicUrl } = settingsFrom(env)
  const settings = { ...services.settings, securityContact, publicUrl }
  return makeApp({ ...services, settings }, makeSessions(services.db, settings), {
    webDir,
    isStopping: () => isStopping,
    isOverLimit: () => false,
    serveMemberApi,
  })
}

test('[RUN-02] each name of a health check answers what it says, and never with a page', async () => {
  for (const isStopping of [false, true]) {
    const app = await openApp({ isStopping })
    for (const [path, status] of [
      ['/healthz', 200],
      ['/livez', 200],
      ['/readyz', isStopping ? 503 : 200],
      ['/health', isStopping ? 503 : 200],
    ] as const) {
      const answer = await app.inject(path)
      const isAlive = path === '/healthz' || path === '/livez'
      const said = { ok: status === 200, ...(isAlive ? { version } : {}) }
      expect([path, answer.statusCode, answer.json()]).toEqual([path, status, said])
      expect((await app.inject({ method: 'HEAD', url: path })).statusCode).toBe(status)
    }
    await app.close()
  }
})

test('[RUN-02] an unknown address answers 404, with the page that says so; those of pages answer 200', async () => {
  const app = await openApp()
  const said = async (path: string) => {
    const { statusCode, body } = await app.inject(path)
    return [statusCode, /<!-- (\w+)/.exec(body)?.[1]]
  }
  for (const path of ['/', '/index', '/chat/messaging', '/transaction/list/ann?page=2', '/set-up', '/RD_Debug'])
    expect([path, ...(await said(path))]).toEqual([path, 200, 'index'])
  for (const path of ['/AgentLogin?agentToken=1', '/AutoLogin', '/auto-login', '/WebLogin/token/7/0', '/Agent'])
    expect([path, ...(await said(path))]).toEqual([path, 200, 'index'])
  for (const path of ['/m', '/m/room', '/Signup/abc', '/signup/abc']) expect(await said(path)).toEqual([200, 'member'])
  expect(await said('/login')).toEqual([200, 'login'])
  for (const path of ['/ready', '/version', '/status', '/healthz/db', '/documents', '/admin', '/404'])
    expect([path, ...(await said(path))]).toEqual([path, 404, 'index'])
  for (const path of ['/wp-login.php', '/.env', '/sitemap.xml', '/assets/none.js', '/.well-known/none'])
    expect([path, ...(await said(path))]).toEqual([path, 404, undefined])
  await app.close()
})

test('[RUN-02] an address with half an escape leads to the page that it names up to there', async () => {
  const app = await openApp()
  const said = async (url: string, method: 'GET' | 'POST' = 'GET') => {
    const { statusCode, headers } = await app.inject({ method, url })
    return [statusCode, headers.location]
  }
  for (const [url, page] of [
    ['/Signup/abc%', '/Signup/abc'],
    ['/Signup/abc%E0%B8?x=1', '/Signup/abc'],
    ['/transaction/list/%E0%B8%81%E0', '/transaction/list/%E0%B8%81'],
    ['/m%zz', '/m'],
    ['//host.example/%', '/host.example/'],
  ] as const)
    expect([url, ...(await said(url))]).toEqual([url, 302, page])
  for (const url of ['/api/login%', '/assets/none%E0.js', '/%C0%80'])
    expect([url, ...(await said(url))]).toEqual([url, 400, undefined])
  expect(await said('/m%', 'POST')).toEqual([400, undefined])
  await app.close()
})

test('[RUN-02] robots are sent away, and a browser that asks for favicon.ico gets the icon', async () => {
  const app = await openApp()
  const robots = await app.inject('/robots.txt')
  expect([robots.statusCode, robots.body]).toEqual([200, 'User-agent: *\nDisallow: /\n'])
  const { statusCode, headers, rawPayload } = await app.inject('/favicon.ico')
  expect([statusCode, headers['content-type']]).toEqual([200, 'image/vnd.microsoft.icon'])
  expect(await sharp(rawPayload.subarray(rawPayload.readUInt32LE(18))).metadata()).toMatchObject({ width: 32 })
  await app.close()
})

test('[RUN-02] security.txt names whom the operator has named, for a while; without a name there is none', async () => {
  const env = { SECURITY_CONTACT: 'mailto:security@example.com', PUBLIC_URL: 'https://t.example/' }
  const app = await openApp({ env })
  for (const path of ['/.well-known/security.txt', '/security.txt']) {
    const { statusCode, headers, body } = await app.inject(path)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const expires = /^Expires: (\S+)$/m.exec(body)?.[1] ?? ''
    const days = (Date.parse(expires) - Date.now()) / 86_400_000
    expect([expires.endsWith('Z'), days > 30, days < 365]).toEqual([true, true, true])
    expect(body.replace(expires, '…')).toBe(
      'Contact: mailto:security@example.com\nExpires: …\nCanonical: https://t.example/.well-known/security.txt\n',
    )
  }
  await app.close()
  const silent = await openApp()
  for (const path of ['/.well-known/security.txt', '/security.txt'])
    expect((await silent.inject(path)).statusCode).toBe(404)
  await silent.close()
})
