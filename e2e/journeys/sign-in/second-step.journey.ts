import { expect, type Page, test } from '@playwright/test'
import { errors, OK } from '@tallyroom/contract/errors'
import { generate } from 'otplib'
import { type Client, signIn as clientOf } from '../../support/client.ts'
import { databaseOf } from '../../support/faults/kills.ts'
import { addAccount } from '../../support/add-account.ts'
import { browserOf, PASSWORD, phone, expectCleanConsole, signIn, t } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

const MOBILE = '+886912345678'
const MASK = '+8********678'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  for (const name of ['authy', 'smsy', 'bothy', 'lossy', 'clocky', 'selfy']) await addAccount(server, 'agent', name)
})
test.afterAll(() => server.remove())

/** The authenticator’s code. Each code works once; `later` counts half minutes ahead. */
const codeOf = (secret: string, later = 0) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * later })

/** The newest SMS code. Without an SMS gateway the server writes it to its log. */
const smsCode = () => {
  const texts = server.output().match(/Your Tallyroom code is (\d{6})/g) ?? []
  return texts.at(-1)?.slice(-6) ?? ''
}
const smsCount = () => server.output().split('Your Tallyroom code is').length - 1

const withAuthenticator = async (username: string) => {
  const own = await clientOf(server.url, username, PASSWORD)
  const { secret } = await own.call('factor/begin', { password: PASSWORD })
  const { recovery_codes } = await own.call('factor/confirm', { code: await codeOf(secret) })
  return { own, secret, recovery: recovery_codes }
}
/** The server sends one account at most one SMS a minute. */
const letOneMinutePass = async () => {
  const database = await databaseOf(server)
  await database.query("update sms_codes set sent_at = sent_at - interval '1 minute'")
  await database.end()
}
const withPhone = async (own: Client, code = '') => {
  const before = smsCount()
  await own.call('factor/sendPhoneCode', { password: PASSWORD, code, mobile: MOBILE })
  // The server’s output arrives through a pipe, a moment later.
  await expect.poll(smsCount).toBe(before + 1)
  await own.call('factor/setPhone', { code: smsCode() })
}

const firstStep = async (page: Page, username: string) => {
  await page.goto('/login')
  await page.getByLabel('Login', { exact: true }).fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Password', { exact: true }).press('Enter')
}
const verification = (page: Page) => page.getByRole('button', { name: 'Verification' })
const codeField = (page: Page) => page.getByLabel('Code', { exact: true })

test('[AUTH-05] [AUTH-07] 7001: authenticator only, by keyboard; a wrong code shows an alert', async ({ browser }) => {
  const { secret } = await withAuthenticator('authy')
  const page = await browserOf(browser, server)
  await firstStep(page, 'authy')
  await expect(codeField(page)).toBeFocused()
  await expect(page.getByRole('radio')).toHaveCount(0)
  await expect(page.getByRole('button', { name: t('second.send') })).toHaveCount(0)
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('The code is wrong or has expired. Enter the newest one.')
  await expect(page.getByText(t('second.clock_hint'))).toBeVisible()
  await expect(codeField(page)).toBeFocused()
  const again = page.waitForRequest('**/api/login')
  await page.keyboard.type(await codeOf(secret, 1))
  await page.keyboard.press('Enter')
  await again
  await page.waitForURL('**/index')
  expectCleanConsole(page)
})

test('[AUTH-05] [AUTH-06] [AUTH-07] 7002: SMS only: a masked number, a confirmation, and a countdown', async ({
  browser,
}) => {
  const own = await clientOf(server.url, 'smsy', PASSWORD)
  await withPhone(own)
  expect((await own.call('factor/view', {})).mobile).toBe(MASK)
  const page = await browserOf(browser, server, phone)
  await page.clock.install()
  await firstStep(page, 'smsy')
  await expect(page.getByText(MASK)).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(0)
  await expect(page.getByText(MOBILE)).toHaveCount(0)
  const send = page.getByRole('button', { name: t('second.send') })
  const waits = page.getByRole('button', { name: /Send again in \d+ s/ })
  const question = page.getByRole('dialog')

  // The page asks first and names the number; Escape sends nothing.
  const before = smsCount()
  await send.click()
  await expect(question).toContainText(t('second.confirm_send', { mobile: MASK }))
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  expect(smsCount()).toBe(before)

  // The code that confirmed the number is less than a minute old, so the server refuses, and the button is enabled
  // again.
  await send.click()
  await question.getByRole('button', { name: t('action.ok') }).click()
  await expect(page.getByRole('alert')).toContainText(t('request.too_often'))
  await expect(send).toBeEnabled()

  await page.route('**/api/sendValidateCode', (route) =>
    route.fulfill({ json: { code: OK, message: 'Success', data: { seconds: 60 } } }),
  )
  await send.click()
  await question.getByRole('button', { name: t('action.ok') }).click()
  await expect(page.getByText(t('second.sent', { mobile: MASK }))).toBeVisible()
  await expect(waits).toBeDisabled()
  await page.clock.fastForward(30_000)
  await expect(waits).toHaveText(/Send again in (2\d|30) s/)
  await page.clock.fastForward(31_000)
  await expect(send).toBeEnabled()
  await page.unroute('**/api/sendValidateCode')
})

test('[AUTH-05] [AUTH-06] [AUTH-07] 7003: the choice between both, and a code by SMS', async ({ browser }) => {
  const { own, recovery } = await withAuthenticator('bothy')
  await withPhone(own, recovery[0])
  const page = await browserOf(browser, server)
  await firstStep(page, 'bothy')
  await expect(page.getByRole('radio', { name: t('second.by_authenticator') })).toBeChecked()
  await page.getByRole('radio', { name: t('second.by_sms') }).check()
  await letOneMinutePass()
  const before = smsCount()
  await page.getByRole('button', { name: t('second.send') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('action.ok') })
    .click()
  await expect.poll(smsCount).toBe(before + 1)
  await expect(codeField(page)).toBeFocused()
  await codeField(page).fill(smsCode())
  await verification(page).click()
  await page.waitForURL('**/index')
})

test('[AUTH-07] an unknown kind of verification shows an error', async ({ browser }) => {
  const page = await browserOf(browser, server)
  await page.route('**/api/login', (route) =>
    route.fulfill({ json: { code: errors['session.needs_set_up'], message: 'Please look into my eyes.', data: {} } }),
  )
  await firstStep(page, 'authy')
  await expect(page.getByRole('alert')).toContainText('This type of verification is not supported.')
  await expect(page.getByLabel('Login', { exact: true })).toHaveValue('authy')
})

test('[AUTH-07] lost phone: a recovery code signs in once', async ({ browser }) => {
  const { recovery } = await withAuthenticator('lossy')
  for (const outcome of ['in', 'refused']) {
    const page = await browserOf(browser, server, phone)
    await firstStep(page, 'lossy')
    await page.getByRole('button', { name: t('second.lost_phone') }).click()
    await expect(page.getByText(t('second.recovery_hint'))).toBeVisible()
    await page.getByLabel(t('second.recovery_code')).fill(recovery[0] ?? '')
    await verification(page).click()
    if (outcome === 'in') await page.waitForURL('**/index')
    else await expect(page.getByRole('alert')).toContainText('The code is wrong or has expired. Enter the newest one.')
  }
})

test('[AUTH-07] [AUTH-12] a device clock that is days off affects neither the second step nor the session', async ({
  browser,
}) => {
  const { recovery } = await withAuthenticator('clocky')
  for (const [at, days] of [-400, 3].entries()) {
    const page = await browserOf(browser, server)
    await page.clock.install({ time: Date.now() + days * 86_400_000 })
    await firstStep(page, 'clocky')
    await page.getByRole('button', { name: t('second.lost_phone') }).click()
    await page.getByLabel(t('second.recovery_code')).fill(recovery[at] ?? '')
    await verification(page).click()
    await page.waitForURL('**/index')
    await page.goto('/setup/self')
    await expect(page.getByText(t('sessions.this'))).toBeVisible()
    await expect(page.getByText(t('security.recovery_left', { n: 9 - at }))).toBeVisible()
    expectCleanConsole(page)
  }
})

test('[AUTH-05] [AUTH-07] My settings: an authenticator by its typed key, recovery codes, a phone number, and their removal', async ({
  browser,
}) => {
  const page = await browserOf(browser, server, phone)
  await signIn(page, 'selfy', PASSWORD, '/setup/self')
  const box = page.getByRole('dialog')
  const password = box.getByLabel(t('payment.login_password'))

  await page.getByRole('button', { name: t('security.set_up_authenticator') }).click()
  await password.fill('wrong')
  await password.press('Enter')
  await expect(box.getByRole('alert')).toContainText(t('session.wrong_password'))
  await password.fill(PASSWORD)
  await password.press('Enter')
  await expect(box.getByRole('img', { name: t('security.qr') })).toBeVisible()
  const secret = (await box.locator('code').textContent())?.replace(/\s/g, '') ?? ''
  await box.getByLabel(t('security.shown_code')).fill('000000')
  await box.getByRole('button', { name: t('action.next') }).click()
  await expect(box.getByRole('alert')).toContainText(t('code.wrong'))
  await expect(box.getByText(t('second.clock_hint'))).toBeVisible()
  await box.getByLabel(t('security.shown_code')).fill(await codeOf(secret))
  await box.getByRole('button', { name: t('action.next') }).click()
  await expect(box.getByText(t('security.recovery_once'))).toBeVisible()
  const recovery = await box.locator('code').allTextContents()
  expect(recovery).toHaveLength(10)
  await page.keyboard.press('Escape')
  await box.getByRole('button', { name: t('security.recovery_kept') }).click()
  await expect(box).toHaveCount(0)
  await expect(page.getByText(t('security.recovery_left', { n: 10 }))).toBeVisible()

  await page.getByRole('button', { name: t('security.phone_new') }).click()
  const proof = box.getByLabel(t('security.code_or_recovery'))
  await password.fill(PASSWORD)
  await box.getByLabel(t('security.phone_new')).fill('12')
  await box.getByRole('button', { name: t('action.next') }).click()
  await expect(box.getByText(t('field.needed'))).toBeVisible()
  await proof.fill(recovery[1] ?? '')
  await box.getByRole('button', { name: t('action.next') }).click()
  await expect(box.getByText(t('security.phone_wrong'))).toBeVisible()
  await box.getByLabel(t('security.phone_new')).fill('+886 912-345-678')
  const before = smsCount()
  await box.getByRole('button', { name: t('action.next') }).click()
  await expect.poll(smsCount).toBe(before + 1)
  await box.getByLabel(t('second.code')).fill(smsCode())
  await box.getByRole('button', { name: t('second.verify') }).click()
  await expect(page.getByText(MASK)).toBeVisible()

  await page.getByRole('button', { name: t('security.phone_remove') }).click()
  await password.fill(PASSWORD)
  await proof.fill('zzzzz-zzzzz')
  await proof.press('Enter')
  await expect(box.getByRole('alert')).toContainText(t('code.wrong'))
  await proof.fill(recovery[2] ?? '')
  await proof.press('Enter')
  await expect(page.getByText(t('security.phone_none'))).toBeVisible()
  await page.getByRole('button', { name: t('security.remove_authenticator') }).click()
  await password.fill(PASSWORD)
  await box.getByLabel(t('security.code_or_recovery')).fill(recovery[0] ?? '')
  await box.getByRole('button', { name: t('security.remove') }).click()
  await expect(page.getByRole('button', { name: t('security.set_up_authenticator') })).toBeVisible()
  await expect(page.getByText(t('security.recovery'))).toHaveCount(0)
  expectCleanConsole(page)
})
