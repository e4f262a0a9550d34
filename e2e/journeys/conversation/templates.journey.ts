import { expect, type Page, test } from '@playwright/test'
import { errors } from '@tallyroom/contract/errors'
import { signIn as clientOf } from '../../support/client.ts'
import {
  composer,
  asTitle,
  HOSTILE,
  startConversation,
  pressInDialog,
  addChatAccounts,
  SHORT,
  watchForInjection,
} from '../../support/hostile.ts'
import { row } from '../../support/lists.ts'
import { browserOf, dialog, PASSWORD, phone, expectCleanConsole, signIn, t, messageLog } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addChatAccounts(server)
})
test.afterAll(() => server.remove())

const options = (page: Page) => page.getByRole('listbox', { name: t('template.quick_replies') }).getByRole('option')
const add = (page: Page) => page.getByRole('main').getByRole('button', { name: t('template.add') })

const fillReply = async (page: Page, title: string, content: string, memo = '') => {
  await dialog(page).getByLabel(t('template.title')).fill(title)
  await dialog(page).getByLabel(t('template.content'), { exact: false }).first().fill(content)
  await dialog(page).getByLabel(t('template.memo')).fill(memo)
}

test('[TMPL-01] [TMPL-02] [CHAT-07] quick replies are added, edited and deleted', async ({ browser }) => {
  const mika = await browserOf(browser, server)
  const calm = watchForInjection(mika)
  await signIn(mika, 'mika', PASSWORD)
  await mika.getByRole('link', { name: t('menu.quick_replies') }).click()
  await expect(mika).toHaveURL(/\/MessageTemplate$/)
  await expect(mika.getByText(t('table.empty'))).toBeVisible()
  expect(await mika.getByLabel(t('table.rows_per_page')).locator('option').allTextContents()).toEqual([
    '25',
    '50',
    'All',
  ])

  await add(mika).click()
  await pressInDialog(mika, 'account.create')
  await expect(dialog(mika).getByText(t('field.needed'))).toHaveCount(2)
  await fillReply(mika, 'x'.repeat(60), 'Hello ', 'y'.repeat(60))
  await expect(dialog(mika).getByLabel(t('template.title'))).toHaveValue('x'.repeat(50))
  await expect(dialog(mika).getByLabel(t('template.memo'))).toHaveValue('y'.repeat(50))
  // Neither Esc nor a click outside loses the typed text.
  await mika.keyboard.press('Escape')
  await expect(dialog(mika).getByText(t('dialog.unsaved'))).toBeVisible()
  await mika.mouse.click(8, 400)
  await fillReply(mika, 'Greeting', 'Hello ')
  await dialog(mika).getByRole('button', { name: '{nickname}' }).click()
  await dialog(mika).getByLabel(t('template.content'), { exact: false }).first().pressSequentially(', how can I help?')
  const types = dialog(mika).getByLabel(t('template.type'))
  expect(await types.locator('option').allTextContents()).toEqual([t('template.type_1'), t('template.type_3')])
  await types.selectOption(t('template.type_3'))
  await expect(dialog(mika).getByText(t('template.saved_as_general'))).toBeVisible()
  const sent = mika.waitForRequest('**/api/message-template/create')
  await pressInDialog(mika, 'account.create')
  await sent
  await expect(mika.getByText(t('done.created'))).toBeVisible()
  await expect(dialog(mika)).toHaveCount(0)
  await expect(row(mika, 'Hello {nickname}, how can I help?')).toContainText(t('template.type_1'))
  await expect(row(mika, 'Greeting')).toContainText('mika')
  const eight = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  await expect(row(mika, 'Greeting')).toContainText(eight)

  await test.step('markup is shown as typed', async () => {
    await add(mika).click()
    await fillReply(mika, SHORT, HOSTILE, SHORT)
    await pressInDialog(mika, 'account.create')
    await expect(dialog(mika)).toHaveCount(0)
    const cells = row(mika, 'gnp').getByRole('cell')
    expect([await cells.nth(0).textContent(), await cells.nth(1).textContent()]).toEqual([asTitle(SHORT), HOSTILE])
    await calm()
  })

  await test.step('an answer other than 1000 keeps the dialog open without a message', async () => {
    await row(mika, 'Greeting')
      .getByRole('button', { name: t('action.edit') })
      .click()
    const { data } = await (await clientOf(server.url, 'omar', PASSWORD)).call('message-template/list', {})
    const greeting = data.find(({ title }) => title === 'Greeting')?.id ?? 0
    await mika.route('**/api/message-template/update', (route) =>
      route.fulfill({ json: { code: errors['template.not_found'], message: 'Quick reply not found.', data: null } }),
    )
    await dialog(mika).getByLabel(t('template.title')).fill('Good day')
    const answered = mika.waitForResponse('**/api/message-template/update')
    await pressInDialog(mika, 'action.save')
    await answered
    await expect(dialog(mika).getByLabel(t('template.title'))).toHaveValue('Good day')
    await expect(mika.getByText('Quick reply not found.')).toHaveCount(0)
    await mika.unroute('**/api/message-template/update')
    await pressInDialog(mika, 'action.save')
    await expect(mika.getByText(t('done.edited'))).toBeVisible()
    await expect(row(mika, 'Good day')).toHaveCount(1)
    expect(greeting).toBeGreaterThan(0)
  })

  await test.step('deleting asks for confirmation with the title', async () => {
    await row(mika, 'Good day')
      .getByRole('button', { name: t('action.delete') })
      .click()
    await expect(dialog(mika).getByText('Confirm content deletion')).toBeVisible()
    await expect(dialog(mika).getByText('Good day')).toBeVisible()
    await pressInDialog(mika, 'action.delete')
    await expect(row(mika, 'Good day')).toHaveCount(0)
  })

  // The chat’s navigation links to them, except for agents.
  await mika.goto('/chat/messaging')
  const rail = (page: Page) => page.getByRole('navigation', { name: t('chat.menu') })
  await rail(mika)
    .getByRole('link', { name: t('template.quick_replies') })
    .click()
  await expect(mika).toHaveURL(/\/MessageTemplate$/)
  const dora = await browserOf(browser, server)
  await signIn(dora, 'dora', PASSWORD, '/chat/messaging')
  await expect(rail(dora).getByRole('link', { name: t('chat.messaging'), exact: true })).toBeVisible()
  await expect(rail(dora).getByRole('link', { name: t('template.quick_replies') })).toHaveCount(0)
  for (const page of [mika, dora]) expectCleanConsole(page)
})

test('[ROOM-08] [LIM-02] quick replies in a conversation: by button, slash and keys; choosing sends nothing', async ({
  browser,
}) => {
  const client = await clientOf(server.url, 'mika', PASSWORD)
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
  await client.call('message-template/create', { title: '點數到帳通知', content: '{nickname}，您的餘額是 {balance}。' })
  await client.call('message-template/create', {
    title: 'Deposit steps',
    content: 'Dear {username}, please follow the picture.',
    memo: 'for new members',
    image: `data:image/png;base64,${dot}`,
  })
  await client.call('message-template/create', { title: 'Hostile', content: HOSTILE })
  const { dora, member, mika } = await startConversation(browser, server, 'annquick')
  const calm = [watchForInjection(mika), watchForInjection(member)]
  const asked: string[] = []
  member.on('request', (request) => asked.push(request.url()))

  await test.step('the slash lists matches, also within a Chinese sentence; typed text stays', async () => {
    await composer(mika).pressSequentially('Wait, /到帳')
    await expect(options(mika)).toHaveCount(1)
    // The balance arrives by a call of its own; without it the variable stays as it is.
    await expect(options(mika)).toContainText('0.00')
    await mika.keyboard.press('Tab')
    await expect(composer(mika)).toHaveValue('Wait, annquick，您的餘額是 0.00。')
    await expect(options(mika)).toHaveCount(0)
    await mika.keyboard.press('Control+z')
    await expect(composer(mika)).toHaveValue('Wait, /到帳')
    await expect(messageLog(mika).getByText('餘額')).toHaveCount(0)
  })

  await test.step('arrow keys move through the list; Esc closes it and keeps the slash', async () => {
    await composer(mika).fill('')
    await composer(mika).pressSequentially('/')
    await expect(options(mika).first()).toHaveAttribute('aria-selected', 'true')
    const first = await options(mika).first().textContent()
    await mika.keyboard.press('ArrowDown')
    await expect(options(mika).nth(1)).toHaveAttribute('aria-selected', 'true')
    await expect(composer(mika)).toHaveAttribute(
      'aria-activedescendant',
      (await options(mika).nth(1).getAttribute('id')) ?? '',
    )
    await mika.keyboard.press('ArrowUp')
    expect(await options(mika).first().textContent()).toBe(first)
    await mika.keyboard.press('Escape')
    await expect(options(mika)).toHaveCount(0)
    await expect(composer(mika)).toHaveValue('/')
    await composer(mika).pressSequentially('zzz and/or')
    await expect(options(mika)).toHaveCount(0)
  })

  await test.step('a typing error still matches; a photo is sent after the text, and both only on Send', async () => {
    await composer(mika).fill('/depsoit')
    await expect(options(mika)).toHaveCount(1)
    await mika.keyboard.press('Enter')
    await expect(composer(mika)).toHaveValue('Dear annquick, please follow the picture.')
    await expect(mika.getByText(t('template.photo_after'))).toBeVisible()
    await expect(messageLog(mika).getByText('Dear annquick')).toHaveCount(0)
    await mika.keyboard.press('Enter')
    await expect(messageLog(member).getByText('Dear annquick, please follow the picture.')).toBeVisible()
    await expect(messageLog(member).getByRole('button', { name: t('message.enlarge') })).toHaveCount(1)
    await expect(mika.getByText(t('template.photo_after'))).toHaveCount(0)
  })

  await test.step('the button lists all, used ones first; markup is only text', async () => {
    await composer(mika).fill('Look:')
    await mika.getByRole('button', { name: t('template.quick_replies') }).click()
    await expect(options(mika).first()).toContainText('Deposit steps')
    await mika.getByRole('combobox', { name: t('template.find') }).fill('hostile')
    await expect(options(mika)).toHaveCount(1)
    await options(mika).first().click()
    await expect(composer(mika)).toHaveValue(`Look: ${HOSTILE}`)
    await composer(mika).press('Enter')
    await expect(messageLog(member).getByText('window.ran=1')).toBeVisible()
    for (const still of calm) await still()
  })

  // An agent has no quick replies, and the member’s page never loads them.
  await dora.goto('/chat/messaging')
  await dora.getByText('window.ran=1').first().click()
  // DESK-11: who has answered has it.
  await dora.getByRole('button', { name: t('desk.take_over') }).click()
  await expect(composer(dora)).toBeVisible()
  await expect(dora.getByRole('button', { name: t('template.quick_replies') })).toHaveCount(0)
  await composer(dora).fill('/dep')
  await expect(options(dora)).toHaveCount(0)
  await member.reload()
  await composer(member).fill('/dep')
  await expect(options(member)).toHaveCount(0)
  expect(asked.filter((url) => /template|quick/.test(url))).toEqual([])

  await test.step('on a phone', async () => {
    await mika.context().close()
    const small = await browserOf(browser, server, phone)
    await signIn(small, 'mika', PASSWORD, '/chat/messaging')
    await small.getByText('window.ran=1').first().click()
    await small.getByRole('button', { name: t('desk.take_over') }).tap()
    await small.getByRole('button', { name: t('message.add'), exact: true }).tap()
    await small.getByRole('button', { name: t('template.quick_replies') }).tap()
    await options(small).first().tap()
    await expect(composer(small)).not.toHaveValue('')
    expect(await small.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390)
    expectCleanConsole(small)
  })
  for (const page of [member, dora]) expectCleanConsole(page)
})
