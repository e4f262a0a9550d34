import { expect, type Locator, type Page, test } from '@playwright/test'
import { generate } from 'otplib'
import { signIn as clientOf } from '../../support/client.ts'
import { button, columnHeader, row, rows, expectSnackbar, addListAccounts } from '../../support/lists.ts'
import { browserOf, dialog, PASSWORD, expectCleanConsole, signIn, t } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addListAccounts(server)
})
test.afterAll(() => server.remove())

/** Whether the focus is visible: an outline or a shadow on the element, its parent or its next sibling. */
const hasVisibleFocus = (target: Locator) =>
  target.evaluate((element) => {
    const marked = (one: Element | null): boolean => {
      if (!one) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    }
    return marked(element) || marked(element.parentElement) || marked(element.nextElementSibling)
  })

/** Presses the key until the target has the focus, and expects the focus to be visible. */
const reach = async (page: Page, target: Locator, key = 'Tab') => {
  await expect(target).toBeVisible()
  for (let n = 0; n < 150; n++) {
    if ((await target.and(page.locator(':focus')).count()) > 0)
      return expect.poll(() => hasVisibleFocus(target)).toBe(true)
    await page.keyboard.press(key)
  }
  throw new Error(`${String(target)} is not reached by ${key}`)
}
const press = async (page: Page, target: Locator, key = 'Enter') => {
  await reach(page, target)
  await page.keyboard.press(key)
}
const type = async (page: Page, target: Locator, text: string) => {
  await reach(page, target)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

test('[AUTH-05] [AUTH-11] [ACC-03] [ACC-08] [ACC-09] account work by keyboard only, from sign-in to sign-out', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const dora = await clientOf(server.url, 'dora', PASSWORD)
  const { secret } = await dora.call('factor/begin', { password: PASSWORD })
  const codeAt = (later: number) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * later })
  await dora.call('factor/confirm', { code: await codeAt(0) })

  const page = await browserOf(browser, server)
  const form = dialog(page)
  await page.goto('/login')
  await type(page, page.getByLabel(t('session.login'), { exact: true }), 'dora')
  await type(page, page.getByLabel(t('session.password'), { exact: true }), PASSWORD)
  await page.keyboard.press('Enter')
  const code = page.getByLabel(t('second.code'))
  await expect(code).toBeFocused()
  await page.keyboard.type(await codeAt(1))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/index')
  await expect(page.getByText(t('home.hello', { name: 'dora' }))).toBeVisible()

  await press(page, page.getByRole('link', { name: t('menu.customer_service') }))
  await expect(page.getByRole('heading', { name: t('menu.customer_service') })).toBeVisible()
  const add = button(page, t('account.add_customer_service'))
  await press(page, add)
  await type(page, form.getByLabel(t('account.username')), 'keys1')
  await type(page, form.getByLabel(t('account.nickname')), 'Keys')
  await type(page, form.locator('input[type=password]').first(), 'secret2')
  await type(page, form.locator('input[type=password]').last(), 'secret2')
  await page.keyboard.press('Enter')
  await expectSnackbar(page, t('done.created'))
  await expect(add).toBeFocused()

  const edit = button(page, t('action.edit'), 'keys1')
  await press(page, edit)
  await expect(form.getByLabel(t('account.nickname'))).toBeFocused()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Keyboard')
  await page.keyboard.press('Enter')
  await expect(row(page, 'keys1')).toContainText('Keyboard')
  await expect(edit).toBeFocused()

  const more = button(page, t('table.more'), 'keys1')
  const openFreeze = async () => {
    await press(page, more)
    await expect(page.getByRole('menuitem', { name: t('right.rights') })).toBeFocused()
    await reach(page, page.getByRole('menuitem', { name: t('action.freeze') }), 'ArrowDown')
    await page.keyboard.press('Enter')
  }
  const freeze = async () => {
    await openFreeze()
    await expect(form.getByRole('button', { name: t('action.cancel') })).toBeFocused()
    await press(page, form.getByRole('button', { name: t('action.freeze') }))
  }
  const frozen = async () => {
    await expect(row(page, 'keys1')).toContainText(t('status.frozen'))
    // The action is gone from the menu, whose button has kept the focus.
    await expect(more).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(more).toBeFocused()
  }
  // Escape cancels, and the focus returns to where it began.
  await openFreeze()
  await expect(form.getByRole('button', { name: t('action.cancel') })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(form).toHaveCount(0)
  await expect(more).toBeFocused()
  await freeze()
  // It is there for three seconds, and as long as one goes there.
  await press(page, button(page, t('account.undo')))
  await expect(row(page, 'keys1')).not.toContainText(t('status.frozen'))
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
  await freeze()
  await frozen()
  await press(page, edit)
  await press(page, form.getByRole('switch', { name: t('account.status') }), 'Space')
  await press(page, form.getByRole('button', { name: t('action.save') }))
  await expect(row(page, 'keys1')).not.toContainText(t('status.frozen'))
  await expect(edit).toBeFocused()

  const name = page.getByPlaceholder(t('account.username'), { exact: true })
  await expect(rows(page)).toHaveCount(2)
  await reach(page, name, 'Shift+Tab')
  await page.keyboard.type('KEYS')
  await expect(rows(page)).toHaveCount(1)
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await expect(rows(page)).toHaveCount(2)
  const title = columnHeader(page, t('account.account'))
  await press(page, title.getByRole('button'))
  await expect(title).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows(page).first()).toContainText('help1')
  await page.keyboard.press('Enter')
  await expect(title).toHaveAttribute('aria-sort', 'descending')
  await expect(rows(page).first()).toContainText('keys1')

  await press(page, edit)
  await press(page, form.locator('summary').first())
  const event = form.getByRole('switch', { name: t('ability.event_mode'), exact: true })
  await press(page, event, 'Space')
  await expect(event).toBeChecked()
  await press(page, form.getByRole('button', { name: t('action.save') }))
  await expectSnackbar(page, t('done.edited'))
  await expect(form).toHaveCount(0)
  await expect(edit).toBeFocused()

  const other = await browserOf(browser, server)
  await signIn(other, 'help1', PASSWORD)
  await press(page, button(page, t('action.edit'), 'help1'))
  await press(page, form.locator('summary').last())
  await press(page, form.getByRole('button', { name: /^End the session/ }))
  await other.waitForURL('**/login**')
  await page.keyboard.press('Escape')

  const menu = page.getByRole('button', { name: t('shell.user_menu', { name: 'dora' }) })
  await reach(page, menu, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await reach(page, page.getByRole('menuitem', { name: t('menu.settings') }), 'ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByText(t('sessions.this'))).toBeVisible()
  const ends = page.getByRole('button', { name: /^End the session/ })
  await expect(ends).not.toHaveCount(0)
  const many = await ends.count()
  await press(page, ends.first())
  await expect(ends).toHaveCount(many - 1)
  await reach(page, menu, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await reach(page, page.getByRole('menuitem', { name: t('shell.logout') }), 'ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/login**')
  expectCleanConsole(page)
})
