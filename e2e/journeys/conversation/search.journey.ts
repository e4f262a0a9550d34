/// <reference lib="dom" />
import { MessageType } from '@tallyroom/contract/codes'
import { expect, test } from '@playwright/test'
import { expectAccessible } from '../../support/page/axe.ts'
import { type Client, signIn as clientOf, signUp } from '../../support/client.ts'
import { addAccount } from '../../support/add-account.ts'
import {
  browserOf,
  expectCleanConsole,
  messageLog,
  PASSWORD,
  phone,
  storeSession,
  wordsIn,
} from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let dora: Client
const members: Record<string, Client> = {}
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  dora = await clientOf(server.url, 'dora', PASSWORD)
  const { share_code } = await dora.call('user/view', {})
  for (const name of ['ann88', 'ben777']) members[name] = await signUp(server.url, share_code, name)
})
test.afterAll(() => server.remove())

const THAI = 'สวัสดีค่ะ แต้ม\u200Bเข้าแล้วหรือยัง'
const CHINESE = '你好，我的點數到了嗎？'

/** A conversation of 140 messages, of which the first is Thai and the 60th Chinese. */
const longConversation = async (name: string) => {
  const member = members[name]
  if (!member) throw new Error(`there is no ${name}`)
  const { code = '' } = (await member.call('room/list', {})).data[0] ?? {}
  const say = (content: string) => member.call('sendMessage', { code, type: MessageType.text, content })
  const fill = (count: number, word: string) =>
    Promise.all(Array.from({ length: count }, (_, n) => say(`${word} ${n}`)))
  await say(THAI)
  await fill(58, 'early')
  await say(CHINESE)
  await dora.call('desk/whisper', { code, content: 'whispered long ago' })
  await fill(79, 'late')
  await say('the very last')
  return { say }
}

for (const [kind, options, name, language] of [
  ['wide', {}, 'ann88', 'en'],
  ['small', phone, 'ben777', 'zh-TW'],
] as const) {
  test(`[ROOM-04] [CHAT-06] search within Thai and Chinese sentences, ${kind}`, async ({ browser }) => {
    const words = wordsIn(language)
    const { say } = await longConversation(name)
    const page = await browserOf(browser, server, options)
    await page.addInitScript((locale) => localStorage.setItem('locale', locale), language)
    await storeSession(page, 'dora', PASSWORD)
    const find = async (text: string) => {
      await page.getByRole('searchbox', { name: words('chat.filter') }).fill(text)
      return page
        .getByRole('region', { name: words('search.messages') })
        .getByRole('link')
        .filter({ hasText: name })
    }
    const toEnd = page.getByRole('button', { name: words('room.to_end') })

    await test.step('a hit on an old Thai word opens the conversation at its message, marked', async () => {
      await page.goto('/chat/messaging')
      const hit = await find('เข้าแล้ว')
      await expect(hit).toHaveCount(1)
      await expect(hit.locator('mark')).toHaveText('เข้าแล้ว')
      await expectAccessible(page)
      await hit.click()
      await page.waitForURL(/\?at=\d+$/)
      await expect(messageLog(page).locator('[aria-current]')).toContainText('หรือยัง')
      await expect(messageLog(page).getByText('early 3', { exact: true })).toBeVisible()
    })

    await test.step('new messages do not scroll it; one button leads to the newest', async () => {
      await say('news meanwhile')
      await expect(messageLog(page).getByText('news meanwhile')).toHaveCount(0)
      await expect(messageLog(page).locator('[aria-current]')).toBeInViewport()
      await toEnd.click()
      await expect(messageLog(page).getByText('news meanwhile')).toBeInViewport()
      await expect(toEnd).toHaveCount(0)
      await expect.poll(() => new URL(page.url()).search).toBe('')
    })

    await test.step('a Chinese word in the middle: older above, newer below, down to the live end', async () => {
      await page.goto('/chat/messaging')
      await (await find('我的點數')).click()
      const marked = messageLog(page).locator('[aria-current]')
      await expect(marked).toContainText(CHINESE)
      await expect(marked).toBeInViewport()
      await expect(messageLog(page).getByText('whispered long ago')).toBeInViewport()
      await messageLog(page).hover()
      const wheel = (by: number) => page.mouse.wheel(0, by)
      await expect(async () => {
        await wheel(-2000)
        await expect(messageLog(page).getByText('หรือยัง')).toBeInViewport({ timeout: 500 })
      }).toPass()
      await expect(async () => {
        await wheel(3000)
        await expect(toEnd).toHaveCount(0, { timeout: 500 })
      }).toPass()
      await expect(messageLog(page).getByText('news meanwhile')).toBeInViewport()
      await say('live again')
      await expect(messageLog(page).getByText('live again')).toBeInViewport()
      await say(`to be read by ${kind}`)
      await expect(messageLog(page).getByText(`to be read by ${kind}`)).toBeInViewport()
    })

    await test.step('the search is kept when coming back from a hit, and cleared when leaving the chat', async () => {
      const box = page.getByRole('searchbox', { name: words('chat.filter') })
      if (kind === 'small') await page.getByRole('link', { name: words('action.back') }).click()
      await expect(box).toHaveValue('我的點數')
      if (kind === 'small') {
        await page.getByRole('button', { name: words('shell.more') }).click()
        await page.getByRole('link', { name: words('menu.home') }).click()
      } else await page.getByRole('link', { name: words('chat.home'), exact: true }).click()
      await expect(page.getByRole('heading', { name: words('menu.home'), exact: true })).toBeVisible()
      await page.goBack()
      await expect(box).toHaveValue('')
    })

    await test.step('a text without a match shows that nothing was found', async () => {
      await find('ไม่มีใครเขียน')
      await expect(page.getByText(words('search.none'))).toBeVisible()
      expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(
        (page.viewportSize() ?? { width: 0 }).width,
      )
    })
    expectCleanConsole(page)
    await page.context().close()
  })
}
