/// <reference lib="dom" />
import { expect, type Page, test } from '@playwright/test'
import { findChromium, launchWith } from '../../support/page/browser.ts'
import { addAccount } from '../../support/add-account.ts'
import { type Client, signIn as clientOf } from '../../support/client.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import { browserOf, expectCleanConsole, messageLog, PASSWORD, phone, signUp, t, write } from '../../support/people.ts'
import { signedIn } from '../../support/signed-in.ts'
import type { Server } from '../../support/server.ts'
import { makePdf } from '../../../server/src/testing/files.ts'

const launch = launchWith(await findChromium())
// A microphone that beeps, and the question answered.
const media = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
test.use({ launchOptions: { ...launch, args: [...(launch.args ?? []), ...media] } })

let server: Server
let dora: Client
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  dora = await clientOf(server.url, 'dora', PASSWORD)
})
test.afterAll(() => server.remove())

const record = async (page: Page) => {
  await page.getByRole('button', { name: t('message.record') }).click()
  await expect(page.getByRole('timer')).toHaveText(/0:0[1-9]/)
  await page.getByRole('button', { name: t('message.send_voice') }).click()
}

const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** How many files the browser keeps for the next page. */
const keptFiles = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opened = indexedDB.open('files', 1)
        opened.onerror = () => reject(opened.error ?? new Error('IndexedDB'))
        opened.onsuccess = () => {
          const counted = opened.result.transaction('outgoing').objectStore('outgoing').count()
          counted.onsuccess = () => {
            opened.result.close()
            resolve(counted.result)
          }
        }
      }),
  )

test('[CONV-12] a voice note and a PDF go both ways, over a line that breaks, and are heard and saved', async ({
  browser,
}) => {
  const { share_code } = await dora.call('user/view', {})
  const member = await browserOf(browser, server, { ...phone, permissions: ['microphone'] })
  await signUp(member, share_code, 'annvoice')
  await write(member, 'hello')
  const [room] = (await dora.call('room/list', {})).data
  const office = await signedIn(browser, server, 'dora', { permissions: ['microphone'] })
  await office.goto(`/chat/messaging/${room?.room_id}/${room?.member_id}/${room?.code}`)

  // All buttons of the composer are inside it.
  const composer = office.locator('.c-composer')
  await expect(composer.getByRole('button', { name: t('message.add_file') })).toBeVisible()
  expect(await composer.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0)

  await record(member)
  const voice = messageLog(office).locator('.c-voice')
  await voice.getByRole('button', { name: t('message.play') }).click()
  await expect(voice.getByRole('button', { name: t('message.pause') })).toBeVisible()
  // It plays: the position moves on.
  await expect.poll(() => office.evaluate(() => document.querySelector('audio')?.currentTime ?? 0)).toBeGreaterThan(0.3)

  // The line breaks at the second part; the member sees how far it is, and it goes on.
  const offsets: (string | null)[] = []
  await member.route(/\/upload\/[0-9a-f]{32}/, (route) => {
    offsets.push(new URL(route.request().url()).searchParams.get('offset'))
    return offsets.length === 2 ? route.abort('connectionreset') : route.continue()
  })
  const slip = {
    name: 'slip.pdf',
    mimeType: 'application/pdf',
    buffer: makePdf({ pages: 2, content: Buffer.alloc(600_000, 'x') }),
  }
  await member.locator('input[type=file]').last().setInputFiles(slip)
  const file = messageLog(office).getByRole('link', { name: 'slip.pdf' })
  await expect(file).toBeVisible()
  expect(offsets).toEqual(['0', '262144', '262144', '524288'])
  const [download] = await Promise.all([office.waitForEvent('download'), file.click()])
  expect(download.suggestedFilename()).toBe('slip.pdf')

  // Back, by keys only.
  await office.keyboard.press('Alt+V')
  await expect(office.getByRole('timer')).toHaveText(/0:0[1-9]/)
  await office.keyboard.press('Enter')
  await expect(messageLog(member).locator('.c-voice')).toHaveCount(2)

  // What is no PDF says so, and nothing else is lost.
  const page = { name: 'slip.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<html></html>') }
  await member
    .locator('input[type=file]')
    .last()
    .setInputFiles([page, { ...page, buffer: Buffer.alloc(0) }])
  await expect(member.getByRole('alert')).toHaveText(t('message.file_empty'))
  await expect(messageLog(member).locator('.c-row')).toHaveCount(4)
  expectCleanConsole(office)
})

test('[CONV-12] [ROOM-07] a PDF and a photo on their way survive a reload; signing out forgets them', async ({
  browser,
}) => {
  const { share_code } = await dora.call('user/view', {})
  const member = await browserOf(browser, server, phone)
  await signUp(member, share_code, 'annagain')
  const cut = async () => {
    await member.route(/\/upload\/[0-9a-f]{32}|\/api\/sendMessage/, (route) => route.abort('connectionreset'))
    await member
      .locator('input[type=file]')
      .last()
      .setInputFiles({
        name: 'slip.pdf',
        mimeType: 'application/pdf',
        buffer: makePdf({ pages: 1, content: Buffer.alloc(9000, 'x') }),
      })
    await member
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: DOT })
    await expect(messageLog(member).getByText(t('message.waiting'))).toHaveCount(2)
    await expect.poll(() => keptFiles(member)).toBe(2)
  }
  await cut()
  await member.unrouteAll()
  await member.reload()
  const name = 'slip.pdf'
  await expect(messageLog(member).getByRole('link', { name })).toBeVisible()
  await expect(messageLog(member).getByRole('button', { name: t('message.enlarge') })).toBeVisible()
  await expect(messageLog(member).getByText(t('message.waiting'))).toHaveCount(0)
  await expect.poll(() => keptFiles(member)).toBe(0)
  const rooms = (await dora.call('room/list', {})).data
  const code = rooms.find(({ partner_username }) => partner_username === 'annagain')?.code ?? ''
  const { messages } = await dora.call('room/enter', { code })
  expect(messages.map(({ type }) => type).toSorted((a, b) => a - b)).toEqual([2, 15])

  await cut()
  await member.getByRole('button', { name: t('member.menu') }).click()
  await member.getByRole('button', { name: t('member.sign_out') }).click()
  await expect.poll(() => keptFiles(member)).toBe(0)
})
