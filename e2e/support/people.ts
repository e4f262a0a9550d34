import { type Browser, type BrowserContextOptions, expect, type Page, test } from '@playwright/test'
import { say, type WordKey, type Words } from '@tallyroom/locales'
import en from '@tallyroom/locales/en'
import th from '@tallyroom/locales/th'
import zhTW from '@tallyroom/locales/zh-TW'
import { consoleOf } from './console.ts'
import { leavePage, takePage } from './page/pool.ts'
import type { Server } from './server.ts'
import { memberSignedIn, memberSignedUp, officeState } from './storage.ts'

export const PASSWORD = 'secret1'

/** Does what `npm run account -- words` does beside the running server, and returns what it prints. */
export const account = async (server: Server, ...words: string[]): Promise<string> => {
  const { code, output } = await consoleOf(server, 'account', words)
  if (code !== 0) throw new Error(`account ${words.join(' ')}: ${output}`)
  return output
}

/** The texts of a language: tests look for what people read. */
export const wordsIn =
  (language: 'en' | 'zh-TW' | 'th') =>
  (key: WordKey, values?: Record<string, string | number>): string => {
    const all: Record<string, Words> = { en, 'zh-TW': zhTW, th }
    return say(all[language] ?? en, language, key, values)
  }
export const t = wordsIn('en')

const consoleLines = new Map<Page, string[]>()
/** The server of each page, and the origin at which its browser sees it. */
const servers = new Map<Page, { url: string; origin: string }>()
let open: { of: string; pages: Page[] } = { of: '', pages: [] }
const leaveEarlierPages = async () => {
  const { testId } = test.info()
  if (open.of === testId) return
  const { pages } = open
  open = { of: testId, pages: [] }
  await Promise.all(pages.map(leavePage))
}
/**
 * A separate browser context, without motion: on a busy machine Playwright clicks where a growing button was, and drawing
 * frames is a good part of the work. Its console errors and warnings are kept for `expectCleanConsole`.
 */
export const browserOf = async (
  browser: Browser,
  server: Server,
  options: BrowserContextOptions = {},
): Promise<Page> => {
  await leaveEarlierPages()
  const page = await takePage(browser, {
    baseURL: server.url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  open.pages.push(page)
  const lines: string[] = []
  page.on('console', (line) => {
    // Logged by Playwright itself.
    if (line.text().includes('blocked by Playwright')) return
    if (['error', 'warning'].includes(line.type())) lines.push(`${line.type()}: ${line.text()}`)
  })
  page.on('pageerror', (error) => lines.push(String(error)))
  consoleLines.set(page, lines)
  servers.set(page, { url: server.url, origin: options.baseURL ?? server.url })
  return page
}
export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Expects no console errors or warnings, except those a test allows (a cut connection logs some). */
export const expectCleanConsole = (page: Page, allowed?: RegExp) =>
  expect((consoleLines.get(page) ?? []).filter((line) => !allowed?.test(line))).toEqual([])

/** Submits name and password on the office’s sign-in page, without waiting for the next page. */
export const submitSignIn = async (page: Page, username: string, password: string, words = t) => {
  await page.goto('/login')
  await page.getByLabel(words('session.login'), { exact: true }).fill(username)
  await page.getByLabel(words('session.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: words('session.enter'), exact: true }).click()
}
/** The step for an account whose password was set by another account, in the office and on the member’s page. */
export const choosePassword = async (page: Page, password: string, again = password, words = t) => {
  await expect(page.getByText(words('session.needs_new_password'))).toBeVisible()
  await page.getByLabel(words('account.new_password'), { exact: true }).fill(password)
  await page.getByLabel(words('account.password_again'), { exact: true }).fill(again)
  await page.getByRole('button', { name: words('session.save_password') }).click()
}
/** Signs in by the form, for journeys about signing in. Customer service arrives in the chat. */
export const signInByForm = async (
  page: Page,
  username: string,
  password: string,
  { words = t, to = '**/index' }: { words?: typeof t; to?: string } = {},
) => {
  await submitSignIn(page, username, password, words)
  await page.waitForURL(to)
}
export const signUpByForm = async (page: Page, shareCode: string, username: string, words = t) => {
  await page.goto(`/Signup/${shareCode}`)
  await page.getByLabel(words('member.username'), { exact: true }).fill(username)
  await page.getByLabel(words('member.password'), { exact: true }).fill(PASSWORD)
  await page.getByLabel(words('member.password_again'), { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: words('member.sign_up_now') }).click()
  await expect(page.getByLabel(words('message.write'))).toBeVisible()
}

const serverOf = (page: Page) => {
  const server = servers.get(page)
  if (!server) throw new Error('browserOf opens the pages that can be signed in')
  return server
}
/** Opens a page without scripts. One of ours leaves by itself when its storage changes, and would cut the next `goto` short. */
export const openEmptyPage = (page: Page) => page.goto('/icon-dot.svg')
type State = Awaited<ReturnType<typeof officeState>>
/** Playwright's own way opens another page for it and empties the browser's cache, so it is for used browsers only. */
export const storeState = async (page: Page, state: State) => {
  const isNew = page.url() === 'about:blank'
  await openEmptyPage(page)
  if (!isNew) return page.context().setStorageState(state)
  await page.context().addCookies(state.cookies)
  const stored = state.origins.flatMap(({ localStorage }) => localStorage)
  await page.evaluate((items) => {
    for (const { name, value } of items) localStorage.setItem(name, value)
  }, stored)
}
/** Signs in by a call. */
export const storeSession = async (page: Page, username: string, password: string) => {
  const state = await officeState(serverOf(page), username, password)
  await storeState(page, state)
  shareCodes.set(page, state.origins[0]?.localStorage.find(({ name }) => name === 'share_code')?.value ?? '')
}
/** Signs in by a call and opens a page of the office: three page loads fewer than by the form. */
export const signIn = async (page: Page, username: string, password: string, path = '/index') => {
  await storeSession(page, username, password)
  await page.goto(path)
}
/** Signs up a new member by a call and opens its page. */
export const signUp = async (page: Page, code: string, username: string) => {
  await storeState(page, await memberSignedUp(serverOf(page), code, username, PASSWORD))
  await openMemberPage(page)
}
/** Signs a member in by a call and opens its page. */
export const signInMember = async (page: Page, username: string) => {
  await storeState(page, await memberSignedIn(serverOf(page), username, PASSWORD))
  await openMemberPage(page)
}
const openMemberPage = async (page: Page) => {
  await page.goto('/m')
  await expect(page.getByLabel(t('message.write'))).toBeVisible()
}

const shareCodes = new Map<Page, string>()
/** The share code of the account that was signed in by a call. It needs no open page. */
export const shareCode = (page: Page): string => {
  const found = shareCodes.get(page)
  if (!found) throw new Error('shareCode is for pages that signIn or storeSession has signed in')
  return found
}

/** Sends a message in the open room, in the office or on the member’s page. */
export const write = async (page: Page, text: string, words = t) => {
  await page.getByLabel(words('message.write')).fill(text)
  await page.getByLabel(words('message.write')).press('Enter')
}

export const dialog = (page: Page) => page.getByRole('dialog')

/** Completes the steps of an open transfer dialog. */
export const transferInDialog = async (page: Page, amount: string, remark: string, words = t) => {
  await dialog(page).getByLabel(words('transfer.amount')).fill(amount)
  await dialog(page).getByLabel(words('transfer.remark')).fill(remark)
  await dialog(page)
    .getByRole('button', { name: words('action.next') })
    .click()
  await expect(dialog(page).getByText(words('transfer.confirm_title'), { exact: true })).toBeVisible()
  await readQuestion(page)
  await sendButton(page).click()
}
/** Takes the time that a reader needs: what is pressed sooner counts as the second half of a double click. */
export const readQuestion = (page: Page) => expect(dialog(page).last().locator('form[data-protected]')).toHaveCount(0)
/** The button of the confirmation and of the password step, whose text is verb, amount and name. */
const sendButton = (page: Page) => dialog(page).last().locator('button[type=submit]')

export const confirmDone = async (page: Page, words = t) => {
  await expect(dialog(page).getByText(words('done.transaction'))).toBeVisible()
  await dialog(page)
    .getByRole('button', { name: words('action.ok') })
    .click()
  await expect(dialog(page)).toHaveCount(0)
}

/** The messages of the open room, in the office or on the member’s page. */
export const messageLog = (page: Page) => page.getByRole('log')

/** Chooses an item of the room's menu "⋯". */
export const chooseInMenu = async (page: Page, name: string, words = t) => {
  await page.getByRole('button', { name: words('room.more'), exact: true }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** The browser adds the entry of what opens over a page, and takes it away again, in a task of its own. */
const overlayHasEntry = (page: Page, isOpen: boolean) =>
  expect
    .poll(() => page.evaluate(() => (history.state as { isOverlay?: true } | null)?.isOverlay === true))
    .toBe(isOpen)

/** Closes what is open by the browser's "back". A person is slower than the history, a journey is not. */
export const closeByBack = async (page: Page) => {
  await overlayHasEntry(page, true)
  await page.goBack()
}

/** Until the history has gone back from the entry of what has been closed: it would end a reload that begins before. */
export const closedInHistory = (page: Page) => overlayHasEntry(page, false)
