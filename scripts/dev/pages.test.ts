import { expect, test } from 'vitest'
import { startTestServer } from '../../server/src/testing/app.ts'
import { devPages, hotWords } from './pages.mjs'

type Page = { method: string; url: string; headers: Record<string, string> }
type Middleware = (
  request: Page,
  answer: { setHeader: (name: string, value: string) => void },
  next: () => void,
) => void

test('npm run dev serves each page under a policy that lets its scripts run', async () => {
  const { address } = await startTestServer()
  let serve: Middleware = () => {}
  devPages({ url: address, isReady: () => Promise.resolve() }).configureServer({
    middlewares: { use: (made: Middleware) => (serve = made) },
  })
  const policies: Record<string, string> = {}
  for (const [path, file] of [
    ['/login', '/login.html'],
    ['/m', '/member.html'],
    ['/user', '/index.html'],
    ['/ui', '/controls.html'],
  ] as const) {
    const request: Page = {
      method: 'GET',
      url: path,
      headers: { host: 'localhost:3000', 'sec-fetch-dest': 'document' },
    }
    await new Promise<void>((next) =>
      serve(request, { setHeader: (name, value) => (policies[`${path} ${name}`] = value) }, next),
    )
    expect(request.url).toBe(file)
    for (const what of ['script', 'style'])
      expect(policies[`${path} content-security-policy`]).toContain(`${what}-src 'self' 'unsafe-inline'`)
  }
})

test('[I18N-03] npm run dev puts a changed text into the table that the page already has', () => {
  const hot = { data: {}, accept: () => {} }
  const load = (text: string): unknown => {
    const module = hotWords(`export default { success: '${text}' }`)
    const body = module.replaceAll('import.meta.hot', 'hot').replace('export default', 'return')
    // oxlint-disable-next-line typescript/no-implied-eval -- the module as a browser would run it
    return new Function('hot', body)(hot)
  }
  const page = load('Done')
  expect(load('Success')).toBe(page)
  expect(page).toEqual({ success: 'Success' })
})
