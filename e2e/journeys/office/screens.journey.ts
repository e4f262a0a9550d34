/// <reference lib="dom" />
import { MessageType } from '@tallyroom/contract/codes'
import { expect, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import {
  browserOf,
  confirmDone,
  dialog,
  transferInDialog,
  PASSWORD,
  phone,
  expectCleanConsole,
  shareCode,
  signIn,
  signInMember,
  signUp,
  storeSession,
  t,
  messageLog,
  wordsIn,
  write,
} from '../../support/people.ts'
import { signIn as clientOf, signUp as memberOf } from '../../support/client.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import { overflows } from '../../support/page/overflow.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  // With a gateway, which nothing here calls, a forgotten password can be recovered.
  server = await startJourneyServer({ env: { SMS_URL: 'https://sms.example' } })
  await addAccount(server, 'agent', 'dora', { credit: '500' })
})
test.afterAll(() => server.remove())

test('[SHELL-01] [SHELL-02] [SHELL-03] [SHELL-06] [HOME-01] [WIRE-09] the shell around every page', async ({
  browser,
}) => {
  const page = await browserOf(browser, server, { permissions: ['clipboard-read', 'clipboard-write'] })
  await signIn(page, 'dora', PASSWORD)
  const drawer = page.getByRole('complementary')
  await expect.poll(async () => (await drawer.boundingBox())?.width).toBe(260)
  await expect(drawer).toContainText('500.00')
  for (const name of [
    'home',
    'chat',
    'agent',
    'customer_service',
    'user',
    'transaction_log',
    'sr02',
    'my_settings',
  ] as const) {
    await expect(drawer.getByRole('link', { name: new RegExp(`^${t(`menu.${name}`)}`) })).toBeVisible()
  }
  for (const label of ['home.waiting', 'home.in_today', 'home.out_today'] as const) {
    await expect(page.getByRole('main').getByText(t(label))).toBeVisible()
  }
  const code = shareCode(page)
  await page.getByRole('button', { name: t('shell.copy_link') }).click()
  const link = `${server.url}/Signup/${code}`
  const snackbar = page.getByText(`Copied Success: ${link}`)
  await expect(snackbar).toBeVisible()
  await expect(snackbar).toHaveCount(0)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await page.goto('/user')
  await expect(page.getByRole('navigation', { name: t('shell.here') })).toContainText(t('menu.user'))
  expectCleanConsole(page)
})

test('[I18N-03] another language needs no reload and loses no typed text', async ({ browser }) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'dora', PASSWORD, '/setup/self')
  await page.getByLabel(t('account.nickname')).fill('half typed')
  await page.evaluate(() => Object.assign(window, { same: true }))
  await page.getByLabel(t('shell.language')).selectOption('zh-TW')
  const words = wordsIn('zh-TW')
  await expect(page.getByLabel(words('account.nickname'))).toHaveValue('half typed')
  expect(await page.evaluate(() => 'same' in window)).toBe(true)
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW')
  expectCleanConsole(page)
})

test('[CHAT-01] [CHAT-06] [CHAT-07] [CHAT-04] [CHAT-05] the chat on desktop and phone', async ({ browser }) => {
  const wide = await browserOf(browser, server)
  await storeSession(wide, 'dora', PASSWORD)
  const ann = await browserOf(browser, server, phone)
  await signUp(ann, shareCode(wide), 'annwide')
  await write(ann, 'shall we talk?')
  await wide.goto('/chat')
  await expect(wide).toHaveURL(/\/chat\/messaging$/)
  const list = wide.getByRole('region', { name: t('chat.rooms') })
  await list.getByText('shall we talk?').click()
  await expect(messageLog(wide).getByText('shall we talk?')).toBeVisible()
  const share = async () => {
    const [part, whole] = [await list.boundingBox(), await wide.getByRole('main').boundingBox()]
    return (part?.width ?? 0) / (whole?.width ?? 1)
  }
  await expect.poll(share).toBeCloseTo(0.25, 2)

  const small = await browserOf(browser, server, phone)
  await signIn(small, 'dora', PASSWORD, '/chat/messaging')
  await expect(messageLog(small)).toHaveCount(0)
  await small.getByText('shall we talk?').first().click()
  await expect(messageLog(small)).toBeVisible()
  await expect(small.getByRole('region', { name: t('chat.rooms') })).toHaveCount(0)
  const palette = small.getByRole('dialog', { name: t('palette.title') })
  await small.getByRole('button', { name: t('room.more') }).tap()
  await small.getByRole('menuitem', { name: t('palette.title') }).tap()
  await expect(palette.getByRole('combobox')).toBeFocused()
  await small.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)
  await small.getByRole('link', { name: t('action.back') }).click()
  await expect(small).toHaveURL(/\/chat\/messaging$/)
  await small.getByRole('button', { name: t('palette.title') }).tap()
  await palette.getByRole('combobox').fill(t('contact.title'))
  await small.keyboard.press('Enter')
  await expect(small).toHaveURL(/\/chat\/contact$/)
  await expect(small.getByRole('button', { name: t('palette.title') })).toBeVisible()
  await small.goto('/chat/hide')
  await small.getByRole('button', { name: t('chat.all') }).click()
  await expect(small).toHaveURL(/\/chat\/messaging$/)
  await small.goto('/chat/messaging/99999/1/badcode')
  await expect(small.getByRole('alert')).toHaveText(t('room.not_found'))
  await expect(small).toHaveURL(/\/chat\/messaging$/)

  await list.getByRole('checkbox', { name: t('chat.select', { name: 'annwide' }) }).check()
  await list.getByRole('button', { name: t('chat.hide') }).click()
  await expect(list.getByText('shall we talk?')).toHaveCount(0)
  await wide.goto('/chat/hide')
  await wide.getByText('shall we talk?').first().click()
  await expect(wide).toHaveURL(/\/chat\/messaging\/\d+\/\d+/)
  for (const page of [wide, small, ann]) expectCleanConsole(page)
})

test('[ROOM-04] a room opens at its end and loads older messages only when scrolled up', async ({ browser }) => {
  const dora = await browserOf(browser, server)
  await storeSession(dora, 'dora', PASSWORD)
  const members = [await memberOf(server.url, shareCode(dora), 'longtalk')]
  members.push(await memberOf(server.url, shareCode(dora), 'shorttalk'))
  for (const [at, count] of [75, 3].entries()) {
    const code = (await members[at]?.call('room/list', {}))?.data[0]?.code ?? ''
    for (let n = 1; n <= count; n++)
      await members[at]?.call('sendMessage', { code, type: MessageType.text, content: `line ${n}.` })
  }
  const older: string[] = []
  dora.on('request', (request) => request.url().endsWith('/api/room/history') && older.push(request.url()))
  await dora.goto('/chat/messaging')
  const room = (name: string) => dora.getByRole('region', { name: t('chat.rooms') }).getByRole('link', { name })
  const beginning = messageLog(dora).getByText(t('room.beginning'))
  /** Long enough for an unwanted call to start. */
  const frames = () =>
    dora.evaluate(async () => {
      for (let n = 0; n < 30; n++) await new Promise(requestAnimationFrame)
    })
  for (let n = 0; n < 3; n++) {
    await room('longtalk').click()
    await expect(messageLog(dora).getByText('line 75.')).toBeInViewport()
    await frames()
    await expect(messageLog(dora).getByText('line 75.')).toBeInViewport()
    expect(older).toEqual([])
    await room('shorttalk').click()
    await expect(messageLog(dora).getByText('line 1.')).toBeInViewport()
    await expect(beginning).toBeVisible()
  }
  await room('longtalk').click()
  await expect(messageLog(dora).getByText('line 75.')).toBeInViewport()
  await messageLog(dora).hover()
  await expect(async () => {
    await dora.mouse.wheel(0, -2000)
    await expect(beginning).toBeInViewport({ timeout: 100 })
  }).toPass()
  expect(older.length).toBeGreaterThan(0)
  expectCleanConsole(dora)
})

test('[ROOM-04] [ROOM-05] [ROOM-06] [ROOM-07] older messages load; photos zoom; the composer', async ({ browser }) => {
  const dora = await browserOf(browser, server)
  await storeSession(dora, 'dora', PASSWORD)
  const member = await memberOf(server.url, shareCode(dora), 'bobroom')
  const { code = '' } = (await member.call('room/list', {})).data[0] ?? {}
  for (let n = 1; n <= 45; n++)
    await member.call('sendMessage', { code, type: MessageType.text, content: `line ${n} of many` })
  const bob = await browserOf(browser, server)
  await signInMember(bob, 'bobroom')
  await expect(messageLog(bob).getByText('line 45 of many')).toBeVisible()
  await dora.goto('/chat/messaging')
  await dora
    .getByText(/line 45 of many/)
    .first()
    .click()
  await expect(messageLog(dora).getByText('line 45 of many')).toBeInViewport()
  await messageLog(dora).hover()
  await dora.mouse.wheel(0, -5000)
  await expect(messageLog(dora).getByText('line 12 of many')).toBeAttached()

  const composer = dora.getByLabel(t('message.write'))
  await composer.fill('   ')
  await composer.press('Enter')
  await composer.fill('one')
  await composer.press('Shift+Enter')
  await composer.pressSequentially('two')
  await composer.press('Enter')
  await expect(messageLog(bob).getByText(/one\s*two/)).toBeVisible()

  const choose = async (name: string, mimeType: string, buffer: Buffer) => {
    await dora.locator('input[type=file]').first().setInputFiles({ name, mimeType, buffer })
  }
  await choose('notes.jpg', 'image/jpeg', Buffer.from('only text'))
  await expect(dora.getByText(t('message.not_an_image'))).toBeVisible()
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await choose('dot.png', 'image/png', Buffer.from(dot, 'base64'))
  await bob.getByRole('button', { name: t('message.enlarge') }).click()
  await expect(bob.getByRole('dialog').getByRole('img')).toBeVisible()
  await bob.keyboard.press('Escape')
  await expect(bob.getByRole('dialog')).toHaveCount(0)
})

test('[TRF-05] [ENV-02] [ENV-10] [TRF-01] [TRF-02] which input the fields of a transfer accept', async ({
  browser,
}) => {
  const dora = await browserOf(browser, server)
  await storeSession(dora, 'dora', PASSWORD)
  const cleo = await memberOf(server.url, shareCode(dora), 'cleofld')
  await dora.goto('/user')
  const row = dora.getByRole('row').filter({ hasText: 'cleofld' })
  await row.getByRole('button', { name: t('action.transaction') }).click()
  const amount = dialog(dora).getByLabel(t('transfer.amount'))
  const remark = dialog(dora).getByLabel(t('transfer.remark'))
  await amount.pressSequentially('12.34567')
  await expect(dialog(dora).getByText(t('amount.too_exact'))).toBeVisible()
  await dialog(dora)
    .getByRole('button', { name: t('action.next') })
    .click()
  await expect(dialog(dora).getByText(t('transfer.remark_needed'))).toBeVisible()
  await remark.fill('x'.repeat(60))
  await expect(remark).toHaveValue('x'.repeat(50))
  await transferInDialog(dora, '20', 'there')
  await confirmDone(dora)
  await row.getByRole('button', { name: t('action.transaction') }).click()
  await dialog(dora).getByLabel(t('transfer.amount')).pressSequentially('-')
  await transferInDialog(dora, '5.5', 'and back')
  await confirmDone(dora)
  await row.getByRole('button', { name: t('action.transaction') }).press('d')
  await dialog(dora).getByLabel(t('transfer.amount')).pressSequentially('1e3')
  await expect(dialog(dora).getByText(t('amount.not_one'))).toBeVisible()
  await dora.keyboard.press('Escape')

  const { code = '' } = (await cleo.call('room/list', {})).data[0] ?? {}
  await cleo.call('sendMessage', { code, type: MessageType.text, content: 'points?' })
  await dora.goto('/chat/messaging')
  await dora.getByText('points?').first().click()
  await dora.getByRole('button', { name: t('room.points') }).click()
  await dialog(dora)
    .getByRole('link', { name: t('room.history') })
    .click()
  await expect(dora).toHaveURL(/\/transaction\/list\/cleofld$/)
  await expect(dora.getByRole('row').filter({ hasText: 'cleofld' })).toHaveCount(2)
  expectCleanConsole(dora)
})

test('[SHELL-06] [I18N-01] in Thai on a phone nothing of recovery, passkeys and factors is cut off', async ({
  browser,
}) => {
  const th = wordsIn('th')
  const page = await browserOf(browser, server, phone)
  await page.addInitScript(() => localStorage.setItem('locale', 'th'))
  const found: string[] = []
  const look = async (where: string) => found.push(...(await overflows(page)).map((fault) => `${where}: ${fault}`))
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

  await memberOf(
    server.url,
    (await (await clientOf(server.url, 'dora', PASSWORD)).call('user/view', {})).share_code,
    'thaiphone',
  )
  await page.goto('/m')
  await press(th('recover.title'))
  await look('member, forgotten')
  await page.getByLabel(th('recover.username')).fill('thaiphone')
  await press(th('recover.send'))
  await expect(page.getByLabel(th('recover.code'))).toBeFocused()
  await look('member, code')
  await press(th('action.back'))
  await press(th('action.back'))
  await page.getByLabel(th('member.username')).fill('thaiphone')
  await page.getByLabel(th('member.password'), { exact: true }).fill(PASSWORD)
  await press(th('member.sign_in'))
  await press(th('member.menu'))
  await expect(page.getByText(th('member.devices', { n: 2 }))).toBeVisible()
  await look('menu')
  for (const title of ['passkey.title', 'recover.own_title', 'sessions.title'] as const) {
    await page.getByRole('button', { name: new RegExp(`^${th(title)}`) }).click()
    await expect(page.getByText(th('chat.loading'))).toHaveCount(0)
    await look(title)
    await press(th('action.back'))
  }

  await page.goto('/login')
  await press(th('recover.title'))
  await look('office, forgotten')
  await signIn(page, 'dora', PASSWORD, '/setup/self')
  await page.getByRole('button', { name: th('security.set_up_authenticator') }).click()
  await page.getByRole('dialog').getByLabel(th('payment.login_password')).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel(th('security.shown_code'))).toBeVisible()
  await look('authenticator')
  expect(found).toEqual([])
  expectCleanConsole(page)
})
