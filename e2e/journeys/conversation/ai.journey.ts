import { expect, test } from '@playwright/test'
import { type Endpoint, openEndpoint, saying } from '../../../server/src/testing/fakes/endpoint.ts'
import { signIn as clientOf } from '../../support/client.ts'
import { addAccount } from '../../support/add-account.ts'
import { expectFocus } from '../../support/page/focus.ts'
import {
  chooseInMenu,
  browserOf,
  storeSession,
  PASSWORD,
  phone,
  expectCleanConsole,
  shareCode,
  signUp,
  t,
  messageLog,
  wordsIn,
  write,
} from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let endpoint: Endpoint
test.beforeAll(async () => {
  endpoint = await openEndpoint()
  server = await startJourneyServer({ env: { AI_URL: endpoint.url, AI_MODEL: 'little', AI_KEY: 'k' } })
  await addAccount(server, 'agent', 'dora')
  const admin = await clientOf(server.url, 'admin', server.password)
  const { data } = await admin.call('user/list', { menu_id: 2 })
  await admin.call('user/saveAbilities', { id: data[0]?.id ?? 0, chat_ai_bot_visible: 1 })
  const dora = await clientOf(server.url, 'dora', PASSWORD)
  await dora.call('message-template/create', { title: 'Opening hours', content: 'From nine to five.' })
})
test.afterAll(async () => {
  await server.remove()
  endpoint.close()
})

test('[CHAT-03] [CHAT-07] [ROOM-09] a member, the bot and the people', async ({ browser }) => {
  const dora = await browserOf(browser, server)
  const ann = await browserOf(browser, server, phone)
  await storeSession(dora, 'dora', PASSWORD)

  await test.step('the head of the group lets new conversations begin with the bot', async () => {
    await dora.goto('/setup/self')
    await dora.getByRole('switch', { name: t('ai.new_rooms') }).click()
    await expect(dora.getByText(t('done.saved'))).toBeVisible()
    await expect(dora.getByText(t('ai.templates', { n: 1 }))).toBeVisible()
  })

  await test.step('the member writes; template and endpoint answer, marked as the bot', async () => {
    await signUp(ann, shareCode(dora), 'ann88')
    await expect(ann.getByText(t('member.bot_answers'))).toBeVisible()
    await write(ann, 'What are your opening hours?')
    await expect(messageLog(ann).getByText('From nine to five.')).toBeVisible()
    endpoint.answer = saying('We have coffee.')
    await write(ann, 'and is there coffee?')
    await expect(messageLog(ann).getByText('We have coffee.')).toBeVisible()
    await expect(messageLog(ann).getByText(t('message.bot'), { exact: true }).first()).toBeVisible()
  })

  const recover = dora.getByRole('button', { name: t('room.recover'), exact: true })
  await test.step('the operator reads along, live, under (AI), and cannot write', async () => {
    await dora.goto('/chat/messaging')
    await expect(dora.getByText('ann88')).toHaveCount(0)
    await dora.getByRole('link', { name: t('chat.ai'), exact: true }).click()
    await expect(dora).toHaveURL(/\/chat\/messaging\?ai=1$/)
    await expect(dora).toHaveTitle(new RegExp('\\(AI\\)'))
    await expect(dora.getByRole('heading', { name: t('chat.messaging_ai') })).toBeVisible()
    await expect(dora.getByRole('checkbox')).toHaveCount(0)
    await dora.getByText('ann88').first().click()
    await expect(messageLog(dora).getByText(t('message.bot'), { exact: true }).first()).toBeVisible()
    await expect(dora.getByLabel(t('message.write'))).toHaveCount(0)
    endpoint.answer = saying('And tea as well.')
    await write(ann, 'and tea?')
    await expect(messageLog(dora).getByText('And tea as well.')).toBeVisible()
  })

  await test.step('Recover, before the bot has sent its answer', async () => {
    let release = () => {}
    endpoint.answer = async (asked, response) => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      await saying('much too late')(asked, response)
    }
    const asked = endpoint.asked.length
    await write(ann, 'and cake?')
    await expect.poll(() => endpoint.asked.length).toBe(asked + 1)
    await recover.click()
    await expect(dora).toHaveURL(/\/chat\/messaging\/\d+\/\d+\/[\w-]{22}$/)
    await expect(messageLog(dora).getByText(t('room.line_took_over', { name: 'dora' }))).toBeVisible()
    // Only now: the address alone does not prove that the server has recovered the room.
    release()
    await expect(messageLog(ann).getByText(t('room.line_people_answer'))).toBeVisible()
    await expect(ann.getByText(t('member.bot_answers'))).toHaveCount(0)
    await write(dora, 'Cake on Sundays.')
    await expect(messageLog(ann).getByText('Cake on Sundays.')).toBeVisible()
    await expect(messageLog(dora).getByText('much too late')).toHaveCount(0)
  })

  await test.step('given back to the bot, it answers again; the member asks for a person', async () => {
    endpoint.answer = saying('It is me again.')
    await chooseInMenu(dora, t('room.give_to_bot'))
    const menu = dora.getByRole('navigation', { name: t('chat.menu') })
    await expect(menu.getByRole('link', { name: t('chat.ai'), exact: true })).toHaveAttribute('aria-current', 'page')
    await expect(menu.locator('[aria-current]')).toHaveCount(1)
    await expect(messageLog(ann).getByText(t('room.line_bot_answers'))).toBeVisible()
    await write(ann, 'thank you')
    await expect(messageLog(ann).getByText('It is me again.')).toBeVisible()
    await ann.getByRole('button', { name: t('member.ask_person') }).click()
    await expect(messageLog(ann).getByText(t('room.line_people_answer'))).toHaveCount(2)
    await expect(messageLog(dora).getByText(t('room.line_asked_for_people'))).toBeVisible()
    await expect(dora.getByLabel(t('message.write'))).toBeVisible()
  })

  await test.step('a colleague gives the room to the bot in the middle of a sentence: its next space takes nothing back', async () => {
    const colleague = await clientOf(server.url, 'dora', PASSWORD)
    const room_id = Number(new URL(dora.url()).pathname.split('/')[3])
    await dora.getByLabel(t('message.write')).click()
    await dora.keyboard.type('We open')
    await colleague.call('room/giveToBot', { room_id, settle: 1 })
    await expect(recover).toBeVisible()
    await expectFocus(dora, dora.locator('.room-window h1'))
    await dora.keyboard.press('Space')
    await dora.keyboard.press('Enter')
    await write(ann, 'who is there?')
    await expect(messageLog(ann).getByText('It is me again.')).toHaveCount(2)
    await colleague.call('room/recover', { room_id })
    await expect(dora.getByLabel(t('message.write'))).toBeVisible()
  })

  await test.step('on a phone in Chinese: in and out of an AI room', async () => {
    const words = wordsIn('zh-TW')
    const small = await browserOf(browser, server, { ...phone, colorScheme: 'dark' })
    await small.addInitScript(() => localStorage.setItem('locale', 'zh-TW'))
    await storeSession(small, 'dora', PASSWORD)
    await chooseInMenu(dora, t('room.give_to_bot'))
    await small.goto('/chat/messaging?ai=1')
    await expect(small.getByRole('heading', { name: words('chat.messaging_ai') })).toBeVisible()
    await small.getByText('ann88').first().click()
    await expect(small.getByRole('button', { name: words('room.recover'), exact: true })).toBeVisible()
    await small.getByRole('link', { name: words('action.back') }).click()
    await expect(small).toHaveURL(/\?ai=1$/)
    expectCleanConsole(small)
  })
  expectCleanConsole(dora)
  expectCleanConsole(ann)
})
