/// <reference lib="dom" />
import { expect, type Page, test } from '@playwright/test'
import { open, seal } from '@tallyroom/contract/wire'
import jsqrModule from 'jsqr'
import sharp from 'sharp'
import { signIn as clientOf } from '../../support/client.ts'
import { expectNoFaults } from '../../support/page/axe.ts'
import { addAccount } from '../../support/add-account.ts'
import {
  browserOf,
  PASSWORD,
  phone,
  expectCleanConsole,
  shareCode,
  signIn,
  signUp,
  t,
  storeSession,
} from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

// A CommonJS package: the import is its whole module.
const jsqr = (jsqrModule as unknown as { default?: typeof jsqrModule }).default ?? jsqrModule

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora', { credit: '500' })
})
test.afterAll(() => server.remove())

const picture = async (colour: string, width = 200, height = 160) => ({
  name: 'ground.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer(),
})
/** The unsealed parameters that the page sends with a call. */
const sent = async (page: Page, name: string, action: () => Promise<void>) => {
  const asked = page.waitForRequest(`**/api/${name}`)
  await action()
  const body = (await asked).postDataJSON() as { params: string }
  return open(name, body.params, 'tallyroom') as Record<string, unknown>
}
const background = (page: Page) => page.locator('.c-room').evaluate((room) => getComputedStyle(room).backgroundColor)

test('[SET-01] [SET-02] [SET-03] [SET-04] [WIRE-09] the rooms’ appearance is set up, previewed, saved, and shown at once on the member’s page', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  await storeSession(page, 'dora', PASSWORD)
  const member = await browserOf(browser, server, phone)
  await signUp(member, shareCode(page), 'annset')
  await expect(member.getByRole('heading', { name: 'dora' })).toBeVisible()

  await page.goto('/setup/system')
  await expect(page.getByRole('alert')).toContainText(t('setting.not_set_up'))
  const field = (key: Parameters<typeof t>[0]) => page.getByRole('textbox', { name: t(key), exact: true })
  const save = page.getByRole('button', { name: t('action.save') })
  await field('setting.room_name').fill('Happy Talk')
  await field('setting.background_color').fill('red')
  await field('setting.header_background_color').fill('#203040')
  await field('setting.header_font_color').fill('#213141')
  await expect(page.getByText(t('setting.contrast', { ratio: '1.0' }))).toBeVisible()
  await save.click()
  await expect(page.getByText(t('setting.colour_invalid'))).toBeVisible()
  await field('setting.background_color').fill('#ffe0c0')
  await field('setting.header_font_color').fill('#ffee99')
  await expect(page.getByText(t('setting.contrast', { ratio: '1.0' }))).toHaveCount(0)
  // Before saving, only the preview shows it.
  await expect.poll(() => background(page)).toBe('rgb(255, 224, 192)')
  expect(await background(member)).not.toBe('rgb(255, 224, 192)')
  // An agent cannot set the platform’s address.
  await expect(field('setting.api_url')).toHaveCount(0)
  const first = await sent(page, 'setting/save', () => save.click())
  expect(first).toMatchObject({ name: 'Happy Talk', background_image: '', background_color: '#ffe0c0' })
  await expect(page.getByText('Saved succeeded')).toBeVisible()
  await expect(member.getByRole('heading', { name: 'Happy Talk' })).toBeVisible()
  await expect.poll(() => background(member)).toBe('rgb(255, 224, 192)')
  const head = () =>
    member.locator('.m-header').evaluate((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color])
  await expect.poll(head).toEqual(['rgb(32, 48, 64)', 'rgb(255, 238, 153)'])

  // A picked image is sent once, later left out because it is an address, and sent as empty when removed.
  await page.locator('input[type=file]').setInputFiles(await picture('#99ccff'))
  const withImage = await sent(page, 'setting/save', () => save.click())
  expect(String(withImage.background_image)).toMatch(/^data:image\/jpeg;base64,/)
  const image = () => member.locator('.c-room').evaluate((room) => getComputedStyle(room).backgroundImage)
  await expect.poll(image).toMatch(/\/media\/[0-9a-f]{32}"\)$/)
  const loaded = await member.evaluate(async () => {
    const address = /url\("(.*)"\)/.exec(getComputedStyle(document.querySelector('.c-room') as Element).backgroundImage)
    return (await fetch(address?.[1] ?? '')).headers.get('content-type')
  })
  expect(loaded).toBe('image/jpeg')
  await page.reload()
  await field('setting.room_name').fill('Happier Talk')
  expect(await sent(page, 'setting/save', () => save.click())).not.toHaveProperty('background_image')
  await expect(member.getByRole('heading', { name: 'Happier Talk' })).toBeVisible()
  await page.setInputFiles('input[type=file]', {
    name: 'a.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('no image'),
  })
  await expect(page.getByText(t('account.image_invalid'))).toBeVisible()
  await expectNoFaults(page)
  await expectNoFaults(member)

  // Also in the office’s view of the room.
  await page.goto('/chat/messaging')
  await page.getByText('annset').first().click()
  await expect.poll(() => background(page)).toBe('rgb(255, 224, 192)')
  await expectNoFaults(page)
  const small = await browserOf(browser, server, { ...phone, colorScheme: 'dark' })
  await signIn(small, 'dora', PASSWORD, '/setup/system')
  await small.getByRole('button', { name: t('account.remove_picture') }).click()
  expect(
    (await sent(small, 'setting/save', () => small.getByRole('button', { name: t('action.save') }).click()))
      .background_image,
  ).toBe('')
  await expect.poll(image).toBe('none')
  expect(await small.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await expectNoFaults(small)
  for (const one of [page, member, small]) expectCleanConsole(one)
})

test('[SET-05] My settings: picture, nickname, read-only balance, save', async ({ browser }) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'dora', PASSWORD, '/setup/self')
  const main = page.getByRole('main')
  await expect(main.locator('output.read-only')).toContainText('500.00')
  await main
    .locator('input[type=file]')
    .first()
    .setInputFiles(await picture('#cc4455'))
  await main.getByLabel(t('account.nickname')).fill('Dora D')
  const save = main.getByRole('button', { name: t('action.save') }).first()
  const first = await sent(page, 'user/edit', () => save.click())
  expect(first).toMatchObject({ nickname: 'Dora D', thumbnail: expect.stringMatching(/^data:image\/jpeg/) })
  await expect(page.getByText('Saved succeeded')).toBeVisible()
  await page.reload()
  await expect(main.locator('.avatar-field img')).toHaveAttribute('src', /^\/media\/[0-9a-f]{32}$/)
  await expect(main.getByLabel(t('account.nickname'))).toHaveValue('Dora D')
  // SET-05 with ACC-08: an address is not sent again.
  expect(await sent(page, 'user/edit', () => save.click())).not.toHaveProperty('thumbnail')
  expectCleanConsole(page)
})

test('[SET-07] the QR code is placed on its poster to the pixel and scans at every size', async ({ browser }) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'dora', PASSWORD)
  const qrLink = page.getByRole('link', { name: t('share.title') })
  await expect(page.getByRole('button', { name: t('shell.copy_link') })).toBeVisible()
  await expect(qrLink).toHaveCount(0)
  await page.goto('/shareQRCode')
  await expect(page).toHaveURL(/\/index$/)

  await enableQrPage('dora')
  await qrLink.click()
  const link = `${server.url}/Signup/${shareCode(page)}`
  const canvas = page.locator('canvas')
  await expect(canvas).toBeVisible()
  const pixels = async (scale: number) => {
    const png = await canvas.evaluate((one: HTMLCanvasElement, by) => {
      const copy = document.createElement('canvas')
      copy.width = Math.round(one.width * by)
      copy.height = Math.round(one.height * by)
      copy.getContext('2d')?.drawImage(one, 0, 0, copy.width, copy.height)
      return copy.toDataURL('image/png').split(',')[1] ?? ''
    }, scale)
    const { data, info } = await sharp(Buffer.from(png, 'base64'))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return { data: Uint8ClampedArray.from(data), ...info }
  }
  const decodes = async () => {
    for (const scale of [1, 0.75, 0.5, 0.35, 1.6]) {
      const { data, width, height } = await pixels(scale)
      expect([scale, jsqr(data, width, height)?.data]).toEqual([scale, link])
    }
  }
  expect(await canvas.evaluate((one: HTMLCanvasElement) => [one.width, one.height])).toEqual([1200, 1289])
  await decodes()
  // On an own background picture only the code’s white box (390 px) and the label’s (400 by 30 px) cover it.
  await page.locator('input[type=file]').setInputFiles(await picture('#ff0000', 1200, 1289))
  await expect(page.getByText('Saved succeeded')).toBeVisible()
  const at = (x: number, y: number) =>
    canvas.evaluate(
      (one: HTMLCanvasElement, [dx, dy]) =>
        [...(one.getContext('2d')?.getImageData(dx ?? 0, dy ?? 0, 1, 1).data ?? [])]
          .slice(0, 3)
          .map((value) => value > 128),
      [x, y],
    )
  const [red, white] = [
    [true, false, false],
    [true, true, true],
  ]
  await expect.poll(() => at(5, 5)).toEqual(red)
  for (const [inside, outside] of [
    [
      [405, 470],
      [404, 470],
    ],
    [
      [794, 859],
      [795, 859],
    ],
    [
      [405, 470],
      [405, 469],
    ],
    [
      [405, 859],
      [405, 860],
    ],
    [
      [400, 880],
      [399, 880],
    ],
    [
      [799, 909],
      [800, 909],
    ],
    [
      [400, 909],
      [400, 910],
    ],
  ] as const) {
    expect([inside, await at(inside[0], inside[1])]).toEqual([inside, white])
    expect([outside, await at(outside[0], outside[1])]).toEqual([outside, red])
  }
  await decodes()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: t('share.download') }).click()
  const path = await (await download).path()
  expect(await sharp(path).metadata()).toMatchObject({ width: 1200, height: 1289, format: 'png' })
  await expectNoFaults(page)
  // The test itself reads the canvas repeatedly.
  expectCleanConsole(page, /willReadFrequently/)
})

/** An admin enables the QR code page of an agent. */
const enableQrPage = async (username: string) => {
  const admin = await clientOf(server.url, 'admin', server.password)
  const { data } = await admin.call('user/list', { username })
  await admin.call('user/saveAbilities', { id: data[0]?.id ?? 0, customized_has_qrcode_show: 1 })
}

test('[SET-08] the debug page encrypts and decrypts, with Chinese labels, for admins only', async ({ browser }) => {
  const admin = await browserOf(browser, server)
  await signIn(admin, 'admin', server.password, '/RD_Debug')
  const [decrypt, encrypt] = [
    admin.locator('form').filter({ hasText: '解密字串' }),
    admin.locator('form').filter({ hasText: '加密物件' }),
  ]
  const name = (form: typeof decrypt) => form.getByLabel('呼叫名稱')
  const { params } = seal('user/list', { page: 3, 字: '紅包' }, 'tallyroom')
  await name(decrypt).fill('user/list')
  await decrypt.getByLabel('要解密的字串（params）').fill(params)
  await decrypt.getByRole('button', { name: '解密' }).click()
  expect(JSON.parse(await decrypt.getByLabel('結果').inputValue())).toEqual({ page: 3, 字: '紅包' })
  await name(decrypt).fill('user/view')
  await decrypt.getByRole('button', { name: '解密' }).click()
  await expect(decrypt.getByRole('alert')).toContainText('解密失敗')
  await name(encrypt).fill('logout')
  await encrypt.getByLabel('要加密的資料').fill('{"a": 1}')
  await encrypt.getByRole('button', { name: '加密' }).click()
  const made = JSON.parse(await encrypt.getByLabel('結果').inputValue()) as { params: string; key: string }
  expect(open('logout', made.params, 'tallyroom')).toEqual({ a: 1 })
  expect(made.key).toMatch(/^[0-9a-f]{32}$/)
  await expectNoFaults(admin)
  const page = await browserOf(browser, server)
  await signIn(page, 'dora', PASSWORD, '/RD_Debug')
  await expect(page).toHaveURL(/\/forbidden$/)
  for (const one of [admin, page]) expectCleanConsole(one)
})
