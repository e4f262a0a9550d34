/// <reference lib="dom" />
import { expect, test } from '@playwright/test'
import { languages } from '@tallyroom/locales'
import { MessageType } from '@tallyroom/contract/codes'
import { expectNoFaults } from '../../support/page/axe.ts'
import { addAccount } from '../../support/add-account.ts'
import { signIn as clientOf, signUp as memberOf } from '../../support/client.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import { isLong, LONG } from '../../support/long.ts'
import { overflows } from '../../support/page/overflow.ts'
import { browserOf, storeSession, PASSWORD, expectCleanConsole, signIn, t } from '../../support/people.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'ivor')
  await addAccount(server, 'agent', 'zora', { under: 'ivor' })
  await addAccount(server, 'cs', 'ines', { under: 'ivor' })
  const ivor = await clientOf(server.url, 'ivor', PASSWORD)
  const hugo = await memberOf(server.url, (await ivor.call('user/view', {})).share_code, 'hugofirst')
  const code = (await hugo.call('room/list', {})).data[0]?.code ?? ''
  await hugo.call('sendMessage', { code, type: MessageType.text, content: 'anybody there?' })
})
test.afterAll(() => server.remove())

test('[SHELL-09] the palette finds pages, conversations and accounts by a few letters, with the last choices first', async ({
  browser,
}) => {
  const agent = await browserOf(browser, server)
  await signIn(agent, 'ivor', PASSWORD)
  const cleo = await browserOf(browser, server)
  await signIn(cleo, 'ines', PASSWORD)
  const palette = agent.getByRole('dialog', { name: t('palette.title') })
  const field = palette.getByRole('combobox')
  const option = (name: RegExp | string) => palette.getByRole('option', { name })
  const door = agent.getByRole('button', { name: t('palette.title') })
  await agent.keyboard.press('Control+KeyK')
  await expect(field).toBeFocused()
  await expect(option(t('menu.sr02'))).toBeVisible()
  // Requested again before the browser has reported that it is closed.
  await agent.evaluate(() => {
    document.querySelector<HTMLDialogElement>('dialog.palette')?.close()
    window.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyK', ctrlKey: true }))
  })
  await expect(field).toBeFocused()
  await agent.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)

  await door.click()
  // One letter wrong.
  await field.fill('transection l')
  await expect(palette.getByRole('option', { selected: true })).toHaveText(t('menu.transaction_log'))
  await agent.keyboard.press('Enter')
  await expect(agent).toHaveURL(/\/transaction\/list$/)

  await door.focus()
  await agent.keyboard.press('Enter')
  await expect(option(/./).first()).toHaveText(t('menu.transaction_log'))
  await field.fill('HUGOF')
  const account = palette.getByRole('group', { name: t('palette.accounts') }).getByRole('option')
  await expect(account).toContainText('hugofirst')
  await expect(palette.getByRole('group', { name: t('chat.rooms') }).getByRole('option')).toContainText('hugofirst')
  await agent.keyboard.press('ArrowDown')
  await expect(account).toHaveAttribute('aria-selected', 'true')
  expect(await field.getAttribute('aria-activedescendant')).toBe(await account.getAttribute('id'))
  await agent.keyboard.press('Escape')
  await expect(door).toBeFocused()
  await agent.keyboard.press('Control+KeyK')
  await field.fill('hugof')
  await account.click()
  // MEMB-01
  await expect(agent).toHaveURL(/\/member\/hugofirst$/)
  await expect(agent.getByRole('heading', { level: 1 })).toContainText('hugofirst')

  await agent.goto('/chat/messaging')
  await expect(agent.getByRole('heading', { name: t('chat.messaging'), level: 1 })).toBeAttached()
  await agent.keyboard.press('Control+KeyK')
  await expect(palette.getByRole('group', { name: t('palette.recent') }).getByRole('option')).toHaveText([
    /hugofirst/,
    t('menu.transaction_log'),
  ])
  await field.fill('nobody at all')
  await expect(palette.getByRole('status')).toHaveText(t('search.none'))
  await agent.emulateMedia({ colorScheme: 'dark' })
  await field.fill('u')
  await expect(account.first()).toBeVisible()
  await agent.setViewportSize({ width: 390, height: 844 })
  await expectNoFaults(agent)
  expect(await overflows(agent)).toEqual([])
  await agent.keyboard.press('Escape')

  // Customer service does not see the agents, and has no page of theirs.
  await cleo.keyboard.press('Control+KeyK')
  await cleo.getByRole('dialog').getByRole('combobox').fill('zora')
  await expect(cleo.getByRole('dialog').getByRole('status')).toHaveText(t('search.none'))
  for (const page of [agent, cleo]) expectCleanConsole(page)
})

test('words fit in a language with tall letters, on the pages used most', LONG, async ({ browser }) => {
  const agent = await clientOf(server.url, 'ivor', PASSWORD)
  const [room] = (await agent.call('room/list', {})).data
  const paths = ['/index', '/user', '/agent', '/transaction/list', '/report/sr02', '/setup/self', '/chat/messaging']
  const page = await browserOf(browser, server)
  await storeSession(page, 'ivor', PASSWORD)
  // Of all pages, and a moment later: some fold their fields once they know the new width.
  const eachFits = expect.configure({ soft: true })
  for (const language of isLong ? languages : (['my'] as const)) {
    await page.addInitScript((to) => localStorage.setItem('locale', to), language)
    for (const path of [...paths, `/chat/messaging/${room?.room_id}/${room?.member_id}/${room?.code}`]) {
      await page.goto(path)
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 })
        await expect(page.locator('html')).toHaveAttribute('lang', language)
        await expect(page.getByRole('main')).not.toBeEmpty()
        await expect(page.locator('[aria-busy=true], .opening, .bar, .room-skeleton')).toHaveCount(0)
        await eachFits.poll(() => overflows(page), `${path} ${language} ${width}`).toEqual([])
      }
    }
  }
  expectCleanConsole(page)
})
