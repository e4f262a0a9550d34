import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findChromium, launchWith } from '../e2e/support/page/browser.ts'
import { argumentsOf } from '../server/src/cli/arguments.mjs'
import { notePictures } from './pictures-state.mjs'
import { root } from './shell.mjs'

// `npm run pictures -- FOLDER [PART OF A NAME]` beside `npm run demo`: the pictures of docs/screens.md.

const PASSWORD = 'demo1234'
/** Of one picture: the repository keeps every version of it. */
const MOST = 60 * 1024
const url = process.env.URL ?? `http://localhost:${process.env.PORT ?? 3000}`
const {
  words: [folder = '', wanted = ''],
} = argumentsOf('pictures')

type Picture = {
  name: string
  /** A member signs in on its own page. */
  who: string
  path: string
  phone?: true
  dark?: true
  language?: string
  /** What a person would do before looking. */
  act?: (page: Page) => Promise<unknown>
}

const room = (name: string) => (page: Page) => page.locator('.room-row', { hasText: name }).first().click()
const openBell = (page: Page) => page.keyboard.press('Alt+F')
const openPoints = (page: Page) => page.locator('.m-balance').click()

const pictures: Picture[] = [
  { name: 'inbox', who: 'mika', path: '/chat', act: room('Gina Wong') },
  { name: 'inbox-dark', who: 'mika', path: '/chat', dark: true, act: room('Gina Wong') },
  { name: 'inbox-phone-my', who: 'mika', path: '/chat', phone: true, language: 'my' },
  { name: 'room-phone', who: 'mika', path: '/chat', phone: true, act: room('Gina Wong') },
  {
    name: 'points',
    who: 'mika',
    path: '/chat',
    act: async (page) => {
      await room('Gina Wong')(page)
      await page.locator('.c-bubble').first().waitFor()
      await page.keyboard.press('Alt+P')
      await page.getByRole('dialog').locator('input[inputmode=decimal]').first().fill('50')
    },
  },
  { name: 'home', who: 'dana', path: '/index' },
  { name: 'bell', who: 'mika', path: '/index', act: openBell },
  { name: 'bell-phone-my', who: 'mika', path: '/index', phone: true, dark: true, language: 'my', act: openBell },
  { name: 'members-ta', who: 'dana', path: '/user', language: 'ta' },
  { name: 'requests', who: 'mika', path: '/cash' },
  { name: 'statement', who: 'dana', path: '/report/statement' },
  { name: 'statement-phone', who: 'dana', path: '/report/statement', phone: true },
  { name: 'tree', who: 'dana', path: '/tree' },
  { name: 'tree-phone', who: 'dana', path: '/tree', phone: true },
  { name: 'work', who: 'dana', path: '/report/work' },
  { name: 'work-phone-ta', who: 'dana', path: '/report/work', phone: true, language: 'ta' },
  { name: 'desk', who: 'dana', path: '/setup/desk' },
  { name: 'desk-phone-my', who: 'dana', path: '/setup/desk', phone: true, dark: true, language: 'my' },
  { name: 'shift', who: 'mika', path: '/chat', act: (page) => page.keyboard.press('Alt+X') },
  {
    name: 'hand-over',
    who: 'mika',
    path: '/chat',
    act: async (page) => {
      await room('Gina Wong')(page)
      await page.locator('.c-bubble').first().waitFor()
      await page.keyboard.press('Alt+O')
    },
  },
  { name: 'member-page', who: 'dana', path: '/member/ginawong' },
  { name: 'rights', who: 'dana', path: '/rights' },
  { name: 'rights-phone', who: 'dana', path: '/rights', phone: true },
  { name: 'member-phone', who: 'ginawong', path: '/m', phone: true },
  { name: 'member-points-phone-dark', who: 'ginawong', path: '/m', phone: true, dark: true, act: openPoints },
]

const signIn = async (page: Page, { who, path }: Picture) => {
  await page.goto(path === '/m' ? '/m' : '/login')
  await page.locator('form input[autocomplete=username]').fill(who)
  await page.locator('form input[autocomplete=current-password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  if (path === '/m') return page.locator('.m-balance').waitFor()
  await page.waitForURL((address) => address.pathname !== '/login')
  return page.goto(path)
}

const take = async (browser: Browser, picture: Picture) => {
  const { name, phone, dark, language = 'en', act } = picture
  const context = await browser.newContext({
    baseURL: url,
    viewport: phone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    ...(phone ? { hasTouch: true, isMobile: true } : {}),
  })
  await context.addInitScript(
    ([locale, theme]) => {
      localStorage.setItem('locale', locale)
      localStorage.setItem('theme', theme)
    },
    [language, dark ? 'dark' : 'light'] as const,
  )
  const page = await context.newPage()
  await signIn(page, picture)
  await page.waitForLoadState('networkidle')
  await act?.(page)
  await page.waitForLoadState('networkidle')
  // Pictures and fonts are drawn a moment after they have arrived.
  await page.waitForTimeout(800)
  const tab = await context.newCDPSession(page)
  const shoot = async (quality: number) =>
    Buffer.from((await tab.send('Page.captureScreenshot', { format: 'webp', quality })).data, 'base64')
  const file = join(folder, `${name}.webp`)
  let quality = 80
  let bytes = await shoot(quality)
  while (bytes.length > MOST && quality > 20) bytes = await shoot((quality -= 15))
  writeFileSync(file, bytes)
  console.log(`${file}  ${Math.ceil(bytes.length / 1024)} KB`)
  await context.close()
}

mkdirSync(folder, { recursive: true })
const browser = await chromium.launch(launchWith(await findChromium()))
for (const picture of pictures) if (picture.name.includes(wanted)) await take(browser, picture)
await browser.close()
// npm run release asks for it.
if (!wanted && resolve(folder) === join(root, 'docs/pictures')) notePictures()
