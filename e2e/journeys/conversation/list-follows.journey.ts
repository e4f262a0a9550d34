import { MessageType } from '@tallyroom/contract/codes'
import { expect, test } from '@playwright/test'
import { signIn as signInClient, signUp as signUpClient } from '../../support/client.ts'
import { browserOf, PASSWORD, signIn } from '../../support/people.ts'
import { addAccount } from '../../support/add-account.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
})
test.afterAll(() => server.remove())

test('[CONV-03] the list follows the room that keys open', async ({ browser }) => {
  await addAccount(server, 'agent', 'dila')
  const dila = await signInClient(server.url, 'dila', PASSWORD)
  const { share_code } = await dila.call('user/view', {})
  for (let n = 10; n < 22; n++) {
    const member = await signUpClient(server.url, share_code, `row${n}`)
    const code = (await member.call('room/list', {})).data[0]?.code ?? ''
    await member.call('sendMessage', { code, type: MessageType.text, content: 'hello' })
  }
  const page = await browserOf(browser, server)
  await page.setViewportSize({ width: 1280, height: 600 })
  await signIn(page, 'dila', PASSWORD, '/chat/messaging')
  await expect(page.getByRole('listitem').first()).toBeVisible()
  await page.keyboard.press('Alt+N')
  const current = page.locator('.room-row[data-current]')
  await expect(current).toBeInViewport({ ratio: 1 })
  const seen = new Set<string>()
  for (let n = 0; n < 11; n++) {
    await page.keyboard.press('Alt+ArrowDown')
    await expect(current).toBeInViewport({ ratio: 1 })
    seen.add((await current.locator('.room-name').textContent()) ?? '')
  }
  expect(seen.size).toBeGreaterThan(8)
  for (let n = 0; n < 11; n++) await page.keyboard.press('Alt+ArrowUp')
  await expect(current).toBeInViewport({ ratio: 1 })
})
