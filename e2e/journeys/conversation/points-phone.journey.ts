/// <reference lib="dom" />
import { TransferKind } from '@tallyroom/contract/codes'
import { coveredBy } from '../../support/page/covered-by.ts'
import { expect, type Page, test } from '@playwright/test'
import { signIn as clientOf } from '../../support/client.ts'
import {
  account,
  browserOf,
  closeByBack,
  closedInHistory,
  signInMember,
  confirmDone,
  dialog,
  transferInDialog,
  PASSWORD,
  phone,
  expectCleanConsole,
  t,
  messageLog,
  storeSession,
} from '../../support/people.ts'
import { gameWallet, openPointsDialog, openRoom, type People, addPointsAccounts } from '../../support/points.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let people: People
test.beforeAll(async () => {
  server = await startJourneyServer()
  people = await addPointsAccounts(server)
})
test.afterAll(() => server.remove())

const overflows = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

test('[CONV-14] [ENV-03] [ENV-06] [TRF-02] [TRF-03] [TRF-04] one wallet, consent and the lists, on phones', async ({
  browser,
}) => {
  await people.admin.call('user/saveAbilities', {
    id: people.ids.dora,
    flow_limit_modify_permission: 0,
    transfer_member_flow_limit_multiple: 3,
  })
  for (const type of [TransferKind.send, TransferKind.receive] as const)
    await people.admin.call('user/transaction', { id: people.ids.ann88, amount: '10', remark: 'to begin with', type })
  await account(server, 'withdraw-confirm', 'ben77', 'on')
  const dora = await browserOf(browser, server, phone)
  const ben = await browserOf(browser, server, phone)
  await storeSession(dora, 'dora', PASSWORD)
  await signInMember(ben, 'ben77')
  await openRoom(dora, server, 'dora', people.ids.ben77)

  await test.step('turnover is calculated and locked', async () => {
    await openPointsDialog(dora, 'room.points_send')
    await dialog(dora).getByLabel(t('transfer.amount')).fill('10.1')
    await expect(dialog(dora).getByLabel(t('room.turnover'))).toHaveValue('30.3')
    await expect(dialog(dora).getByLabel(t('room.turnover'))).toBeDisabled()
    await expect(gameWallet(dora)).toHaveCount(0)
    expect(await overflows(dora)).toBeLessThanOrEqual(0)
    await transferInDialog(dora, '10.1', 'with consent')
    await confirmDone(dora)
    await ben.getByRole('button', { name: t('points.accept') }).click()
    await expect(messageLog(dora).getByText(t('status.success'))).toBeVisible()
  })

  await test.step('a handover is announced above a message of five lines', async () => {
    await dora.getByLabel(t('message.write')).fill('one\ntwo\nthree\nfour\nfive')
    const help1 = await clientOf(server.url, 'help1', PASSWORD)
    const code = new URL(dora.url()).pathname.split('/')[5] ?? ''
    await help1.call('desk/take', { code, from: people.ids.dora })
    await help1.call('desk/handOver', { code, to: people.ids.dora })
    const snackbar = dora.locator('.snackbar')
    await expect(snackbar).toBeVisible()
    const [told, composer] = await Promise.all([snackbar.boundingBox(), dora.locator('.c-composer').boundingBox()])
    expect((told?.y ?? 1000) + (told?.height ?? 0)).toBeLessThanOrEqual(composer?.y ?? 0)
    expect(await snackbar.evaluate(coveredBy)).toEqual([])
    await dora.getByLabel(t('message.write')).fill('')
  })

  await test.step('turnover that is due is said before an amount is typed', async () => {
    await openPointsDialog(dora, 'room.points_receive')
    await expect(dialog(dora).getByText(t('points.cannot_take', { name: 'ben77' }))).toBeVisible()
    await expect(dialog(dora).getByLabel(t('transfer.amount'))).not.toBeEditable()
    await expect(dialog(dora).getByRole('button', { name: t('action.next') })).toBeDisabled()
    await dora.keyboard.press('Escape')
    // Its entry of the history goes a moment after it, and would abort the loading of another address.
    await dora.waitForFunction(() => !(history.state as { isOverlay?: boolean } | null)?.isOverlay)
  })

  await test.step('the list changes both wallets, with the signs that each accepts', async () => {
    await dora.goto('/user')
    const open = async () => {
      await dora.getByRole('button', { name: /ann88/ }).click()
      await dialog(dora)
        .getByRole('button', { name: t('action.transaction') })
        .click()
      await expect(dialog(dora).getByLabel(t('transfer.amount'))).toBeVisible()
    }
    const choose = (kind: Parameters<typeof t>[0]) =>
      dialog(dora)
        .getByRole('radio', { name: t(kind), exact: true })
        .check()
    await open()
    await choose('room.points_receive')
    await transferInDialog(dora, '1', 'washed out')
    await confirmDone(dora)
    await open()
    await choose('points.kind_game_out')
    await transferInDialog(dora, '0.5', 'off the game')
    await confirmDone(dora)
    await people.admin.call('user/saveAbilities', { id: people.ids.dora, deduct_point_button_visible: 0 })
    await dora.reload()
    await open()
    await choose('points.kind_game_in')
    await expect(dialog(dora).getByText(t('transfer.game_wallet_tip'))).toBeVisible()
    await dialog(dora).getByLabel(t('transfer.amount')).pressSequentially('-1')
    await expect(dialog(dora).getByRole('alert')).toHaveText(t('amount.no_minus'))
    expect(await overflows(dora)).toBeLessThanOrEqual(0)
  })
  for (const page of [dora, ben]) expectCleanConsole(page)
})

test('[SELF-01] [CASH-01] “back” closes what is open on the member’s page, and else leaves the page', async ({
  browser,
}) => {
  const ann = await browserOf(browser, server, phone)
  await signInMember(ann, 'ann88')
  const open = async (word: 'member.balance' | 'member.menu') => {
    await ann.getByRole('button', { name: t(word) }).click()
    await expect(dialog(ann)).toBeVisible()
  }
  const isClosed = () => expect(dialog(ann)).toHaveCount(0)
  const text = ann.getByLabel(t('message.write'))
  await text.fill('half a sentence')
  await open('member.balance')
  await closeByBack(ann)
  await isClosed()
  await expect(text).toHaveValue('half a sentence')
  // Closed by a key: its entry goes with it.
  await open('member.menu')
  await ann.keyboard.press('Escape')
  await isClosed()
  await closedInHistory(ann)
  await open('member.balance')
  await closeByBack(ann)
  await isClosed()
  await ann.goBack()
  await expect(ann).not.toHaveURL(/\/m$/)
  expectCleanConsole(ann)
})
