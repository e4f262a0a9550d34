import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, test } from '@playwright/test'
import { Role } from '@tallyroom/contract/codes'
import { generate } from 'otplib'
import { addAccount } from '../../support/add-account.ts'
import { expectNoFaults } from '../../support/page/axe.ts'
import { signIn as clientOf } from '../../support/client.ts'
import { ADMIN_PASSWORD, startJourneyServer } from '../../support/journey-server.ts'
import { databaseOf } from '../../support/faults/kills.ts'
import { overflows } from '../../support/page/overflow.ts'
import { account, browserOf, expectCleanConsole, PASSWORD, phone, submitSignIn, t } from '../../support/people.ts'
import type { Server } from '../../support/server.ts'

/** The gateway that gets the server's SMS, and their texts. */
const texts: string[] = []
const gateway = createServer((request, reply) => {
  request.on('data', (part: Buffer) => texts.push(part.toString())).on('end', () => reply.end())
})
let server: Server
test.beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const { port } = gateway.address() as AddressInfo
  server = await startJourneyServer({ env: { SMS_URL: `http://127.0.0.1:${port}/`, SMS_ALLOW_HTTP: '1' } })
  await addAccount(server, 'agent', 'rory')
  await account(server, 'add', 'member', 'forgy', '--under', 'rory', '--password', PASSWORD)
})
test.afterAll(async () => {
  gateway.close()
  await server.remove()
})

/** Presses what sends a code, and returns the code. */
const codeAfter = async (send: () => Promise<void>) => {
  const before = texts.length
  await send()
  await expect.poll(() => texts.length).toBe(before + 1)
  return /code is (\d{6})/.exec(texts.at(-1) ?? '')?.[1] ?? ''
}
/** The server sends one account at most one SMS a minute. */
const letOneMinutePass = async () => {
  const database = await databaseOf(server)
  await database.query("update sms_codes set sent_at = sent_at - interval '1 minute'")
  await database.end()
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const expectFine = async (page: Page) => {
  expect(await overflows(page)).toEqual([])
  await expectNoFaults(page)
}

test('[SELF-02] a member stores a number, forgets the password and replaces it with a code', async ({ browser }) => {
  const page = await browserOf(browser, server, phone)
  const signIn = async (password: string) => {
    await page.getByLabel(t('member.username')).fill('forgy')
    await page.getByLabel(t('member.password'), { exact: true }).fill(password)
    await press(page, t('member.sign_in'))
  }
  await page.goto('/m')
  await signIn(PASSWORD)
  await press(page, t('member.menu'))
  await expectFine(page)
  await page.getByRole('button', { name: new RegExp(`^${t('recover.own_title')}`) }).click()
  await press(page, t('recover.own_set'))
  await page.getByLabel(t('recover.number')).fill('+886 912 345 678')
  const first = await codeAfter(() => page.keyboard.press('Enter'))
  await expect(page.getByText(t('second.sent', { mobile: '+886 912 345 678' }))).toBeVisible()
  await expectFine(page)
  await page.keyboard.type(first)
  await page.keyboard.press('Enter')
  await expect(page.getByText('+8********678')).toBeVisible()
  await press(page, t('action.back'))
  await press(page, t('member.sign_out'))
  // [FIRST-03] The group's name in place of the product's, also for a member that came without an invitation.
  await expect(page.locator('.m-cover strong')).toHaveText('rory')

  await letOneMinutePass()
  await press(page, t('recover.title'))
  await page.getByLabel(t('recover.username')).fill('forgy')
  const second = await codeAfter(() => page.keyboard.press('Enter'))
  await expect(page.getByLabel(t('recover.code'))).toBeFocused()
  await expectFine(page)
  await page.keyboard.type(second)
  await page.getByLabel(t('account.new_password')).fill('newone1')
  await page.getByLabel(t('account.password_again')).fill('newone1')
  await press(page, t('recover.save'))
  await expect(page.getByText(t('recover.done'))).toBeVisible()
  await page.getByLabel(t('member.password'), { exact: true }).fill('newone1')
  await press(page, t('member.sign_in'))
  await expect(page.getByLabel(t('message.write'))).toBeVisible()
  expectCleanConsole(page)
})

test('[PASS-03] [AUTH-05] a role that needs two-step sign-in opens nothing until it is set up', async ({ browser }) => {
  const admin = await clientOf(server.url, 'admin', ADMIN_PASSWORD)
  const made = await admin.call('factor/begin', { password: ADMIN_PASSWORD })
  await admin.call('factor/confirm', { code: await generate({ secret: made.secret }) })
  await admin.call('factor/require', { roles: [Role.agent], current_password: ADMIN_PASSWORD })

  const page = await browserOf(browser, server, phone)
  await submitSignIn(page, 'rory', PASSWORD)
  await expect(page.getByRole('heading', { name: t('required.page'), level: 1 })).toBeVisible()
  await expectFine(page)
  await page.goto('/user')
  await expect(page.getByRole('heading', { name: t('required.page'), level: 1 })).toBeVisible()
  await press(page, t('security.set_up_authenticator'))
  await page.getByLabel(t('payment.login_password')).fill(PASSWORD)
  await page.keyboard.press('Enter')
  const secret = ((await page.locator('.secret code').textContent()) ?? '').replaceAll(' ', '')
  await expectFine(page)
  await page.getByLabel(t('security.shown_code')).fill(await generate({ secret }))
  await page.keyboard.press('Enter')
  await expect(page.getByText(t('security.recovery_once'))).toBeVisible()
  await press(page, t('security.recovery_kept'))
  await press(page, t('required.go'))
  await page.waitForURL('**/index')
  expectCleanConsole(page)
})
