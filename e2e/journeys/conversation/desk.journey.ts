import { MessageType } from '@tallyroom/contract/codes'
import { expect, type Page, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import { signUp } from '../../support/client.ts'
import {
  browserOf,
  expectCleanConsole,
  messageLog,
  PASSWORD,
  shareCode,
  signIn,
  t,
  write,
} from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import { signedIn } from '../../support/signed-in.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  await addAccount(server, 'cs', 'carl', { under: 'dora' })
})
test.afterAll(() => server.remove())

const own = (page: Page, state: string) =>
  page.getByRole('button', { name: `${state}. ${t('desk.load_count', { n: 0 })}` })

test('[DESK-01] one says by menu, key or palette what one is, and the head sees it live on Home', async ({
  browser,
}) => {
  const dora = await signedIn(browser, server, 'dora')
  await dora.goto(`${server.url}/index`)
  const row = dora.getByRole('row', { name: 'carl' })
  await expect(row).toContainText(t('desk.state_away'))
  const carl = await signedIn(browser, server, 'carl')
  await carl.goto(`${server.url}/chat/messaging`)
  await expect(row).toContainText(t('desk.state_on'))

  await own(carl, t('desk.state_on')).click()
  await carl.getByRole('menuitem', { name: t('desk.state_busy'), exact: true }).click()
  await expect(own(carl, t('desk.state_busy'))).toBeFocused()
  await expect(row).toContainText(t('desk.state_busy'))

  await carl.keyboard.press('Alt+S')
  await expect(row).toContainText(t('desk.state_on'))
  await carl.keyboard.press('Alt+S')
  await expect(row).toContainText(t('desk.state_away'))

  await carl.keyboard.press('Control+K')
  await carl
    .getByRole('dialog', { name: t('palette.title') })
    .getByRole('combobox')
    .fill(t('desk.state_on'))
  await carl.getByRole('option', { name: t('desk.set_state', { state: t('desk.state_on') }) }).click()
  await expect(row).toContainText(t('desk.state_on'))

  // On other pages it is in the account's menu.
  await dora.getByRole('button', { name: t('shell.user_menu', { name: 'dora' }) }).click()
  await dora.getByRole('menuitem', { name: t('desk.away_minutes', { n: 15 }) }).click()
  await expect(dora.getByRole('row', { name: 'dora' })).toContainText(/\d\d:\d\d/)
  for (const page of [dora, carl]) expectCleanConsole(page)
})

test('[DESK-02] [DESK-03] [DESK-10] the head switches assignment on, a member gets a colleague, and another when it goes', async ({
  browser,
}) => {
  const dora = await browserOf(browser, server)
  await signIn(dora, 'dora', PASSWORD)
  await dora.goto(`${server.url}/setup/desk`)
  await dora.getByRole('radio', { name: t('desk_rule.assign_least') }).check()
  const rules = dora.locator('form', { hasText: t('desk_rule.assign') })
  await rules.getByRole('button', { name: t('action.save') }).click()
  await expect(dora.getByText(t('done.saved'))).toBeVisible()
  await dora.getByRole('button', { name: t('shell.user_menu', { name: 'dora' }) }).click()
  await dora.getByRole('menuitem', { name: t('desk.state_away'), exact: true }).click()

  const carl = await signedIn(browser, server, 'carl')
  await carl.goto(`${server.url}/chat/messaging`)
  const load = (n: number) =>
    carl.getByRole('button', { name: `${t('desk.state_on')}. ${t('desk.load_of', { n, most: 8 })}` })
  await expect(load(0)).toBeVisible()
  const member = await signUp(server.url, shareCode(dora), 'anne88')
  const { data } = await member.call('room/list', {})
  const code = data[0]?.code ?? ''
  await member.call('sendMessage', { code, type: MessageType.text, content: 'hello' })
  await expect(carl.getByText(t('desk.assigned_you', { member: 'anne88' }))).toBeVisible()
  await expect(load(1)).toBeVisible()
  await carl.getByRole('listitem').filter({ hasText: 'anne88' }).getByRole('link').click()
  await expect(messageLog(carl)).toContainText(t('desk.said_assigned', { name: 'carl' }))

  await dora.getByRole('button', { name: t('shell.user_menu', { name: 'dora' }) }).click()
  await dora.getByRole('menuitem', { name: t('desk.state_on'), exact: true }).click()
  await carl.keyboard.press('Alt+S')
  await expect(messageLog(carl)).toContainText(t('desk.returned_away', { name: 'carl' }))
  await expect(messageLog(carl)).toContainText(t('desk.said_assigned', { name: 'dora' }))

  await test.step('[DESK-09] her answer is a figure of the report, which opens the question it answered', async () => {
    await dora.goto(`${server.url}/chat/messaging`)
    await dora.getByRole('listitem').filter({ hasText: 'anne88' }).getByRole('link').click()
    await write(dora, 'Good day')
    await expect
      .poll(async () => (await member.call('room/history', { code })).messages.map(({ content }) => content))
      .toContain('Good day')
    await dora.goto(`${server.url}/report/work`)
    await dora.getByRole('row', { name: 'dora' }).getByRole('link', { name: '1', exact: true }).first().click()
    await expect(dora.getByRole('heading', { name: /· dora$/ })).toBeVisible()
    // It is counted some seconds later.
    await expect(async () => {
      await dora.reload()
      await expect(dora.getByRole('cell', { name: t('work.answered') })).toBeVisible({ timeout: 3000 })
    }).toPass()
    const questions = dora.getByRole('group', { name: t('work.questions') })
    await questions.getByRole('row', { name: 'anne88' }).getByRole('link', { name: /:/ }).click()
    await expect(messageLog(dora).getByText('hello')).toBeInViewport()
  })
  for (const page of [dora, carl]) expectCleanConsole(page)
})
