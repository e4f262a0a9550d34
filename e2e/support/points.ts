/// <reference lib="dom" />
import { expect, type Page } from '@playwright/test'
import { type Client, signIn as clientOf, signUp as memberOf } from './client.ts'
import { addAccount } from './add-account.ts'
import { dialog, PASSWORD, t } from './people.ts'
import type { Server } from './server.ts'

export type People = { admin: Client; ids: Record<'dora' | 'help1' | 'ann88' | 'ben77', number> }

/** Below admin the agent dora with 1,000 points; below her help1 of customer service, ann88 with two wallets, ben77 with one. */
export const addPointsAccounts = async (server: Server): Promise<People> => {
  await addAccount(server, 'agent', 'dora')
  await addAccount(server, 'cs', 'help1', { under: 'dora' })
  const admin = await clientOf(server.url, 'admin', server.password)
  const dora = await clientOf(server.url, 'dora', PASSWORD)
  const help1 = await clientOf(server.url, 'help1', PASSWORD)
  const { id, share_code } = await dora.call('user/view', {})
  const ids = {
    dora: id,
    help1: (await help1.call('user/view', {})).id,
    ann88: (await memberOf(server.url, share_code, 'ann88')).id,
    ben77: (await memberOf(server.url, share_code, 'ben77')).id,
  }
  await admin.call('user/transaction', { id, amount: '1000', remark: 'opening' })
  const may = { deduct_point_button_visible: 1, flow_limit_modify_permission: 1 } as const
  for (const name of ['dora', 'help1'] as const) await admin.call('user/saveAbilities', { id: ids[name], ...may })
  await admin.call('user/saveAbilities', { id: ids.ann88, is_multiple_wallet: 1, transaction_all: 1 })
  return { admin, ids }
}

/** Opens a member's room in the back office of an account of its group. */
export const openRoom = async (page: Page, server: Server, as: string, member: number) => {
  const { data } = await (await clientOf(server.url, as, PASSWORD)).call('room/list', {})
  const room = data.find(({ member_id }) => member_id === member)
  await page.goto(`/chat/messaging/${room?.room_id}/${room?.member_id}/${room?.code}`)
  await expect(page.getByRole('button', { name: t('room.points') })).toBeEnabled()
}

/** Opens the points dialog of the open room with a kind selected. */
export const openPointsDialog = async (page: Page, kind: Parameters<typeof t>[0]) => {
  await page.getByRole('button', { name: t('room.points') }).click()
  await dialog(page)
    .getByRole('radio', { name: t(kind), exact: true })
    .check()
}
export const gameWallet = (page: Page) => dialog(page).getByRole('radio', { name: t('wallet.game'), exact: true })
