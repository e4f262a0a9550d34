import { expect, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import { signIn as clientOf } from '../../support/client.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import { spoiltAmounts } from '../../support/page/amounts.ts'
import { PASSWORD } from '../../support/people.ts'
import type { Server } from '../../support/server.ts'
import { signedIn } from '../../support/signed-in.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  await addAccount(server, 'agent', 'nora1', { under: 'dora' })
  const admin = await clientOf(server.url, 'admin', server.password)
  const dora = await clientOf(server.url, 'dora', PASSWORD)
  const { id } = await dora.call('user/view', {})
  const nora = await clientOf(server.url, 'nora1', PASSWORD)
  const below = (await nora.call('user/view', {})).id
  for (const amount of ['98765432101.1234', '-10000', '-100000', '-1000000'])
    await admin.call('user/transaction', { id, amount, remark: 'opening' })
  await dora.call('user/transaction', { id: below, amount: '87654321012.3456', remark: 'opening' })
})
test.afterAll(() => server.remove())

test('[HIST-03] no page cuts an amount, breaks it into two lines or cuts the sums below, however large it is', async ({
  browser,
}) => {
  const spoilt: string[] = []
  for (const width of [1280, 390]) {
    const page = await signedIn(browser, server, 'dora')
    await page.setViewportSize({ width, height: 844 })
    for (const path of ['/transaction/list', '/report/statement', '/agent', '/tree']) {
      await page.goto(path)
      await expect(page.getByText(/,\d{3},\d{3},\d{3}\.\d\d/).last()).toBeAttached()
      spoilt.push(...(await spoiltAmounts(page)).map((amount) => `${path} at ${width}: ${amount}`))
    }
    // The rows are given less room, the sums are not.
    await page.setViewportSize({ width, height: 450 })
    await page.goto('/transaction/list')
    const footer = page.locator('.table-footer', { hasText: /,\d{3},\d{3},\d{3}\.\d\d/ })
    const cut = await footer.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
    if (cut > 0) spoilt.push(`the sums at ${width}: ${cut} pixels`)
    await page.context().close()
  }
  expect(spoilt).toEqual([])
})
