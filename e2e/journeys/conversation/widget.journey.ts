import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import { browserOf, PASSWORD, quiet, shareCode, signIn, t, write } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let site: HttpServer
let [known, stranger, script] = ['', '', '']
test.beforeAll(async () => {
  site = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    // As strict as a careful site would be.
    response.setHeader(
      'content-security-policy',
      `default-src 'self'; script-src ${server.url}; frame-src ${server.url}; img-src data:`,
    )
    response.end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
      <h1>${request.url}</h1><a href="/two">two</a>${script}`)
  })
  await new Promise<void>((resolve) => site.listen(0, resolve))
  const { port } = site.address() as AddressInfo
  ;[known, stranger] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
  server = await startJourneyServer({ env: { WIDGET_ORIGINS: known } })
  await addAccount(server, 'agent', 'dora')
})
test.afterAll(async () => {
  site.closeAllConnections()
  site.close()
  await server.remove()
})

const opener = (page: Page) => page.getByRole('button', { name: t('widget.open') })

test('the talk stands in the corner of a site that is named, and of no other', async ({ browser }) => {
  const dora = await browserOf(browser, server)
  await signIn(dora, 'dora', PASSWORD)
  script = `<script src="${server.url}/widget.js" data-share-code="${await shareCode(dora)}" async></script>`
  const ann = await browserOf(browser, server)
  const talk = ann.frameLocator('iframe')

  await ann.goto(known)
  await expect(ann.locator('iframe')).toHaveCount(0)
  await opener(ann).click()
  await talk.getByLabel(t('member.username'), { exact: true }).fill('annie')
  await talk.getByLabel(t('member.password'), { exact: true }).fill(PASSWORD)
  await talk.getByLabel(t('member.password_again'), { exact: true }).fill(PASSWORD)
  await talk.getByRole('button', { name: t('member.sign_up_now') }).click()
  await talk.getByLabel(t('message.write')).fill('from the shop')
  await talk.getByLabel(t('message.write')).press('Enter')
  await dora.goto('/chat/messaging')
  await dora.getByText('from the shop').first().click()

  await test.step('closed by Esc it counts what waits, and reads nothing', async () => {
    await talk.getByLabel(t('message.write')).press('Escape')
    await expect(ann.locator('iframe')).toBeHidden()
    await expect(opener(ann)).toBeFocused()
    await write(dora, 'one')
    await write(dora, 'two')
    await expect(ann.getByRole('button', { name: `${t('widget.open')} (2)` })).toBeVisible()
  })
  await test.step('on the next page it is as it was: closed, and who was there is signed in', async () => {
    await ann.getByRole('link', { name: 'two' }).click()
    await expect(ann.getByRole('heading', { name: '/two' })).toBeVisible()
    await ann.getByRole('button', { name: `${t('widget.open')} (2)` }).click()
    await expect(talk.getByText('two')).toBeVisible()
    await expect(ann.getByRole('button', { name: t('widget.close') })).toHaveAttribute('aria-expanded', 'true')
    await ann.goto(known)
    await expect(talk.getByText('two')).toBeVisible()
    if (process.env.SHOTS) await ann.screenshot({ path: `${process.env.SHOTS}/widget-wide.png` })
    await ann.setViewportSize({ width: 390, height: 844 })
    if (process.env.SHOTS) await ann.screenshot({ path: `${process.env.SHOTS}/widget-small.png` })
  })
  quiet(ann)
  quiet(dora)

  await ann.goto(stranger)
  await opener(ann).click()
  await expect(ann.locator('iframe')).toBeVisible()
  await expect(talk.getByLabel(t('message.write'))).toHaveCount(0)
  // Nor is the back office drawn in a frame anywhere.
  const policies = await Promise.all(
    ['/m', '/Signup/x', '/login', '/index'].map(
      async (path) => (await fetch(`${server.url}${path}`)).headers.get('content-security-policy') ?? '',
    ),
  )
  expect(policies.map((policy) => /frame-ancestors ([^;]*)/.exec(policy)?.[1])).toEqual([
    known,
    known,
    "'none'",
    "'none'",
  ])
})
