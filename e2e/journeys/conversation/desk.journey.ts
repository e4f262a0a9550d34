import { expect, type Page, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import { expectCleanConsole, t } from '../../support/people.ts'
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
