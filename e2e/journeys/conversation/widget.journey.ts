/// <reference lib="dom" />
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import { browserOf, PASSWORD, expectCleanConsole, shareCode, t, write, storeSession } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let site: HttpServer
let [allowed, other, script] = ['', '', '']
test.beforeAll(async () => {
  site = createServer((request, response) => {
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
