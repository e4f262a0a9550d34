import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  test,
} from '@playwright/test'
import { say, type WordKey, type Words } from '@tallyroom/locales'
import en from '@tallyroom/locales/en'
import th from '@tallyroom/locales/th'
import zhTW from '@tallyroom/locales/zh-TW'
import type { Server } from './server.ts'
import { memberSignedIn, memberSignedUp, officeState } from './storage.ts'

const accountProgram = fileURLToPath(new URL('../../server/dist/account.js', import.meta.url))
export const PASSWORD = 'secret1'

/** `npm run account -- words` beside the running server. */
export const account = (server: Server, ...words: string[]) =>
  promisify(execFile)(process.execPath, [accountProgram, ...words], {
    env: { ...process.env, ...server.env },
  })

/** The words of a person: tests look for what the person reads. */
export const wordsIn =
  (language: 'en' | 'zh-TW' | 'th') =>
  (key: WordKey, values?: Record<string, string | number>): string => {
    const all: Record<string, Words> = { en, 'zh-TW': zhTW, th }
    return say(all[language] ?? en, language, key, values)
  }
export const t = wordsIn('en')

const watched = new Map<Page, string[]>()
/** The server that a page belongs to, and the origin at which its browser sees it. */
const homes = new Map<Page, { url: string; origin: string }>()
let open: { of: string; contexts: BrowserContext[] } = { of: '', contexts: [] }
/** Playwright does not close these contexts. Pages that stay open keep their sockets and slow all later tests. */
const closeEarlier = async () => {
  const { testId } = test.info()
  if (open.of === testId) return
  const { contexts } = open
  open = { of: testId, contexts: [] }
  await Promise.all(contexts.map((context) => context.close()))
}
/** A person's browser, apart from everyone else's. What its console complains of is kept for `quiet`. */
export const browserOf = async (
  browser: Browser,
  server: Server,
  options: BrowserContextOptions = {},
): Promise<Page> => {
  await closeEarlier()
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 }, ...options })
  open.contexts.push(context)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (line) => {
    // Said by the one who drives the browser.
    if (line.text().includes('blocked by Playwright')) return
    if (['error', 'warning'].includes(line.type())) complaints.push(`${line.type()}: ${line.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  watched.set(page, complaints)
  homes.set(page, { url: server.url, origin: options.baseURL ?? server.url })
  return page
}
/** Waits until a growing button has its final size; on a busy machine Playwright clicks it too early. */
export const still: BrowserContextOptions = { reducedMotion: 'reduce' }
export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** The console said nothing, but for what a test expects (a cut line does complain). */
export const quiet = (page: Page, but?: RegExp) =>
  expect((watched.get(page) ?? []).filter((line) => !but?.test(line))).toEqual([])

/** Name and password on the office's sign-in page; what comes next is the test's. */
export const beginSignIn = async (page: Page, username: string, password: string, words = t) => {
  await page.goto('/login')
  await page.getByLabel(words('session.login'), { exact: true }).fill(username)
  await page.getByLabel(words('session.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: words('session.enter') }).click()
}
/** The step for an account whose password another account has set, here and on the member's page. */
export const choosePassword = async (page: Page, password: string, again = password, words = t) => {
  await expect(page.getByText(words('session.needs_new_password'))).toBeVisible()
  await page.getByLabel(words('account.new_password'), { exact: true }).fill(password)
  await page.getByLabel(words('account.password_again'), { exact: true }).fill(again)
  await page.getByRole('button', { name: words('session.save_password') }).click()
}
/** Signs in by the page itself, where the sign-in is what a journey is about. */
export const signInByForm = async (page: Page, username: string, password: string, words = t) => {
  await beginSignIn(page, username, password, words)
  await page.waitForURL('**/index')
}
export const signUpByForm = async (page: Page, shareCode: string, username: string, words = t) => {
  await page.goto(`/Signup/${shareCode}`)
  await page.getByLabel(words('member.username'), { exact: true }).fill(username)
  await page.getByLabel(words('member.password'), { exact: true }).fill(PASSWORD)
  await page.getByLabel(words('member.password_again'), { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: words('member.sign_up_now') }).click()
  await expect(page.getByLabel(words('message.write'))).toBeVisible()
}

const homeOf = (page: Page) => {
  const home = homes.get(page)
  if (!home) throw new Error('browserOf opens the pages that can be signed in')
  return home
}
/** Signs in by a call, with no page open yet. */
export const enter = async (page: Page, username: string, password: string) =>
  page.context().setStorageState(await officeState(homeOf(page), username, password))
/** Signs in by a call, and opens a page of the office: three page loads less than by the form. */
export const signIn = async (page: Page, username: string, password: string, path = '/index') => {
  await enter(page, username, password)
  await page.goto(path)
}
/** A new member of the share code's owner, signed up by a call, on its own page. */
export const signUp = async (page: Page, code: string, username: string) => {
  await page.context().setStorageState(await memberSignedUp(homeOf(page), code, username, PASSWORD))
  await openMemberPage(page)
}
/** Signs a member in by a call, and opens its page. */
export const comeIn = async (page: Page, username: string) => {
  await page.context().setStorageState(await memberSignedIn(homeOf(page), username, PASSWORD))
  await openMemberPage(page)
}
const openMemberPage = async (page: Page) => {
  await page.goto('/m')
  await expect(page.getByLabel(t('message.write'))).toBeVisible()
}

/** The signed-in person's own, as the share link carries it. */
export const shareCode = (page: Page) => page.evaluate(() => localStorage.getItem('share_code') ?? '')

/** Writes into the open room, of either side. */
export const write = async (page: Page, text: string, words = t) => {
  await page.getByLabel(words('message.write')).fill(text)
  await page.getByLabel(words('message.write')).press('Enter')
}

export const dialog = (page: Page) => page.getByRole('dialog')

/** Goes through the steps of a transfer that is open, as far as its success. */
export const giveInDialog = async (page: Page, amount: string, remark: string, words = t) => {
  await dialog(page).getByLabel(words('transfer.amount')).fill(amount)
  await dialog(page).getByLabel(words('transfer.remark')).fill(remark)
  await dialog(page)
    .getByRole('button', { name: words('action.next') })
    .click()
  await dialog(page)
    .getByRole('button', { name: words('transfer.send') })
    .click()
}

export const confirmDone = async (page: Page, words = t) => {
  await expect(dialog(page).getByText(words('done.transaction'))).toBeVisible()
  await dialog(page)
    .getByRole('button', { name: words('action.ok') })
    .click()
  await expect(dialog(page)).toHaveCount(0)
}

/** The messages shown in the open room, of either side. */
export const talk = (page: Page) => page.getByRole('log')

/** Chooses an item of the room's menu "⋯". */
export const chooseInMenu = async (page: Page, name: string, words = t) => {
  await page.getByRole('button', { name: words('room.more'), exact: true }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
