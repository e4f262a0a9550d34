import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { beforeAll, expect, test, vi } from 'vitest'
import { makeApp } from './app.ts'
import { makeSessions } from '../identity/sessions.ts'
import { type Settings, settingsFrom } from '../config/settings.ts'
import { serveMemberApi } from '../member-api/route.ts'
import { type TestServer, startTestServer } from '../testing/app.ts'
import { wordsFor } from '../lib/words.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const openApp = (settings: Settings, webDir: string) =>
  makeApp({ ...server.services, settings }, makeSessions(server.services.db, settings), {
    webDir,
    isStopping: () => false,
    isOverLimit: () => false,
    serveMemberApi,
  })

test('[S17] every kind of answer has its security headers', async () => {
  const webDir = mkdtempSync(join(tmpdir(), 'tallyroom-pages-'))
  for (const page of ['index.html', 'login.html', 'member.html', 'icon.svg'])
    writeFileSync(join(webDir, page), `<!-- ${page} -->`)
  // Behind one proxy, which reports TLS.
  const settings = { ...server.services.settings, trustedProxies: 1 }
  const app = await openApp(settings, webDir)
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
      expect([url, policy.includes('unsafe')]).toEqual([url, false])
      expect([url, /frame-ancestors 'none'/.test(policy)]).toEqual([url, true])
      expect([url, /^(sandbox; )?default-src 'none'/.test(policy)]).toEqual([url, true])
      expect([url, said['strict-transport-security'] !== undefined]).toEqual([url, tls])
    }
  }
  await app.close()
})

test('[S17] names below the host are kept to TLS only where the operator says so', async () => {
  const webDir = mkdtempSync(join(tmpdir(), 'tallyroom-pages-'))
  for (const [set, expected] of [
    [undefined, 'max-age=31536000'],
    ['1', 'max-age=31536000; includeSubDomains'],
  ] as const) {
    const { hstsSubdomains } = settingsFrom({ HSTS_SUBDOMAINS: set })
    const app = await openApp({ ...server.services.settings, trustedProxies: 1, hstsSubdomains }, webDir)
    const { headers } = await app.inject({ url: '/healthz', headers: { 'x-forwarded-proto': 'https' } })
    expect(headers['strict-transport-security']).toBe(expected)
    await app.close()
  }
})

test('[CONV-12] [S17] only the pages that record may use the microphone, and nothing may use the camera', async () => {
  const webDir = mkdtempSync(join(tmpdir(), 'tallyroom-pages-'))
  for (const page of ['index.html', 'login.html', 'member.html']) writeFileSync(join(webDir, page), `<!-- ${page} -->`)
  const app = await openApp(server.services.settings, webDir)
  const policyOf = async (url: string) => String((await app.inject({ url })).headers['permissions-policy'])
  for (const url of ['/', '/chat/messaging', '/m', '/Signup/abc'])
    expect(await policyOf(url)).toContain('microphone=(self)')
  for (const url of ['/login', '/config.json', '/media/none', '/assets/none.js', '/widget.js'])
    expect(await policyOf(url)).toContain('microphone=()')
  for (const url of ['/', '/m', '/login']) expect(await policyOf(url)).toContain('camera=()')
  const policy = String((await app.inject({ url: '/m' })).headers['content-security-policy'])
  expect(policy).toContain("; media-src 'self' blob:;")
  await app.close()
})

test('[S17] the end of a session empties the browser’s cache, where photos of rooms are; other calls do not', async () => {
  const { agent } = await server.family()
  const cleared = async (name: string) => {
    const authorization = `Bearer ${agent.token}`
    return (await server.post(name, server.wire.seal(name, {}), { authorization })).headers.get('clear-site-data')
  }
  expect(await cleared('user/view')).toBeNull()
  expect(await cleared('logout')).toBe('"cache"')
  // However a session has ended, its browser's next call says so.
  expect(await cleared('user/view')).toBe('"cache"')
})

test('[S17] pages connect to their own host only, which is named for browsers that do not treat its sockets as their own', async () => {
  const webDir = mkdtempSync(join(tmpdir(), 'tallyroom-pages-'))
  for (const page of ['index.html', 'login.html', 'member.html']) writeFileSync(join(webDir, page), `<!-- ${page} -->`)
  const policyOf = async (url: string, headers: Record<string, string>, changed: object = {}) => {
    const settings = { ...server.services.settings, ...changed }
    const app = await openApp(settings, webDir)
    const policy = String((await app.inject({ url, headers })).headers['content-security-policy'])
    await app.close()
    return Object.fromEntries(policy.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1).join(' ')]))
  }
  for (const url of ['/', '/login', '/m', '/Signup/abc', '/icon.svg'])
    expect(await policyOf(url, { host: 'office.example:8443' })).toMatchObject({
      'connect-src': "'self' ws://office.example:8443 wss://office.example:8443",
      'script-src': "'self'",
      'style-src': "'self'",
      'worker-src': "'self'",
      'require-trusted-types-for': "'script'",
      'trusted-types': 'default',
    })
  // A Host header that is more than a host name is left out.
  for (const host of ['a.example;script-src *', 'a.example *', '*', "'unsafe-eval'"])
    expect((await policyOf('/', { host }))['connect-src']).toBe("'self'")
  const behind = { 'x-forwarded-host': 'office.example', host: 'inner:3000' }
  expect((await policyOf('/', behind))['connect-src']).toBe("'self' ws://inner:3000 wss://inner:3000")
  expect((await policyOf('/', behind, { trustedProxies: 1 }))['connect-src']).toContain('wss://office.example')
  const api = await policyOf('/', { host: 'a.example' }, { apiUrl: 'https://api.example/base' })
  expect(api['connect-src']).toBe("'self' ws://a.example wss://a.example https://api.example wss://api.example")
})

test('[S17] only sites that the operator names may frame the member’s page; none may frame the back office', async () => {
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
  const settings = { ...server.services.settings, widgetOrigins }
  const app = await openApp(settings, webDir)
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
  expect(body).toContain('["https://www.example.com","http://localhost:8080"].includes(location.origin)')
  await app.close()
})

test('[GUARD-05] an address of media that names none is a page like every unknown address; of others there is none', async () => {
  const webDir = mkdtempSync(join(tmpdir(), 'tallyroom-pages-'))
  for (const page of ['index.html', 'login.html', 'member.html']) writeFileSync(join(webDir, page), `<!-- ${page} -->`)
  const app = await openApp(server.services.settings, webDir)
  const answerTo = async (url: string) => {
    const { statusCode, body } = await app.inject({ url, headers: { accept: 'text/html' } })
    return [statusCode, body]
  }
  for (const url of ['/mail', '/media', '/media/', '/media?type=image', '/media/?type=image', '/assets'])
    expect([url, ...(await answerTo(url))]).toEqual([url, 404, '<!-- index.html -->'])
  for (const url of ['/media/none/more', '/assets/none.js', '/api/none', '/metrics'])
    expect([url, ...(await answerTo(url))]).toEqual([url, 404, 'not found'])
  expect((await answerTo('/media/none'))[0]).toBe(404)
  await app.close()
})

test('[RUN-03] a client that leaves before the answer begins is no error of the log', async () => {
  const app = await openApp(server.services.settings, mkdtempSync(join(tmpdir(), 'tallyroom-pages-')))
  const breaks = (leaves: boolean) => (request: FastifyRequest) => {
    if (leaves) request.raw.socket.destroy()
    throw Object.assign(new Error('premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
  }
  app.get('/left', breaks(true))
  app.get('/broken', breaks(false))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const lines = vi.spyOn(server.services.log, 'error')
  try {
    await expect(fetch(`${address}/left`)).rejects.toThrow('fetch failed')
    expect(lines).not.toHaveBeenCalled()
    expect((await fetch(`${address}/broken`)).status).toBe(503)
    expect(lines).toHaveBeenCalledOnce()
  } finally {
    lines.mockRestore()
    await app.close()
  }
})
