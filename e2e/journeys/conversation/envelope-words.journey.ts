import { TransferKind } from '@tallyroom/contract/codes'
import { expect, test } from '@playwright/test'
import { signIn as clientOf, signUp as memberOf } from '../../support/client.ts'
import { addAccount } from '../../support/add-account.ts'
import {
  account,
  browserOf,
  dialog,
  PASSWORD,
  expectCleanConsole,
  shareCode,
  signIn,
  t,
  messageLog,
} from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora', { credit: '500' })
})
test.afterAll(() => server.remove())

test('[ENV-08] [SHELL-09] the transaction list and the user menu use the texts of the specification', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'dora', PASSWORD)
  await page.getByRole('button', { name: t('shell.user_menu', { name: 'dora' }) }).click()
  await page.getByRole('menuitem', { name: 'Settings', exact: true }).click()
  await expect(page).toHaveURL(/\/setup\/self$/)

  const member = await memberOf(server.url, shareCode(page), 'ann88')
  await account(server, 'withdraw-confirm', 'ann88', 'on')
  const dora = await clientOf(server.url, 'dora', PASSWORD)
  const [room] = (await dora.call('room/list', {})).data
  const sendEnvelope = (amount: string) =>
    dora.call('transaction/add', {
      member_id: room?.member_id ?? 0,
      type: TransferKind.send,
      amount,
      remark: `of ${amount}`,
    })
  const { transaction_id } = await sendEnvelope('3')
  await sendEnvelope('4')
  await page.goto(`/chat/messaging/${room?.room_id}/${room?.member_id}`)
  await expect(messageLog(page).getByText('Waiting for user consent')).toHaveCount(2)

  await member.call('envelope/answer', { transaction_id, accept: true })
  await page.goto('/transaction/list?type=2')
  const line = (text: string) => page.getByRole('row').filter({ hasText: text })
  for (const [remark, word, progress] of [
    ['of 3', 'Received', 'Finished'],
    ['of 4', 'Waiting for user consent', 'Unfinished'],
  ] as const) {
    await expect(line(remark)).toContainText(word)
    await line(remark)
      .getByRole('button', { name: t('history.details') })
      .click()
    await expect(dialog(page).getByText(progress, { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
  }
  expectCleanConsole(page)
})
