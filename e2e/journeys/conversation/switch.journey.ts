import { mkdtemp, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageType } from '@tallyroom/contract/codes'
import { expect, test } from '@playwright/test'
import { type Client, signIn as clientOf, signUp as memberOf } from '../../support/client.ts'
import { addAccount } from '../../support/add-account.ts'
import {
  browserOf,
  dialog,
  transferInDialog,
  PASSWORD,
  expectCleanConsole,
  signIn,
  t,
  messageLog,
  write,
} from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora', { credit: '100' })
})
test.afterAll(() => server.remove())

test('[ROOM-05] [ROOM-06] [ROOM-07] switching rooms in the middle of an action: its result is in the room where it began', async ({
  browser,
}) => {
  await addAccount(server, 'cs', 'casey', { under: 'dora' })
  const client = await clientOf(server.url, 'casey', PASSWORD)
  const { share_code } = await (await clientOf(server.url, 'dora', PASSWORD)).call('user/view', {})
  await client.call('message-template/create', {
    title: 'Steps',
    content: 'Please follow the picture.',
    image: `data:image/png;base64,${DOT}`,
  })
  const [anna, bert] = [
    await memberOf(server.url, share_code, 'switcha'),
    await memberOf(server.url, share_code, 'switchb'),
  ]
  const codeOf = async (member: Client) => (await member.call('room/list', {})).data[0]?.code ?? ''
  const sentTo = async (member: Client) =>
    (await member.call('room/history', { code: await codeOf(member), per_page: 100 })).messages.flatMap((message) =>
      message.is_self ? [] : [message.type === MessageType.text ? message.content : message.type],
    )
  for (const member of [anna, bert])
    await member.call('sendMessage', { code: await codeOf(member), type: MessageType.text, content: 'hello' })
  // The script that resizes photos loads late.
  const casey = await browserOf(browser, server, { serviceWorkers: 'block' })
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  await casey.route(/\/resize[^/]*\.js$/, async (route) => {
    await arrived
    await route.continue()
  })
  await signIn(casey, 'casey', PASSWORD, '/chat/messaging')
  const list = casey.getByRole('region', { name: t('chat.rooms') })
  const go = async (name: string) => {
    await list.getByRole('listitem').filter({ hasText: name }).getByRole('link').click()
    await expect(casey.getByRole('log', { name: t('room.messages', { name }) })).toBeVisible()
  }
  const box = casey.getByLabel(t('message.write'))
  const photo = (name: string, buffer: Buffer) =>
    casey.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'image/jpeg', buffer })

  await test.step('a file that turns out not to be an image after switching: the error is in its room only', async () => {
    await go('switcha')
    await photo('notes.jpg', Buffer.from('only text'))
    await expect(casey.getByText(t('message.preparing'))).toBeVisible()
    await go('switchb')
    await expect(casey.getByText(t('message.preparing'))).toHaveCount(0)
    arrive()
    await go('switcha')
    await expect(casey.getByText(t('message.not_an_image'))).toBeVisible()
    await go('switchb')
    await expect(casey.getByText(t('message.not_an_image'))).toHaveCount(0)
  })

  await test.step('while a 40 MB photo uploads over a slow connection, a message in another room overtakes it', async () => {
    let goOn = () => {}
    const released = new Promise<void>((resolve) => (goOn = resolve))
    await casey.route('**/api/sendMessage', async (route) => {
      if ((route.request().postDataBuffer()?.length ?? 0) > 1000) await released
      await route.continue()
    })
    await go('switcha')
    const path = join(await mkdtemp(join(tmpdir(), 'tallyroom-large-')), 'large.jpg')
    await writeFile(path, Buffer.from(DOT, 'base64'))
    await truncate(path, 40_000_000)
    await casey.locator('input[type=file]').first().setInputFiles(path)
    await expect(messageLog(casey).getByRole('img')).toHaveCount(1)
    await go('switchb')
    await expect(messageLog(casey).getByRole('img')).toHaveCount(0)
    await write(casey, 'only for bert')
    await expect.poll(() => sentTo(bert)).toEqual(['only for bert'])
    expect(await sentTo(anna)).toEqual([])
    goOn()
    await expect.poll(() => sentTo(anna)).toEqual([2])
    await casey.unroute('**/api/sendMessage')
  })

  /** “Back” closes the dialog first: this is the room before in the browser’s list of pages. */
  const leaveRoom = () => casey.evaluate(() => window.history.go(-2))
  await test.step('a points dialog closes on switching; a transfer already sent arrives in its room', async () => {
    await go('switchb')
    await go('switcha')
    await casey.getByRole('button', { name: t('room.points') }).click()
    await dialog(casey).getByLabel(t('transfer.amount')).fill('7')
    await dialog(casey).getByLabel(t('transfer.remark')).fill('not sent')
    await leaveRoom()
    await expect(dialog(casey)).toHaveCount(0)
    await casey.getByRole('button', { name: t('room.points') }).click()
    await expect(dialog(casey)).toContainText('switchb')
    await expect(dialog(casey).getByLabel(t('transfer.amount'))).toHaveValue('')
    await casey.keyboard.press('Escape')
    let goOn = () => {}
    const released = new Promise<void>((resolve) => (goOn = resolve))
    await casey.route('**/api/transaction/add', async (route) => {
      await released
      await route.continue()
    })
    await go('switcha')
    await casey.getByRole('button', { name: t('room.points') }).click()
    const asked = casey.waitForRequest('**/api/transaction/add')
    await transferInDialog(casey, '5', 'for anna')
    await asked
    await leaveRoom()
    await expect(casey.getByRole('log', { name: t('room.messages', { name: 'switchb' }) })).toBeVisible()
    goOn()
    await expect.poll(() => sentTo(anna)).toEqual([2, 3])
    expect(await sentTo(bert)).toEqual(['only for bert'])
  })

  await test.step('a quick reply with its photo and a draft wait in their room', async () => {
    await go('switcha')
    await box.fill('Dear Anna,')
    await casey.getByRole('button', { name: t('template.quick_replies') }).click()
    await casey.getByRole('option').first().click()
    await expect(casey.getByText(t('template.photo_after'))).toBeVisible()
    await casey.getByRole('button', { name: t('template.quick_replies') }).click()
    await go('switchb')
    await expect(casey.getByRole('option')).toHaveCount(0)
    await expect(casey.getByText(t('template.photo_after'))).toHaveCount(0)
    await expect(box).toHaveValue('')
    await write(casey, 'again for bert')
    await go('switcha')
    await expect(box).toHaveValue('Dear Anna, Please follow the picture.')
    await box.press('Enter')
    await expect.poll(() => sentTo(anna)).toEqual([2, 3, 'Dear Anna, Please follow the picture.', 2])
    expect(await sentTo(bert)).toEqual(['only for bert', 'again for bert'])
    expect((await client.call('draft/list', {})).data.filter(({ content }) => content)).toEqual([])
  })
  expectCleanConsole(casey)
})
