import { expect, test } from '@playwright/test'
import { inTalk, press, settleTalk } from './hostile.ts'
import { browserOf, dialog, PASSWORD, phone, quiet, signIn, t } from './people.ts'
import { type Server, startServer } from './server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startServer()
  await settleTalk(server)
})
test.afterAll(() => server.remove())

test('[BANK-01] [BANK-02] [BANK-03] [FLOW-01] [ROOM-03] bank accounts and turnover above a room', async ({
  browser,
}) => {
  const { dora, mika, member } = await inTalk(browser, server, 'annbank')
  const bankButton = mika.getByRole('button', { name: t('bank.title'), exact: true })
  await expect(mika.getByRole('heading', { level: 1 })).toContainText('annbank')
  await expect(mika.getByRole('button', { name: t('flow.title'), exact: true })).toBeVisible()
  await expect(bankButton).toHaveCount(0)

  const admin = await browserOf(browser, server)
  await test.step('the top account decides, and names the banks', async () => {
    await signIn(admin, 'admin', server.password)
    await admin.goto('/setup/system')
    const turn = (key: Parameters<typeof t>[0]) => admin.getByRole('switch', { name: t(key) }).click()
    await turn('bank.is_third')
    await turn('bank.several')
    await admin.getByLabel(t('bank.amount')).selectOption('2')
    await turn('bank.with_code')
    const rules = admin.locator('form', { has: admin.getByRole('heading', { name: t('bank.settings') }) })
    await rules.getByRole('button', { name: t('action.save') }).click()
    await expect(admin.getByText(t('bank.banks_empty'))).toBeVisible()
    await admin.getByLabel(t('bank.bank'), { exact: true }).fill('North <b>Bank</b>')
    await admin.getByRole('button', { name: t('bank.add_bank') }).click()
    await expect(admin.getByRole('switch', { name: t('bank.offer', { name: 'North <b>Bank</b>' }) })).toBeChecked()
  })

  await test.step('customer service keeps two accounts of a member', async () => {
    await mika.reload()
    await bankButton.click()
    await press(mika, 'action.save')
    await expect(dialog(mika).getByText(t('bank.required'), { exact: true }).first()).toBeVisible()
    const slot = (n: number) => dialog(mika).getByRole('group', { name: t('bank.slot', { n }) })
    const fill = async (n: number, number: string) => {
      await slot(n).getByLabel(t('bank.bank')).selectOption('North <b>Bank</b>')
      await slot(n).getByLabel('BSB').fill('062-000')
      await slot(n).getByLabel(t('bank.account_no')).fill(number)
    }
    await fill(1, '12345678')
    await slot(1).getByLabel(t('bank.account_name')).fill('Ann Bank')
    await fill(2, '87654321')
    await press(mika, 'action.save')
    await expect(mika.getByText(t('done.bank'), { exact: true })).toBeVisible()
    await bankButton.click()
    await expect(slot(2).getByLabel(t('bank.account_name'))).toHaveValue('Ann Bank')
    await expect(slot(2).getByLabel(t('bank.account_name'))).toBeDisabled()
    await expect(slot(1).getByLabel('BSB')).toHaveValue('062000')
    await expect(slot(1).getByLabel(t('bank.account_no'))).toHaveAttribute('placeholder', '****5678')
    await slot(1)
      .getByRole('button', { name: t('bank.show') })
      .click()
    await expect(slot(1).getByText('12345678')).toBeVisible()
    await mika.screenshot({ path: test.info().outputPath('cards-1440.png') })
    await slot(2)
      .getByRole('button', { name: t('action.delete') })
      .click()
    await expect(dialog(mika).getByText(t('bank.delete_sure'))).toBeVisible()
    await press(mika, 'action.delete')
    await expect(dialog(mika)).toHaveCount(0)
    await expect(bankButton).toBeFocused()
  })

  await test.step('an agent reads, and changes nothing; the turnover, ten rows a page', async () => {
    await dora.goto(new URL(mika.url()).pathname)
    await dora.getByRole('button', { name: t('bank.title'), exact: true }).click()
    await expect(dialog(dora).getByLabel(t('bank.account_no'))).toBeDisabled()
    await expect(dialog(dora).getByRole('button', { name: t('action.save') })).toHaveCount(0)
    await dora.keyboard.press('Escape')
    await expect(dialog(dora)).toHaveCount(0)
    await dora.getByRole('button', { name: t('flow.title'), exact: true }).click()
    await expect(dialog(dora).getByText(t('flow.none_open'))).toBeVisible()
    await dora.screenshot({ path: test.info().outputPath('flow-1440.png') })
  })

  await test.step('on a phone', async () => {
    const small = await browserOf(browser, server, phone)
    await signIn(small, 'mika', PASSWORD)
    await small.goto(new URL(mika.url()).pathname)
    await small.getByRole('button', { name: t('bank.title'), exact: true }).tap()
    await expect(dialog(small).getByLabel(t('bank.account_no')).first()).toBeVisible()
    expect(await small.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390)
    await small.screenshot({ path: test.info().outputPath('cards-390.png') })
    quiet(small)
  })
  for (const page of [dora, mika, member, admin]) quiet(page)
})
