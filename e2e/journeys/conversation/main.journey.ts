/// <reference lib="dom" />
import { expect, type Page, test } from '@playwright/test'
import { signIn as clientOf } from '../../support/client.ts'
import { addAccount } from '../../support/add-account.ts'
import {
  account,
  browserOf,
  confirmDone,
  dialog,
  transferInDialog,
  PASSWORD,
  phone,
  expectCleanConsole,
  signIn,
  signInByForm,
  signUpByForm,
  t,
  messageLog,
  wordsIn,
  write,
} from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  await addAccount(server, 'agent', 'dian')
})
test.afterAll(() => server.remove())

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('[ROOM-13] [ENV-06] [ENV-07] [TRF-07] [SR02-04] from the share link to SR02, in two browsers', async ({
  browser,
}) => {
  const admin = await browserOf(browser, server)
  const dora = await browserOf(browser, server)
  const ann = await browserOf(browser, server)

  await test.step('the top account gives the agent points', async () => {
    await signIn(admin, 'admin', server.password)
    await admin.getByRole('link', { name: t('menu.agent') }).click()
    await row(admin, 'dora')
      .getByRole('button', { name: t('action.transaction') })
      .click()
    await transferInDialog(admin, '1000', 'opening')
    await confirmDone(admin)
    await expect(row(admin, 'dora')).toContainText('1,000.00')
  })

  // No turnover is required, so the member can return points at once.
  const client = await clientOf(server.url, 'admin', server.password)
  const { data } = await client.call('user/list', { menu_id: 2 })
  const id = data.find(({ username }) => username === 'dora')?.id ?? 0
  await client.call('user/saveAbilities', { id, transfer_member_flow_limit_multiple: 0 })

  const shareCode = await test.step('a member signs up through the share link', async () => {
    await signInByForm(dora, 'dora', PASSWORD)
    const code = await dora.evaluate(() => localStorage.getItem('share_code') ?? '')
    await signUpByForm(ann, code, 'ann88')
    return code
  })
  expect(shareCode).not.toBe('')

  await test.step('they exchange messages, live in both browsers', async () => {
    await write(ann, 'Hello, is anyone there?')
    await dora.getByRole('link', { name: new RegExp(`^${t('menu.chat')}`) }).click()
    await dora.getByText('Hello, is anyone there?').first().click()
    await write(dora, 'Yes, hello Ann!')
    await expect(messageLog(ann).getByText('Yes, hello Ann!')).toBeVisible()
    await write(ann, 'Please send me 100')
    await expect(messageLog(dora).getByText('Please send me 100')).toBeVisible()
  })

  await test.step('points are sent at once while no consent is needed', async () => {
    await dora.getByRole('button', { name: t('room.points') }).click()
    await transferInDialog(dora, '100.0001', 'first')
    await confirmDone(dora)
    // Opened by mouse too, the focus returns to where the next words belong.
    await expect(dora.getByLabel(t('message.write'))).toBeFocused()
    await expect(messageLog(dora).getByText(t('status.success'))).toBeVisible()
    await expect(messageLog(ann).getByText('100.0001')).toBeVisible()
  })

  await account(server, 'withdraw-confirm', 'ann88', 'on')

  await test.step('with consent the member accepts one and rejects another', async () => {
    for (const [amount, answer, status] of [
      ['50.5', 'points.accept', 'status.success'],
      ['7', 'points.reject', 'status.rejected'],
    ] as const) {
      await dora.getByRole('button', { name: t('room.points') }).click()
      await transferInDialog(dora, amount, `with consent ${amount}`)
      await confirmDone(dora)
      const card = messageLog(dora)
        .locator('article, li, div')
        .filter({ hasText: `with consent ${amount}` })
        .last()
      await expect(card).toBeVisible()
      await ann.getByRole('button', { name: t(answer) }).click()
      if (answer === 'points.reject') {
        // A press that comes at once may be the second half of a double click.
        const really = ann.getByRole('button', { name: t('points.really_reject', { amount: '7.00' }) })
        await expect(async () => {
          await really.click({ timeout: 1000 })
          await expect(really).toHaveCount(0, { timeout: 1000 })
        }).toPass()
      }
      await expect(ann.getByRole('button', { name: t(answer) })).toHaveCount(0)
      await expect(messageLog(dora).getByText(t(status)).last()).toBeVisible()
    }
  })

  await test.step('the member is asked for points and gives them', async () => {
    await dora.getByRole('button', { name: t('room.points') }).click()
    await dialog(dora)
      .getByRole('radio', { name: t('room.points_receive'), exact: true })
      .check()
    await transferInDialog(dora, '20.0003', 'back')
    await confirmDone(dora)
    await ann.getByRole('button', { name: t('points.accept') }).click()
    await expect(ann.getByRole('button', { name: t('points.accept') })).toHaveCount(0)
  })

  await test.step('history and SR02 show the amounts to the last decimal', async () => {
    await dora.goto('/transaction/list/ann88')
    for (const amount of ['100.0001', '50.50', '7.00', '20.0003']) {
      await expect(
        dora
          .getByRole('row')
          .filter({ hasText: 'ann88' })
          .filter({ hasText: amount.slice(0, 5) }),
      ).toHaveCount(1)
    }
    await dora.goto('/report/sr02')
    await expect(row(dora, 'dora')).toContainText('150.50')
    await expect(dora.getByText('150.50').first()).toHaveAttribute('data-tip', /150\.5001/)
    await expect(row(dora, 'dora')).toContainText('20.00')
  })

  for (const page of [admin, dora, ann]) expectCleanConsole(page)
})

/** The words in Latin letters on a page, except names. */
const latinWords = async (page: Page, ...names: string[]) => {
  const text = await page.locator('body').evaluate((body) => {
    const copy = body.cloneNode(true) as HTMLElement
    // Languages are listed under their own names.
    for (const other of copy.querySelectorAll('select, script, style, .tip')) other.remove()
    const texts = [...copy.querySelectorAll('[aria-label], [placeholder], [title], [data-tip]')].flatMap((one) =>
      ['aria-label', 'placeholder', 'title', 'data-tip'].map((name) => one.getAttribute(name) ?? ''),
    )
    const words = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT)
    while (words.nextNode()) texts.push(words.currentNode.textContent ?? '')
    return texts.join(' ')
  })
  const known = new Set(['Tallyroom', 'Ctrl', 'Alt', 'PDF', ...names])
  return [...new Set(text.match(/[A-Za-z][A-Za-z0-9]+/g))].filter((word) => !known.has(word))
}

test('[I18N-01] [ROOM-13] [TRF-07] the same on phones, all in Thai', async ({ browser }) => {
  const words = wordsIn('th')
  const dian = await browserOf(browser, server, phone)
  // A member begins in the language of the browser.
  const mei = await browserOf(browser, server, { ...phone, locale: 'th-TH' })
  await account(server, 'withdraw-confirm', 'dian', 'on')
  const admin = await browserOf(browser, server)
  await signIn(admin, 'admin', server.password, '/agent')
  await row(admin, 'dian')
    .getByRole('button', { name: t('action.transaction') })
    .click()
  await transferInDialog(admin, '500', 'เปิดบัญชี')
  await confirmDone(admin)

  await dian.addInitScript(() => localStorage.setItem('locale', 'th'))
  await signInByForm(dian, 'dian', PASSWORD, { words })
  const code = await dian.evaluate(() => localStorage.getItem('share_code') ?? '')
  await mei.goto(`/Signup/${code}`)
  await expect(mei.getByRole('button', { name: words('member.sign_up_now') })).toBeVisible()
  expect(await latinWords(mei, 'dian')).toEqual([])
  await signUpByForm(mei, code, 'mei88', words)
  await write(mei, 'สวัสดีค่ะ ขอแต้มหน่อย', words)
  await dian.goto('/chat/messaging')
  await dian.getByText('สวัสดีค่ะ ขอแต้มหน่อย').first().click()
  await write(dian, 'ได้เลย', words)
  await expect(messageLog(mei).getByText('ได้เลย')).toBeVisible()
  await dian.getByRole('button', { name: words('room.points') }).click()
  expect(await latinWords(dian, 'dian', 'mei88')).toEqual([])
  await transferInDialog(dian, '88.8', 'ของขวัญ', words)
  await confirmDone(dian, words)
  await mei.getByRole('button', { name: words('points.accept') }).click()
  await expect(messageLog(dian).getByText(words('status.success'))).toBeVisible()
  expect(await latinWords(mei, 'dian', 'mei88')).toEqual([])
  expect(await latinWords(dian, 'dian', 'mei88')).toEqual([])

  await dian.getByRole('button', { name: words('room.more') }).tap()
  await dian.getByRole('menuitem', { name: words('room.history') }).tap()
  await expect(dian.getByRole('button', { name: /mei88.*88\.80/ })).toBeVisible()
  expect(await latinWords(dian, 'dian', 'mei88', 'CSV')).toEqual([])
  await mei.locator('.m-balance').tap()
  await expect(mei.getByRole('dialog')).toContainText('88.80')
  expect(await latinWords(mei, 'dian', 'mei88')).toEqual([])
  for (const page of [dian, mei]) {
    expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390)
    expectCleanConsole(page)
  }
})
