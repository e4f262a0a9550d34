import { type Browser, expect, type Page, test } from '@playwright/test'
import { signIn as clientOf } from './client.ts'
import {
  account,
  browserOf,
  dialog,
  PASSWORD,
  phone,
  quiet,
  shareCode,
  signIn,
  signUp,
  t,
  talk,
  write,
} from './people.ts'
import { type Server, startServer } from './server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startServer()
  await account(server, 'add', 'agent', 'dora', '--under', 'admin', '--password', PASSWORD, '--credit', '500')
  for (const name of ['mika', 'omar'])
    await account(server, 'add', 'cs', name, '--under', 'dora', '--password', PASSWORD)
})
test.afterAll(() => server.remove())

/** What people type to make a page run it, or to make it look like something else. */
const HOSTILE =
  '<script>window.ran=1</script><img src=x onerror="window.ran=2"> javascript:window.ran=3 \u202Egnp.exe\u202C 👩‍👩‍👧‍👦🏳️‍🌈 a\u200Bb\u200D'
/** The same, as short as a title of a quick reply. */
const SHORT = '<img src=x onerror=window.ran=4>\u202Egnp\u202C👩‍👩‍👧\u200B'

/** Nothing that was typed has run, asked for anything, or opened anything. */
const watch = (page: Page) => {
  const seen: string[] = []
  page.on('dialog', (box) => {
    seen.push(`dialog ${box.message()}`)
    void box.dismiss()
  })
  page.on('request', (request) => {
    const { pathname, protocol } = new URL(request.url())
    if (protocol === 'javascript:' || pathname.endsWith('/x')) seen.push(request.url())
  })
  return async () => {
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
    expect(seen).toEqual([])
  }
}

const box = (page: Page) => page.getByLabel(t('message.write'))
const options = (page: Page) => page.getByRole('listbox', { name: t('template.quick_replies') }).getByRole('option')
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const add = (page: Page) => page.getByRole('main').getByRole('button', { name: t('template.add') })
const press = (page: Page, key: Parameters<typeof t>[0]) =>
  dialog(page)
    .getByRole('button', { name: t(key), exact: true })
    .click()

/** A member of dora's, with a talk, and mika in it. */
const inTalk = async (browser: Browser, username: string) => {
  const dora = await browserOf(browser, server)
  await signIn(dora, 'dora', PASSWORD)
  const code = await shareCode(dora)
  const member = await browserOf(browser, server)
  await signUp(member, code, username)
  await write(member, `hello from ${username}`)
  const mika = await browserOf(browser, server)
  await signIn(mika, 'mika', PASSWORD)
  await mika.goto('/chat/messaging')
  await mika.getByText(`hello from ${username}`).first().click()
  await expect(box(mika)).toBeVisible()
  return { dora, member, mika }
}

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
  await signIn(dora, 'dora', PASSWORD)
  await dora.goto('/chat/messaging')
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
  const { dora, member, mika } = await inTalk(browser, 'annquick')
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
    await signIn(small, 'mika', PASSWORD)
    await small.goto('/chat/messaging')
    await small.getByText('window.ran=1').first().click()
    await small.getByRole('button', { name: t('template.quick_replies') }).tap()
    await options(small).first().tap()
    await expect(box(small)).not.toHaveValue('')
    expect(await small.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390)
    quiet(small)
  })
  for (const page of [member, dora]) quiet(page)
})

test('[NOTE-01] [NOTE-02] [NOTE-03] [LIM-02] the notebook of a room, wide and small', async ({ browser }) => {
  const { mika, member } = await inTalk(browser, 'annnotes')
  const opened = mika.context().waitForEvent('page')
  await mika.getByRole('link', { name: t('note.new_tab') }).click()
  const book = await opened
  const calm = watch(book)
  await expect(book).toHaveURL(/\/chat\/noteTitle\/\d+\/\d+$/)
  await expect(book.getByRole('heading', { name: t('note.notebook') })).toContainText('annnotes')
  expect(await book.getByLabel(t('table.rows_per_page')).locator('option').allTextContents()).toEqual([
    '10',
    '25',
    '50',
    'All',
  ])
  const button = (page: Page, key: Parameters<typeof t>[0]) =>
    page.getByRole('main').getByRole('button', { name: t(key), exact: true })

  await test.step('a note needs a title; Esc and a press beside lose nothing; cancel forgets what was amiss', async () => {
    await button(book, 'note.add').click()
    expect((await dialog(book).boundingBox())?.width).toBeLessThanOrEqual(500)
    await expect(dialog(book).getByLabel(t('note.friend'))).toBeDisabled()
    await expect(dialog(book).getByLabel(t('note.friend'))).toHaveValue('annnotes')
    const asked: string[] = []
    book.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await press(book, 'account.create')
    await expect(dialog(book).getByText(t('field.needed'))).toBeVisible()
    expect(asked).not.toContain('/api/note/add')
    await dialog(book).getByLabel(t('note.title')).fill('half a title')
    await book.keyboard.press('Escape')
    await book.mouse.click(8, 400)
    await expect(dialog(book).getByLabel(t('note.title'))).toHaveValue('half a title')
    await expect(dialog(book).getByText(t('dialog.unsaved'))).toBeVisible()
    await press(book, 'action.cancel')
    await expect(dialog(book)).toHaveCount(0)
    await button(book, 'note.add').click()
    await expect(dialog(book).getByText(t('field.needed'))).toHaveCount(0)
    await dialog(book).getByLabel(t('note.title')).fill(HOSTILE)
    await press(book, 'account.create')
    await expect(book.getByText(t('done.created'))).toBeVisible()
  })

  const note = row(book, 'window.ran=1')
  for (const column of ['date_time', 'title', 'create_user', 'update_user'] as const)
    await expect(book.getByRole('columnheader', { name: t(`note.${column}`) })).toBeVisible()
  await expect(note).toContainText(t('note.unfinished'))
  expect(await note.getByRole('cell').nth(1).textContent()).toBe(HOSTILE)
  await note.getByRole('button', { name: t('action.edit') }).click()
  await expect(dialog(book).getByLabel(t('note.title'))).toHaveValue(HOSTILE)
  await dialog(book).getByLabel(t('account.status')).selectOption(t('note.finished'))
  await press(book, 'action.save')
  await expect(note).toContainText(t('note.finished'))
  await expect(note.getByRole('cell').nth(3)).toHaveText('mika')

  await test.step('the content of a note; a title in an address is only an address', async () => {
    await note.getByRole('button', { name: t('note.description') }).click()
    await expect(book).toHaveURL(/\/chat\/noteContent\/\d+\/\d+\/./)
    await expect.poll(() => book.getByRole('heading', { level: 1 }).textContent()).toBe(HOSTILE)
    await expect(book.getByText(t('note.no_content'))).toBeVisible()
    await button(book, 'note.add_content').click()
    await press(book, 'account.create')
    await expect(dialog(book).getByText(t('field.needed'))).toBeVisible()
    await dialog(book).getByLabel(t('note.content')).fill(`${HOSTILE}\nand a second line`)
    await press(book, 'account.create')
    const entry = row(book, 'second line')
    await expect(entry).toContainText('mika')
    expect(await entry.getByRole('cell').nth(1).textContent()).toBe(`${HOSTILE}\nand a second line`)
    await entry.getByRole('button', { name: t('action.edit') }).click()
    await dialog(book).getByLabel(t('note.content')).fill('rang at nine')
    await press(book, 'action.save')
    await expect(row(book, 'rang at nine')).toHaveCount(1)
    await book.reload()
    await row(book, 'rang at nine')
      .getByRole('button', { name: t('action.delete') })
      .click()
    await press(book, 'action.delete')
    await expect(row(book, 'rang at nine')).toHaveCount(0)
    await calm()
    await book.getByRole('link', { name: t('action.back'), exact: true }).click()
    await expect(note).toHaveCount(1)
  })

  await test.step('on a phone, a title of dots, and back to the talk', async () => {
    const small = await browserOf(browser, server, phone)
    await signIn(small, 'mika', PASSWORD)
    await small.goto(new URL(book.url()).pathname)
    await button(small, 'note.add').tap()
    await dialog(small).getByLabel(t('note.title')).fill('..')
    await press(small, 'account.create')
    await small.getByRole('button', { name: /\.\./ }).tap()
    await small
      .getByRole('dialog')
      .getByRole('button', { name: t('note.description') })
      .tap()
    await expect(small.getByRole('heading', { level: 1 })).toHaveText('..')
    expect(await small.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390)
    quiet(small)
    await book.getByRole('link', { name: t('menu.chat'), exact: true }).click()
    await expect(talk(book).getByText('hello from annnotes')).toBeVisible()
    await expect(talk(member).getByText('window.ran')).toHaveCount(0)
  })
  for (const page of [mika, member]) quiet(page)
})
