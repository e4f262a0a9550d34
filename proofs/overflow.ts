/// <reference lib="dom" />
/** Every page of every role in every language, wide and on a phone: finds what does not fit. See proofs/README.md. */
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { isLanguage, languages, type Language } from '@tallyroom/locales'
import { RoomType } from '@tallyroom/contract/codes'
import { findChromium, launchWith } from '../e2e/support/page/browser.ts'
import { signIn } from '../e2e/support/client.ts'
import { overflows } from '../e2e/support/page/overflow.ts'
import { startServer } from '../e2e/support/server.ts'
import { build } from '../scripts/build.mjs'

const { values } = parseArgs({
  options: {
    languages: { type: 'string' },
    dialogs: { type: 'string', default: 'ta,my,ru,ms' },
    pages: { type: 'string', default: '' },
    shots: { type: 'string' },
    dark: { type: 'boolean', default: false },
  },
})
const chosen = (text: string) => text.split(',').filter(isLanguage)
const inLanguages: readonly Language[] = values.languages ? chosen(values.languages) : languages
const withDialogs = chosen(values.dialogs)
const sizes = {
  1440: { viewport: { width: 1440, height: 900 } },
  390: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const

await build()
const server = await startServer({ env: { DEMO: '1' } })
const browser: Browser = await chromium.launch(launchWith(await findChromium()))

const DEMO = 'demo1234'
/** The demo's accounts, and what they lack: an agent below, all abilities, a note, a quick reply, a room with the bot. */
const furnish = async () => {
  const admin = await signIn(server.url, 'admin', server.password)
  const dana = await signIn(server.url, 'dana', DEMO)
  const mika = await signIn(server.url, 'mika', DEMO)
  const abilities = {
    cs_flow_limit_button_visible: 1,
    chat_ai_bot_visible: 1,
    deduct_point_button_visible: 1,
    flow_limit_modify_permission: 1,
    customized_has_qrcode_show: 1,
  } as const
  for (const { id } of [await dana.call('user/view', {}), await mika.call('user/view', {})])
    await admin.call('user/saveAbilities', { id, ...abilities })
  const { data } = await dana.call('room/list', {})
  const [room, other] = data.filter(({ type }) => type === RoomType.member)
  if (!room || !other) throw new Error('the demo has no rooms')
  const { note_id } = await mika.call('note/add', { room_id: room.room_id, title: 'Calls at night' })
  await mika
    .call('message-template/create', { title: 'Hello', content: 'Hello {name}, how can we help?', memo: '' })
    .catch(() => undefined)
  await dana.call('desk/take', { code: room.code, from: null })
  return { room, note_id, other }
}
const { room, note_id } = await furnish()

const talkPath = `/chat/messaging/${room.room_id}/${room.member_id}/${room.code}`
const office = ['/index', '/agent', '/customer_service', '/user', '/customer_service_chat', '/transaction/list']
  .concat([
    '/transaction/list?type=2',
    '/MessageTemplate',
    '/report/sr02',
    '/report/statement',
    '/report/work',
    '/report/work?cell=waits-all',
    '/report/reconciliation',
    '/installation',
    '/person',
    '/audit',
  ])
  .concat(['/setup/self', '/setup/system', '/file', '/file/api', '/shareQRCode'])
const talks = ['/chat/messaging', talkPath, '/chat/messaging?ai=1', '/chat/hide', '/chat/contact']
  .concat([`/chat/noteTitle/${room.room_id}/${room.member_id}`])
  .concat([`/chat/noteContent/${note_id}/${room.member_id}/Calls at night`])
const outside = ['/login#', '/404', '/403', '/500', '/forbidden', '/m', '/Signup/none']

/** The storage of a signed-in account, as the page leaves it. */
const storageOf = async (username: string, password: string, face: 'office' | 'member') => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await page.goto(face === 'office' ? '/login' : '/m')
  await page.locator('input[autocomplete=username]').fill(username)
  await page.locator('input[type=password]').fill(password)
  await page.locator('form button[type=submit]').click()
  await page.waitForFunction((key) => localStorage.getItem(key), face === 'office' ? 'user_token' : 'm_user_token')
  const state = await context.storageState()
  await context.close()
  return state
}

const say = (line: string) => process.stdout.write(`${line}\n`)
const found = new Map<string, Set<string>>()
let looks = 0
const look = async (page: Page, where: string, language: Language, size: string) => {
  looks++
  if (values.shots)
    await page.screenshot({ path: `${values.shots}/${where.replace(/\W+/g, '_')}-${language}-${size}.png` })
  for (const fault of await overflows(page)) {
    const key = `${where} ${fault}`
    // In parallel: each takes a while.
    if (!found.has(key)) say(`${key} (${language} ${size})`)
    found.set(key, (found.get(key) ?? new Set()).add(`${language} ${size}`))
  }
}

/** Waits until nothing moves, except spinners, which never end. */
const still = (page: Page) =>
  page.waitForFunction(
    () => !document.getAnimations().some(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime)),
  )

const settled = async (page: Page) => {
  await page.waitForFunction(
    () =>
      !document.querySelector('[aria-busy=true], .opening, .bar, .room-skeleton') &&
      document.body.innerText.trim() !== '',
  )
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(120)
  await still(page)
}

/** Clicks everything that opens something, one by one, and checks what has opened. */
const dialogs = async (page: Page, path: string, who: string, language: Language, size: string) => {
  const OPENERS = 'main button, header button, .small-row, main [aria-haspopup]'
  const names = await page
    .locator(OPENERS)
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? (one.textContent ?? '').trim()))
  const done = new Set<string>()
  for (const [at, name] of names.entries()) {
    const key = /\d/.test(name) ? 'row' : name
    if (!name || done.has(key) || done.size >= 24) continue
    done.add(key)
    const opener = page.locator(OPENERS).nth(at)
    if (!(await opener.isVisible()) || !(await opener.isEnabled())) continue
    await opener.click({ timeout: 2000 }).catch(() => undefined)
    await page.waitForTimeout(350)
    await still(page)
    const open = page.locator('[role=dialog]:visible, dialog[open], [role=menu]:visible, [role=listbox]:visible')
    if ((await open.count()) > 0) await look(page, `${who} ${path} > ${at}`, language, size)
    for (let n = 0; n < 3 && (await open.count()) > 0; n++) {
      await page.keyboard.press('Escape')
      await page.waitForTimeout(250)
    }
    if ((await open.count()) > 0 || new URL(page.url()).pathname !== new URL(path, server.url).pathname) {
      await page.goto(path)
      await settled(page)
    }
  }
}

type Who = { who: string; paths: readonly string[]; state?: Awaited<ReturnType<BrowserContext['storageState']>> }
const visit = async ({ who, paths, state }: Who, size: keyof typeof sizes) => {
  for (const language of inLanguages) {
    const colorScheme = values.dark ? 'dark' : 'light'
    const context = await browser.newContext({
      baseURL: server.url,
      ...sizes[size],
      colorScheme,
      reducedMotion: 'reduce',
      ...(state ? { storageState: state } : {}),
    })
    // The page does not know the helper names that the runner's compiler adds to functions.
    await context.addInitScript('globalThis.__name ??= (value) => value')
    await context.addInitScript((locale) => localStorage.setItem('locale', locale), language)
    const page = await context.newPage()
    for (const path of paths.filter((each) => each.includes(values.pages))) {
      await page.goto(path)
      await settled(page)
      if (who === 'member' || path === talkPath) await page.getByRole('log').waitFor()
      // A page that this role does not have.
      if (path !== '/forbidden' && /\/(forbidden|404)$/.test(page.url()) && path !== '/404') continue
      const where = path === talkPath ? 'room' : path
      await look(page, `${who} ${where}`, language, String(size))
      if (withDialogs.includes(language) && who !== 'outside') await dialogs(page, path, who, language, String(size))
    }
    await context.close()
  }
}

if (values.shots) mkdirSync(values.shots, { recursive: true })
const states = {
  admin: await storageOf('admin', server.password, 'office'),
  dana: await storageOf('dana', DEMO, 'office'),
  mika: await storageOf('mika', DEMO, 'office'),
  member: await storageOf('benito', DEMO, 'member'),
}
const everybody: Who[] = [
  { who: 'outside', paths: outside },
  { who: 'dana', paths: [...office, ...talks], state: states.dana },
  { who: 'admin', paths: office, state: states.admin },
  { who: 'mika', paths: talks, state: states.mika },
  { who: 'member', paths: ['/m'], state: states.member },
]
try {
  await Promise.all(
    ([1440, 390] as const).map(async (size) => {
      for (const who of everybody) await visit(who, size)
    }),
  )
} finally {
  await browser.close()
  await server.remove()
}
for (const [fault, pages] of [...found].sort(([a], [b]) => a.localeCompare(b)))
  say(`${fault}\n    ${[...pages].sort().join(', ')}`)
say(`${looks} looks, ${found.size} faults`)
process.exitCode = found.size === 0 ? 0 : 1
