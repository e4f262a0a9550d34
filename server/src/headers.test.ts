import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { makeApp } from './app.ts'
import { makeSessions } from './sessions.ts'
import { settingsFrom } from './settings.ts'
import { type TestHouse, testHouse } from './testing/app.ts'
import { wordsFor } from './words.ts'

let house: TestHouse
beforeAll(async () => {
  house = await testHouse()
})

test('[S17] every kind of answer says what a browser may do with it', async () => {
  const webDir = mkdtempSync(join(tmpdir(), 'tallyroom-pages-'))
  for (const page of ['index.html', 'login.html', 'member.html', 'icon.svg'])
    writeFileSync(join(webDir, page), `<!-- ${page} -->`)
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

test('[S17] only sites that the operator names may frame the member’s page, and none the back office', async () => {
  for (const wrong of [
    'www.example.com',
    'https://www.example.com/',
    "https://a.example;script-src 'unsafe-inline'",
    '*',
  ])
    expect(() => settingsFrom({ WIDGET_ORIGINS: wrong })).toThrow('WIDGET_ORIGINS must be origins such as')
  const { widgetOrigins } = settingsFrom({ WIDGET_ORIGINS: 'https://www.example.com,http://localhost:8080' })
  const webDir = mkdtempSync(join(tmpdir(), 'tallyroom-pages-'))
  for (const page of ['index.html', 'login.html', 'member.html']) writeFileSync(join(webDir, page), `<!-- ${page} -->`)
  const settings = { ...house.house.settings, widgetOrigins }
  const app = await makeApp({ ...house.house, settings }, makeSessions(house.house.db), webDir, () => false)
  const framedBy = async (url: string) =>
    /frame-ancestors ([^;]*)/.exec(String((await app.inject({ url })).headers['content-security-policy']))?.[1]
  expect(await framedBy('/m')).toBe('https://www.example.com http://localhost:8080')
  expect(await framedBy('/Signup/abc')).toBe('https://www.example.com http://localhost:8080')
  for (const url of ['/', '/login', '/index', '/member', '/mm', '/WebLogin']) expect(await framedBy(url)).toBe("'none'")
  const { headers, body } = await app.inject({ url: '/widget.js', headers: { 'accept-language': 'th' } })
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    vary: expect.stringContaining('accept-language'),
  })
  expect(body).toContain(wordsFor('th', 'widget.open'))
  await app.close()
})
