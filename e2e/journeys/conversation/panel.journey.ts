/// <reference lib="dom" />
import { TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { expect, test } from '@playwright/test'
import { expectAccessible } from '../../support/page/axe.ts'
import { makeClient, signIn as clientOf } from '../../support/client.ts'
import {
  browserOf,
  confirmDone,
  storeSession,
  transferInDialog,
  PASSWORD,
  phone,
  expectCleanConsole,
  t,
  messageLog,
} from '../../support/people.ts'
import { openPointsDialog, openRoom, type People, addPointsAccounts } from '../../support/points.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let people: People
test.beforeAll(async () => {
  server = await startJourneyServer()
  people = await addPointsAccounts(server)
})
test.afterAll(() => server.remove())

test('the panel beside a member’s room shows changes of points at once, and is a sheet on a phone', async ({
  browser,
}) => {
  const help1 = await clientOf(server.url, 'help1', PASSWORD)
  const { data: rooms } = await help1.call('room/list', {})
  const room = rooms.find(({ member_id }) => member_id === people.ids.ann88)
  await help1.call('note/add', { room_id: room?.room_id ?? 0, title: 'Calls at night' })
  await people.admin.call('user/saveAbilities', { id: people.ids.help1, cs_flow_limit_button_visible: 1 })

  const help = await browserOf(browser, server)
  await storeSession(help, 'help1', PASSWORD)
  await openRoom(help, server, 'help1', people.ids.ann88)
  const panel = help.getByRole('complementary', { name: t('panel.title') })
  const part = (key: Parameters<typeof t>[0]) => panel.getByRole('region', { name: t(key), exact: true })

  await test.step('what is known about the member, and empty sections', async () => {
    await expect(part('panel.wallets')).toContainText(`${t('wallet.main')}0.00${t('wallet.game')}0.00`)
    await expect(panel.getByRole('heading', { name: 'ann88' })).toBeVisible()
    await expect(part('panel.now')).toContainText(t('panel.nothing_open'))
    await expect(part('panel.transfers')).toContainText(t('panel.no_transfers'))
    await expect(part('panel.wallets')).toContainText(`${t('flow.title')}${t('panel.turnover_met')}`)
    await expect(part('panel.open_turnover')).toHaveCount(0)
    await expect(part('search.notes').getByRole('link', { name: 'Calls at night' })).toBeVisible()
    await expect(panel.getByText(t('panel.since'))).toBeVisible()
  })

  await test.step('points sent in the room update it at once; an envelope is listed until it is answered', async () => {
    await openPointsDialog(help, 'room.points_send')
    await transferInDialog(help, '100', 'main send')
    await confirmDone(help)
    await expect(part('panel.wallets')).toContainText(`${t('wallet.main')}100.00`)
    await expect(part('panel.transfers').getByRole('listitem')).toContainText([`${t('cash.in')}+100.00`])
    // Points sent by a colleague arrive as an event only.
    const dora = await clientOf(server.url, 'dora', PASSWORD)
    await dora.call('transaction/add', {
      member_id: people.ids.ann88,
      type: TransferKind.gift,
      platform: WalletKind.game,
      amount: '5',
      audit_amount: '20',
    })
    await expect(messageLog(help).getByText('5.00')).toBeVisible()
    await expect(part('panel.wallets')).toContainText(`${t('wallet.main')}100.00${t('wallet.game')}5.00`)
    await expect(part('panel.wallets')).toContainText(`${t('flow.title')}5.00`)
    await expect(part('panel.open_turnover').getByRole('listitem')).toContainText('0.00 / 5.00')
    await expect(part('panel.transfers').getByRole('listitem')).toHaveCount(2)
    await people.admin.call('user/edit', { id: people.ids.ann88, withdraw_confirm: 1 })
    const { transaction_id } = await dora.call('transaction/add', {
      member_id: people.ids.ann88,
      type: TransferKind.send,
      amount: '7',
    })
    await expect(part('panel.now').getByRole('listitem')).toContainText('7.00')
    await expectAccessible(help)
    const ann = makeClient(server.url)
    ann.token = (await ann.call('login', { username: 'ann88', password: PASSWORD, face: 'member' })).token
    await ann.call('envelope/answer', { transaction_id, accept: true })
    await expect(part('panel.now')).toContainText(t('panel.nothing_open'))
    await expect(part('panel.wallets')).toContainText(`${t('wallet.main')}107.00`)
    // Transfers outside the room: by an upline from a list, and by the member.
    await people.admin.call('user/transaction', { id: people.ids.ann88, amount: '13', remark: 'from above' })
    await expect(part('panel.wallets')).toContainText(`${t('wallet.main')}120.00`)
    await ann.call('wallet/toGame', { amount: '20' })
    await expect(part('panel.wallets')).toContainText(`${t('wallet.main')}100.00${t('wallet.game')}25.00`)
  })

  await test.step('hidden, it stays hidden until it is shown again', async () => {
    await help.getByRole('button', { name: t('panel.hide') }).click()
    await expect(panel).toHaveCount(0)
    await help.reload()
    await expect(help.getByRole('button', { name: t('panel.show') })).toBeVisible()
    await expect(panel).toHaveCount(0)
    await help.getByRole('button', { name: t('panel.show') }).click()
    await part('panel.transfers')
      .getByRole('link', { name: t('panel.all') })
      .click()
    await expect(help).toHaveURL(/\/transaction\/list\/ann88$/)
  })

  await test.step('on a phone it is a sheet that returns the focus', async () => {
    const small = await browserOf(browser, server, phone)
    await storeSession(small, 'help1', PASSWORD)
    await openRoom(small, server, 'help1', people.ids.ann88)
    const show = small.getByRole('button', { name: t('panel.show') })
    const sheet = small.getByRole('dialog', { name: t('panel.title') })
    await show.focus()
    await small.keyboard.press('Enter')
    await expect(sheet).toContainText(`${t('wallet.main')}100.00`)
    await expectAccessible(small)
    await small.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
    await expect(show).toBeFocused()
    await show.tap()
    await sheet.getByRole('button', { name: t('action.close') }).tap()
    await expect(sheet).toHaveCount(0)
    await expect(show).toBeFocused()
    expect(await small.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390)
    expectCleanConsole(small)
  })
  expectCleanConsole(help)
})
