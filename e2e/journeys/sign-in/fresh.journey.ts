/// <reference lib="dom" />
import { expect, type Page, test } from '@playwright/test'
import {
  browserOf,
  dialog,
  storeSession,
  PASSWORD,
  expectCleanConsole,
  readQuestion,
  signInByForm,
  t,
} from '../../support/people.ts'
import { openPointsDialog, openRoom, type People, addPointsAccounts } from '../../support/points.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

let server: Server
let people: People
test.beforeAll(async () => {
  server = await startJourneyServer()
  people = await addPointsAccounts(server)
})
test.afterAll(() => server.remove())

test('[ENV-06] the points dialog says that points will wait for consent, also when the funding account requires it', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  await storeSession(page, 'help1', PASSWORD)
  await openRoom(page, server, 'help1', people.ids.ben77)
  const consent = dialog(page).getByText(/^ben77 must accept by /)
  await openPointsDialog(page, 'room.points_send')
  await expect(dialog(page).getByLabel(t('transfer.amount'))).toBeFocused()
  await expect(consent).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)

  // The room stays open; the dialog asks the server each time it opens.
  await people.admin.call('user/edit', { id: people.ids.dora, withdraw_confirm: 1 })
  await openPointsDialog(page, 'room.points_send')
  await expect(consent).toBeVisible()
  await dialog(page).getByLabel(t('transfer.amount')).fill('5')
  await dialog(page)
    .getByRole('button', { name: t('action.next') })
    .click()
  await expect(dialog(page).getByText(t('points.answer_by', { name: 'ben77' }), { exact: true })).toBeVisible()
  await readQuestion(page)
  await dialog(page)
    .getByRole('button', { name: t('room.points_send') })
    .click()
  await expect(dialog(page).getByText(t('transfer.offered'))).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)

  await people.admin.call('user/edit', { id: people.ids.dora, withdraw_confirm: 0 })
  await openPointsDialog(page, 'room.points_send')
  await expect(consent).toHaveCount(0)
  expectCleanConsole(page)
})

/** The page’s localStorage. */
const stored = (page: Page) =>
  page.evaluate((): Record<string, string> => Object.fromEntries(Object.entries(localStorage)))

test('[AUTH-04] a sign-in stores every value of the session, and each is updated at once when it changes', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  await signInByForm(page, 'dora', PASSWORD)
  const id = people.ids.dora
  const flags = [
    'customized_has_qrcode_show',
    'deduct_point_button_visible',
    'red_envelope_button_visible',
    'send_red_envelope_button_visible',
    'receive_red_envelope_button_visible',
    'gift_red_envelope_button_visible',
    'point_button_visible',
    'cs_flow_limit_button_visible',
    'chat_ai_bot_visible',
  ] as const
  const rest = { user_id: String(id), role_id: '2', user_member_id: String(id), agent_login: '0' }
  const before = await stored(page)

  await test.step('after the sign-in', async () => {
    expect(before).toMatchObject({
      ...rest,
      user_token: expect.stringMatching(/.{20,}/),
      user_nickname: 'dora',
      user_avatar: '',
      share_code: expect.stringMatching(/^\w+$/),
      share_domain: '',
      EventMode: '0',
      transaction_all: '0',
    })
    for (const flag of flags) expect(before[flag], flag).toMatch(/^[01]$/)
  })

  const other = await page.context().newPage()
  await other.goto('/chat/messaging')
  const rail = other.locator('.chat-rail .avatar')
  await expect(rail).toHaveText('D')

  await test.step('an upline inverts every flag', async () => {
    const inverted = Object.fromEntries(flags.map((flag) => [flag, before[flag] === '1' ? 0 : 1]))
    await people.admin.call('user/saveAbilities', { id, ...inverted, event_mode: 1, transaction_all: 1 })
    const wanted = Object.fromEntries(Object.entries(inverted).map(([flag, value]) => [flag, String(value)]))
    await expect.poll(() => stored(page)).toMatchObject({ ...rest, ...wanted, EventMode: '1', transaction_all: '1' })
  })

  await test.step('own picture, name and share domain, also in the chat menu of another open tab', async () => {
    await page.goto('/setup/self')
    await page.locator('input[type=file]').first().setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: DOT })
    await page.getByLabel(t('account.nickname')).fill('Queen')
    const profile = page.locator('form', { has: page.getByRole('heading', { name: t('account.profile') }) })
    await profile.getByRole('button', { name: t('action.save') }).click()
    await expect.poll(async () => (await stored(page)).user_avatar).toMatch(/^\/media\//)
    expect(await stored(page)).toMatchObject({ user_nickname: 'Queen' })
    await expect(rail).toHaveAttribute('src', (await stored(page)).user_avatar ?? '')
    await page.getByLabel(t('share.domain')).fill('https://talk.example')
    await page
      .locator('form', { has: page.getByLabel(t('share.domain')) })
      .getByRole('button', { name: t('action.save') })
      .click()
    await expect.poll(async () => (await stored(page)).share_domain).toContain('talk.example')
  })

  await test.step('a change made while the page was closed is there when it opens again', async () => {
    await other.close()
    await page.goto('about:blank')
    await people.admin.call('user/edit', { id, nickname: 'Dora D' })
    await page.goto('/index')
    await expect.poll(async () => (await stored(page)).user_nickname).toBe('Dora D')
  })
  expectCleanConsole(page)
})
