import { expect, type Page, test } from '@playwright/test'
import { signIn as clientOf } from '../../support/client.ts'
import { box, HOSTILE, inTalk, press, settleTalk, SHORT, watch } from '../../support/hostile.ts'
import { row } from '../../support/lists.ts'
import { browserOf, dialog, PASSWORD, phone, quiet, signIn, t, talk } from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await settleTalk(server)
})
test.afterAll(() => server.remove())

const options = (page: Page) => page.getByRole('listbox', { name: t('template.quick_replies') }).getByRole('option')
const add = (page: Page) => page.getByRole('main').getByRole('button', { name: t('template.add') })

const fillReply = async (page: Page, title: string, content: string, memo = '') => {
  await dialog(page).getByLabel(t('template.title')).fill(title)
  await dialog(page).getByLabel(t('template.content'), { exact: false }).first().fill(content)
  await dialog(page).getByLabel(t('template.memo')).fill(memo)
}

test('[TMPL-01] [TMPL-02] [CHAT-07] quick replies are made, changed and deleted', async ({ browser }) => {
  const mika = await browserOf(browser, server)
  const calm = watch(mika)
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
  await press(mika, 'account.create')
  await expect(dialog(mika).getByText(t('field.needed'))).toHaveCount(2)
  await fillReply(mika, 'x'.repeat(60), 'Hello ', 'y'.repeat(60))
  await expect(dialog(mika).getByLabel(t('template.title'))).toHaveValue('x'.repeat(50))
  await expect(dialog(mika).getByLabel(t('template.memo'))).toHaveValue('y'.repeat(50))
  // Neither Esc nor a press beside it loses what is typed.
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
  await press(mika, 'account.create')
  await sent
  await expect(mika.getByText(t('done.created'))).toBeVisible()
  await expect(dialog(mika)).toHaveCount(0)
  await expect(row(mika, 'Hello {nickname}, how can I help?')).toContainText(t('template.type_1'))
  await expect(row(mika, 'Greeting')).toContainText('mika')
  const eight = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  await expect(row(mika, 'Greeting')).toContainText(eight)

  await test.step('whatever is typed stands there as it was typed', async () => {
    await add(mika).click()
    await fillReply(mika, SHORT, HOSTILE, SHORT)
    await press(mika, 'account.create')
    await expect(dialog(mika)).toHaveCount(0)
    const cells = row(mika, 'gnp').getByRole('cell')
    expect([await cells.nth(0).textContent(), await cells.nth(1).textContent()]).toEqual([SHORT, HOSTILE])
    await calm()
  })

  await test.step('an answer but 1000 keeps the dialog open without a word', async () => {
    await row(mika, 'Greeting')
      .getByRole('button', { name: t('action.edit') })
      .click()
    const { data } = await (await clientOf(server.url, 'omar', PASSWORD)).call('message-template/list', {})
    const greeting = data.find(({ title }) => title === 'Greeting')?.id ?? 0
    await mika.route('**/api/message-template/update', (route) =>
      route.fulfill({ json: { code: 1404, message: 'There is no such quick reply.', data: null } }),
    )
    await dialog(mika).getByLabel(t('template.title')).fill('Good day')
    const answered = mika.waitForResponse('**/api/message-template/update')
    await press(mika, 'action.save')
    await answered
    await expect(dialog(mika).getByLabel(t('template.title'))).toHaveValue('Good day')
    await expect(mika.getByText('There is no such quick reply.')).toHaveCount(0)
    await mika.unroute('**/api/message-template/update')
    await press(mika, 'action.save')
    await expect(mika.getByText(t('done.edited'))).toBeVisible()
    await expect(row(mika, 'Good day')).toHaveCount(1)
    expect(greeting).toBeGreaterThan(0)
  })

  await test.step('deleting asks by title', async () => {
    await row(mika, 'Good day')
      .getByRole('button', { name: t('action.delete') })
      .click()
    await expect(dialog(mika).getByText('Confirm content deletion')).toBeVisible()
    await expect(dialog(mika).getByText('Good day')).toBeVisible()
    await press(mika, 'action.delete')
    await expect(row(mika, 'Good day')).toHaveCount(0)
  })

  // The rail of the chat leads there, but not for an agent.
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
  for (const page of [mika, dora]) quiet(page)
})

test('[ROOM-08] [LIM-02] quick replies in a talk: by button, by slash, by keys; nothing is sent by choosing', async ({
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
  const { dora, member, mika } = await inTalk(browser, server, 'annquick')
  const calm = [watch(mika), watch(member)]
  const asked: string[] = []
  member.on('request', (request) => asked.push(request.url()))

  await test.step('the slash opens what fits, inside of a Chinese sentence too; typed words stay', async () => {
    await box(mika).pressSequentially('Wait, /到帳')
    await expect(options(mika)).toHaveCount(1)
    await mika.keyboard.press('Tab')
    await expect(box(mika)).toHaveValue('Wait, annquick，您的餘額是 0.00。')
    await expect(options(mika)).toHaveCount(0)
    await mika.keyboard.press('Control+z')
    await expect(box(mika)).toHaveValue('Wait, /到帳')
    await expect(talk(mika).getByText('餘額')).toHaveCount(0)
  })

  await test.step('keys go through the list; Esc closes it and the slash is a slash', async () => {
    await box(mika).fill('')
    await box(mika).pressSequentially('/')
    await expect(options(mika).first()).toHaveAttribute('aria-selected', 'true')
    const first = await options(mika).first().textContent()
    await mika.keyboard.press('ArrowDown')
    await expect(options(mika).nth(1)).toHaveAttribute('aria-selected', 'true')
    await expect(box(mika)).toHaveAttribute(
      'aria-activedescendant',
      (await options(mika).nth(1).getAttribute('id')) ?? '',
    )
    await mika.keyboard.press('ArrowUp')
    expect(await options(mika).first().textContent()).toBe(first)
    await mika.keyboard.press('Escape')
    await expect(options(mika)).toHaveCount(0)
    await expect(box(mika)).toHaveValue('/')
    await box(mika).pressSequentially('zzz and/or')
    await expect(options(mika)).toHaveCount(0)
  })

  await test.step('a slip of the finger; a photo goes after the text, and neither before it is sent', async () => {
    await box(mika).fill('/depsoit')
    await expect(options(mika)).toHaveCount(1)
    await mika.keyboard.press('Enter')
    await expect(box(mika)).toHaveValue('Dear annquick, please follow the picture.')
    await expect(mika.getByText(t('template.photo_after'))).toBeVisible()
    await expect(talk(mika).getByText('Dear annquick')).toHaveCount(0)
    await mika.keyboard.press('Enter')
    await expect(talk(member).getByText('Dear annquick, please follow the picture.')).toBeVisible()
    await expect(talk(member).getByRole('button', { name: t('message.enlarge') })).toHaveCount(1)
    await expect(mika.getByText(t('template.photo_after'))).toHaveCount(0)
  })

  await test.step('the button opens all, the used ones first; what is hostile is only text', async () => {
    await box(mika).fill('Look:')
    await mika.getByRole('button', { name: t('template.quick_replies') }).click()
    await expect(options(mika).first()).toContainText('Deposit steps')
    await mika.getByRole('combobox', { name: t('template.find') }).fill('hostile')
    await expect(options(mika)).toHaveCount(1)
    await options(mika).first().click()
    await expect(box(mika)).toHaveValue(`Look: ${HOSTILE}`)
    await box(mika).press('Enter')
    await expect(talk(member).getByText('window.ran=1')).toBeVisible()
    for (const still of calm) await still()
  })

  // An agent has none, and the member's page never hears of them.
  await dora.goto('/chat/messaging')
  await dora.getByText('window.ran=1').first().click()
  await expect(box(dora)).toBeVisible()
  await expect(dora.getByRole('button', { name: t('template.quick_replies') })).toHaveCount(0)
  await box(dora).fill('/dep')
  await expect(options(dora)).toHaveCount(0)
  await member.reload()
  await box(member).fill('/dep')
  await expect(options(member)).toHaveCount(0)
  expect(asked.filter((url) => /template|quick/.test(url))).toEqual([])

  await test.step('on a phone', async () => {
    await mika.context().close()
    const small = await browserOf(browser, server, phone)
    await signIn(small, 'mika', PASSWORD, '/chat/messaging')
    await small.getByText('window.ran=1').first().click()
    await small.getByRole('button', { name: t('template.quick_replies') }).tap()
    await options(small).first().tap()
    await expect(box(small)).not.toHaveValue('')
    expect(await small.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390)
    quiet(small)
  })
  for (const page of [member, dora]) quiet(page)
})
