/// <reference lib="dom" />
import { expect, type Page, test } from '@playwright/test'
import jsqrModule from 'jsqr'
import sharp from 'sharp'
import { expectNoFaults } from '../../support/page/axe.ts'
import { signIn as clientOf } from '../../support/client.ts'
import { addAccount } from '../../support/add-account.ts'
import { browserOf, PASSWORD, phone, expectCleanConsole, shareCode, signIn, t } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

// A CommonJS package: the import is its whole module.
const jsqr = (jsqrModule as unknown as { default?: typeof jsqrModule }).default ?? jsqrModule

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  const admin = await clientOf(server.url, 'admin', server.password)
  const { data } = await admin.call('user/list', { username: 'dora' })
  await admin.call('user/saveAbilities', { id: data[0]?.id ?? 0, customized_has_qrcode_show: 1 })
})
test.afterAll(() => server.remove())

const saveDomain = async (page: Page, domain: string) => {
  const form = page.locator('form').filter({ has: page.getByLabel(t('share.domain'), { exact: true }) })
  await form.getByLabel(t('share.domain'), { exact: true }).fill(domain)
  await form.getByRole('button', { name: t('action.save') }).click()
  return form
}
/** Copies the link from the toolbar, and checks the snackbar and the clipboard. */
const expectCopied = async (page: Page, link: string) => {
  await page.getByRole('button', { name: t('shell.copy_link') }).click()
  await expect(page.getByText(`Copied Success: ${link}`, { exact: true })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
}

test('[SHELL-03] an agent sets its share domain; the copied link and the QR code follow at once', async ({
  browser,
}) => {
  const page = await browserOf(browser, server, { permissions: ['clipboard-read', 'clipboard-write'] })
  await signIn(page, 'dora', PASSWORD, '/setup/self')
  const code = shareCode(page)
  const form = await saveDomain(page, 'join.example')
  await expect(form.getByRole('alert')).toHaveText(t('share.domain_invalid'))
  await saveDomain(page, 'https://join.example/')
  await expect(form.getByText(`https://join.example/Signup/${code}`)).toBeVisible()
  await expectCopied(page, `https://join.example/Signup/${code}`)

  const link = `https://join.example/land?a=${code}`
  await saveDomain(page, 'https://join.example/land?a=')
  await expect(form.getByText(link)).toBeVisible()
  await expectCopied(page, link)
  await expectNoFaults(page)
  await page.getByRole('link', { name: t('share.title') }).click()
  await expect(page.getByRole('img', { name: t('share.picture_of', { link }) })).toBeVisible()
  const png = await page
    .locator('canvas')
    .evaluate((one: HTMLCanvasElement) => one.toDataURL('image/png').split(',')[1])
  const { data, info } = await sharp(Buffer.from(png ?? '', 'base64'))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(jsqr(Uint8ClampedArray.from(data), info.width, info.height)?.data).toBe(link)

  const small = await browserOf(browser, server, phone)
  await signIn(small, 'dora', PASSWORD, '/setup/self')
  await expect(small.getByText(link)).toBeVisible()
  expect(await small.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const again = await saveDomain(small, '')
  await expect(again.getByText(`${server.url}/Signup/${code}`)).toBeVisible()
  await expect(page.getByText(`${server.url}/Signup/${code}`), 'the other browser is updated').toBeVisible()
  for (const one of [page, small]) expectCleanConsole(one)
})
