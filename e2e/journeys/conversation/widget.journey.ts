/// <reference lib="dom" />
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import { consoleOf } from '../../support/console.ts'
import { browserOf, PASSWORD, expectCleanConsole, shareCode, t, write, storeSession } from '../../support/people.ts'
import { platformAt } from '../../support/platform.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let site: HttpServer
let [allowed, other, script] = ['', '', '']
/** What the platform's own server answers to `POST /tallyroom-link`, and what it was asked with. */
let link: (response: ServerResponse) => unknown = () => {}
let asked: IncomingMessage['headers'][] = []
test.beforeAll(async () => {
  site = createServer((request, response) => {
    if (request.method === 'POST' && request.url === '/tallyroom-link') {
      asked.push(request.headers)
      return link(response)
    }
    response.setHeader('content-type', 'text/html')
    // As strict as a careful site would set it.
    response.setHeader(
      'content-security-policy',
      `default-src 'self'; script-src ${server.url}; frame-src ${server.url}; img-src data:`,
    )
    response.end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
      <h1>${request.url}</h1><a href="/two">two</a>${script}`)
  })
  await new Promise<void>((resolve) => site.listen(0, resolve))
  const { port } = site.address() as AddressInfo
  ;[allowed, other] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
  server = await startJourneyServer({ env: { WIDGET_ORIGINS: allowed } })
  await addAccount(server, 'agent', 'dora')
})
test.afterAll(async () => {
  site.closeAllConnections()
  site.close()
  await server.remove()
})

/** Calls of the platform's server. */
const platformOf = async () => {
  const { output } = await consoleOf(server, 'api-key', ['add', 'admin', 'Shop', '--rights', 'accounts:write,signin'])
  const [, id = '', secret = ''] = /^Key: (\S+)\nSecret .*: (\S+)$/m.exec(output) ?? []
  return platformAt(server.url, { id, secret })
}

const opener = (page: Page) => page.getByRole('button', { name: t('widget.open') })

test('the chat is in the corner of an allowed site, and of no other', async ({ browser }) => {
  const dora = await browserOf(browser, server)
  await storeSession(dora, 'dora', PASSWORD)
  script = `<script src="${server.url}/widget.js" data-share-code="${shareCode(dora)}" async></script>`
  const ann = await browserOf(browser, server)
  const frame = ann.frameLocator('iframe')

  await ann.goto(allowed)
  await expect(ann.locator('iframe')).toHaveCount(0)
  await opener(ann).click()
  await expect(frame.getByLabel(t('member.username'), { exact: true })).toBeFocused()
  await frame.getByLabel(t('member.username'), { exact: true }).fill('annie')
  await frame.getByLabel(t('member.password'), { exact: true }).fill(PASSWORD)
  await frame.getByLabel(t('member.password_again'), { exact: true }).fill(PASSWORD)
  await frame.getByRole('button', { name: t('member.sign_up_now') }).click()
  await frame.getByLabel(t('message.write')).fill('from the shop')
  await frame.getByLabel(t('message.write')).press('Enter')
  await dora.goto('/chat/messaging')
  await dora.getByText('from the shop').first().click()

  await test.step('closed by Esc, it counts unread messages and marks none as read', async () => {
    await frame.getByLabel(t('message.write')).press('Escape')
    await expect(ann.locator('iframe')).toBeHidden()
    await expect(opener(ann)).toBeFocused()
    await write(dora, 'one')
    await write(dora, 'two')
    await expect(ann.getByRole('button', { name: `${t('widget.open')} (2)` })).toBeVisible()
  })
  await test.step('on the next page it is still closed, and the member still signed in', async () => {
    await ann.getByRole('link', { name: 'two' }).click()
    await expect(ann.getByRole('heading', { name: '/two' })).toBeVisible()
    await ann.getByRole('button', { name: `${t('widget.open')} (2)` }).click()
    await expect(frame.getByText('two')).toBeVisible()
    await expect(ann.getByRole('button', { name: t('widget.close') })).toHaveAttribute('aria-expanded', 'true')
  })
  await test.step('opened again by key, what is typed goes on where it was', async () => {
    await frame.getByLabel(t('message.write')).fill('half')
    await frame.getByLabel(t('message.write')).press('Escape')
    await expect(opener(ann)).toBeFocused()
    await ann.keyboard.press('Enter')
    await expect(frame.getByLabel(t('message.write'))).toBeFocused()
    await ann.keyboard.type(' a text')
    await expect(frame.getByLabel(t('message.write'))).toHaveValue('half a text')
  })
  await test.step('still open on the next page, it leaves the focus there', async () => {
    await ann.goto(allowed)
    await expect(frame.getByLabel(t('message.write'))).toHaveValue('half a text')
    await expect(frame.getByText('two')).toBeVisible()
    expect(await ann.evaluate(() => document.activeElement === document.body)).toBe(true)
    await ann.setViewportSize({ width: 390, height: 844 })
  })
  expectCleanConsole(ann)
  expectCleanConsole(dora)

  const said = ann.waitForEvent('console', (line) => line.text().includes('WIDGET_ORIGINS'))
  await ann.goto(other)
  expect((await said).text()).toContain(other)
  // Not a button that opens a broken frame.
  await expect(opener(ann)).toHaveCount(0)
  // The back office cannot be framed anywhere.
  const policies = await Promise.all(
    ['/m', '/Signup/x', '/login', '/index'].map(
      async (path) => (await fetch(`${server.url}${path}`)).headers.get('content-security-policy') ?? '',
    ),
  )
  expect(policies.map((policy) => /frame-ancestors ([^;]*)/.exec(policy)?.[1])).toEqual([
    allowed,
    allowed,
    "'none'",
    "'none'",
  ])
})

test('[API-13] the site signs its member in through its own server, without a tab, a form or an address', async ({
  browser,
}) => {
  const platform = await platformOf()
  // Without a password: no form would open this account.
  await platform.call('member/add', { username: 'nopass', parent: 'dora', request_id: randomUUID() })
  const answers = (status: number, text: string, headers: Record<string, string> = {}) => {
    link = (response) => response.writeHead(status, headers).end(text)
  }
  const page = await browserOf(browser, server)
  const frame = page.frameLocator('iframe')
  const alert = frame.getByRole('alert')
  const tryAgain = frame.getByRole('button', { name: t('action.try_again') })
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(`${request.url()} ${JSON.stringify(request.headers())}`))
  script = `<script src="${server.url}/widget.js" data-sign-in="/tallyroom-link" data-member="7" async></script>`

  await test.step('a server that is not ready, or knows no member, is said in the frame', async () => {
    answers(404, 'not found')
    await page.goto(allowed)
    await opener(page).click()
    await expect(alert).toHaveText(t('member.site_failed'))
    await expect(frame.getByRole('textbox')).toHaveCount(0)
    for (const [status, text, words, headers] of [
      [200, '<html>', 'member.site_failed'],
      [401, '', 'member.site_signed_out'],
      [200, '{"token":7}', 'member.site_failed'],
      [302, '', 'member.site_signed_out', { location: '/two' }],
      [200, `{"token":"${randomBytes(24).toString('hex')}"}`, 'member.site_failed'],
    ] as const) {
      answers(status, text, headers)
      await tryAgain.click()
      await expect(alert).toHaveText(t(words))
    }
    link = (response) => response.destroy()
    await tryAgain.click()
    await expect(alert).toHaveText(t('member.site_failed'))
  })
  let token = ''
  await test.step('with a token the conversation opens', async () => {
    link = (response) =>
      void platform.call('sign-in/token', { username: 'nopass', kind: 'widget' }).then((data) => {
        token = data.token
        response.end(JSON.stringify(data))
      })
    await tryAgain.click()
    await expect(frame.getByLabel(t('message.write'))).toBeVisible()
    expect(asked.at(-1)).toMatchObject({ 'x-tallyroom-widget': '1', 'sec-fetch-site': 'same-origin' })
    expect([token.length > 20, addresses.filter((line) => line.includes(token))]).toEqual([true, []])
  })
  await test.step('on the next page the member is still signed in, and nothing is asked', async () => {
    asked = []
    await page.getByRole('link', { name: 'two' }).click()
    await expect(frame.getByLabel(t('message.write'))).toBeVisible()
    expect(asked).toEqual([])
  })
  await test.step('a member who signs out of the site is signed out here; another one is signed in', async () => {
    await page.evaluate('tallyroom.signOut()')
    await expect(alert).toHaveText(t('member.site_signed_out'))
    await platform.call('member/add', { username: 'second', parent: 'dora', request_id: randomUUID() })
    link = (response) =>
      void platform
        .call('sign-in/token', { username: 'second', kind: 'widget' })
        .then((data) => response.end(JSON.stringify(data)))
    await page.evaluate('tallyroom.signIn("8")')
    await expect(frame.getByLabel(t('message.write'))).toBeVisible()
    // A page that is made for the first member again.
    script = script.replace('data-member="7"', 'data-member=""')
    await page.goto(`${allowed}/one`)
    await expect(alert).toHaveText(t('member.site_signed_out'))
  })
  expectCleanConsole(page, /brought no token|401|404|ERR_EMPTY_RESPONSE/)
})
