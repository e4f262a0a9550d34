import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { makeApp } from './app.ts'
import { makeSessions } from './sessions.ts'
import { type TestHouse, testHouse } from './testing/app.ts'

let house: TestHouse
beforeAll(async () => {
  house = await testHouse()
})

test('[S17] every kind of answer says what a browser may do with it', async () => {
  const webDir = mkdtempSync(join(tmpdir(), 'tallyroom-pages-'))
  for (const page of ['index.html', 'member.html', 'icon.svg']) writeFileSync(join(webDir, page), `<!-- ${page} -->`)
  // Behind one proxy, which says that it speaks TLS.
  const settings = { ...house.house.settings, trustedProxies: 1 }
  const app = await makeApp({ ...house.house, settings }, makeSessions(house.house.db), webDir, () => false)
  const answers: [string, string, object?][] = [
    ['GET', '/'],
    ['GET', '/login'],
    ['GET', '/m'],
    ['GET', '/Signup/abc'],
    ['GET', '/icon.svg'],
    ['GET', '/assets/none.js'],
    ['GET', '/config.json'],
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['GET', '/media/none'],
    ['POST', '/api/user/view', { params: 'x', key: 'y' }],
    ['POST', '/api/none', {}],
    ['POST', '/none', {}],
    ['POST', '/api/user/view', { params: 'x'.repeat(300_000), key: 'y' }],
  ]
  for (const [method, url, payload] of answers) {
    for (const tls of [true, false]) {
      const headers = { 'x-forwarded-proto': tls ? 'https' : 'http' }
      const request = { method: method as 'GET' | 'POST', url, headers, ...(payload ? { payload } : {}) }
      const { headers: said } = await app.inject(request)
      const policy = String(said['content-security-policy'])
      const scripts = /script-src ([^;]*)|default-src ([^;]*)/.exec(policy)?.[0] ?? "'unsafe-inline'"
      expect([url, said['x-content-type-options'], said['referrer-policy']]).toEqual([url, 'nosniff', 'no-referrer'])
      expect(scripts).not.toMatch(/unsafe|\*|data:|http/)
      expect([url, /frame-ancestors 'none'/.test(policy)]).toEqual([url, true])
      expect([url, said['strict-transport-security'] !== undefined]).toEqual([url, tls])
    }
  }
  await app.close()
})
