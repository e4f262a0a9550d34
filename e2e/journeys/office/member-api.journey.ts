import { expect, test } from '@playwright/test'
import { expectNoFaults } from '../../support/page/axe.ts'
import { addAccount } from '../../support/add-account.ts'
import { browserOf, PASSWORD, phone, expectCleanConsole, signIn, t } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora', { credit: '500' })
})
test.afterAll(() => server.remove())

test('[SET-06] [SHELL-09] the top account adds a key in its settings and reads the API document, on desktop and phone', async ({
  browser,
}) => {
  const admin = await browserOf(browser, server, { permissions: ['clipboard-read', 'clipboard-write'] })
  await signIn(admin, 'admin', server.password, '/setup/system')
  const menu = admin.getByRole('complementary')
  for (const name of ['system_settings', 'technical_files', 'api_doc'] as const)
    await expect(menu.getByRole('link', { name: t(`menu.${name}`), exact: true })).toBeVisible()
  const url = admin.getByRole('textbox', { name: t('setting.api_url') })
  // The page has other forms with a Save button.
  const save = admin
    .locator('form')
    .filter({ has: url })
    .getByRole('button', { name: t('action.save') })
  await url.fill('https://localhost/hook')
  await save.click()
  await expect(admin.getByText(t('setting.url_invalid'))).toBeVisible()
  await url.fill('https://platform.example/hook')
  await save.click()
  await expect(admin.getByText('Saved succeeded')).toBeVisible()
  const keys = admin.getByRole('region', { name: t('api_key.title') })
  await keys.getByRole('button', { name: t('api_key.make') }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel(t('api_key.label')).fill('Game server')
  await dialog.getByRole('checkbox', { name: t('api_key.right_bets') }).check()
  await expectNoFaults(admin)
  await dialog.getByRole('button', { name: t('api_key.make') }).click()
  await expect(keys.getByText(t('api_key.once'))).toBeVisible()
  await expect(keys.getByRole('listitem')).toContainText([t('api_key.right_bets')])
  const endpoints = admin.getByRole('region', { name: t('endpoint.title') })
  await expect(endpoints.getByText('https://platform.example/hook', { exact: true })).toBeVisible()
  await endpoints.getByRole('button', { name: t('endpoint.add') }).click()
  await dialog.getByRole('textbox', { name: t('setting.api_url') }).fill('https://platform.example/second')
  await dialog.getByRole('checkbox', { name: 'member.added' }).uncheck()
  await expectNoFaults(admin)
  await dialog.getByRole('button', { name: t('endpoint.add') }).click()
  await expect(endpoints.getByText(/^whsec_/)).toBeVisible()
  await endpoints.getByRole('button', { name: `${t('endpoint.open')}: https://platform.example/second` }).click()
  await expect(dialog.getByText(t('table.empty'))).toBeVisible()
  await expectNoFaults(admin)
  await admin.keyboard.press('Escape')
  await expectNoFaults(admin)
  await menu.getByRole('link', { name: t('menu.technical_files'), exact: true }).click()
  // The settings, which lead there twice, stay until the files are loaded.
  await expect(endpoints).toBeHidden()
  await admin
    .getByRole('main')
    .getByRole('link', { name: t('menu.api_doc') })
    .click()
  await expect(admin.getByRole('heading', { name: 'Report a bet' })).toBeVisible()
  await expect(admin.getByText('/member-api/v1/bet/report', { exact: true })).toBeVisible()
  await admin.getByRole('button', { name: `${t('file.copy_example')}: Signing a call` }).click()
  await expect.poll(() => admin.evaluate(() => navigator.clipboard.readText())).toContain('X-Tallyroom-Signature')
  // The index leads to an entry and marks it.
  const index = admin.getByRole('navigation', { name: t('file.contents') })
  await index.getByRole('link', { name: 'Report a win' }).click()
  await expect(admin).toHaveURL(/\/file\/api#win-report$/)
  await expect(admin.getByRole('heading', { name: 'Report a win' })).toBeInViewport()
  await expect(index.getByRole('link', { name: 'Report a win' })).toHaveAttribute('aria-current', 'location')
  await expectNoFaults(admin)
  const small = await browserOf(browser, server, { ...phone, colorScheme: 'dark' })
  await signIn(small, 'dora', PASSWORD, '/file')
  // Technical files are for admins; agents may read the API document too.
  await expect(small).toHaveURL(/\/index$/)
  await small.goto('/file/api')
  await expect(small.getByRole('heading', { name: 'Create a member' })).toBeVisible()
  await small.getByText(t('file.contents'), { exact: true }).press('Enter')
  await small.getByRole('link', { name: 'List balances', exact: true }).press('Enter')
  await expect(small.getByRole('heading', { name: 'List balances' })).toBeInViewport()
  expect(await small.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await expectNoFaults(small)
  for (const one of [admin, small]) expectCleanConsole(one)
})
