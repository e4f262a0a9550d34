import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { makeSessions } from '../identity/sessions.ts'
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

const openApp = ({ isStopping = false } = {}) => {
  const { services } = server
  return makeApp(services, makeSessions(services.db, services.settings), {
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
      expect([path, answer.statusCode, answer.json()]).toEqual([path, status, { ok: status === 200 }])
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
  for (const path of ['/m', '/m/room', '/Signup/abc']) expect(await said(path)).toEqual([200, 'member'])
  expect(await said('/login')).toEqual([200, 'login'])
  for (const path of ['/ready', '/version', '/status', '/healthz/db', '/docs', '/admin', '/404'])
    expect([path, ...(await said(path))]).toEqual([path, 404, 'index'])
  for (const path of ['/wp-login.php', '/.env', '/sitemap.xml', '/assets/none.js', '/.well-known/none'])
    expect([path, ...(await said(path))]).toEqual([path, 404, undefined])
  await app.close()
})
