/// <reference lib="dom" />
import { MessageType } from '@tallyroom/contract/codes'
import { expect, type Page, test } from '@playwright/test'
import { signIn as signInClient, signUp as signUpClient } from '../../support/client.ts'
import {
  browserOf,
  dialog,
  expectCleanConsole,
  messageLog,
  PASSWORD,
  readQuestion,
  signIn,
  signInMember,
  t,
  write,
} from '../../support/people.ts'
import { addAccount } from '../../support/add-account.ts'
import { openPointsDialog } from '../../support/points.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora', { credit: '1000' })
})
test.afterAll(() => server.remove())

/**
 * What the translator of a browser does: each text moves into elements of its own. `all`: one that does not look at
 * `translate`. @returns the classes of what holds the moved texts
 */
const translate = (page: Page, all = false) =>
  page.evaluate((ignoresMarks) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    const moved = new Set<string>()
    for (const text of texts) {
      const holder = text.parentElement
      if (!holder || !/[\p{L}\p{N}]/u.test(text.data) || holder.closest('script, style, textarea, font')) continue
      if (!ignoresMarks && !holder.translate) continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      text.replaceWith(outer)
      outer.append(inner)
      inner.append(text)
      moved.add(holder.className)
    }
    return [...moved]
  }, all)

const box = (page: Page) => page.getByLabel(t('message.write'))
const list = (page: Page) => page.getByRole('list', { name: t('chat.rooms') })

for (const all of [false, true])
  test(`[TEXT-03] a page that a translator has changed${all ? ', heedless of its marks,' : ''} goes on working`, async ({
    browser,
  }) => {
    const dora = await signInClient(server.url, 'dora', PASSWORD)
    const { share_code } = await dora.call('user/view', {})
    const [name, other] = all ? ['eva11', 'ira11'] : ['eva22', 'ira22']
    const ids = new Map<string, number>()
    for (const one of [name, other]) {
      const member = await signUpClient(server.url, share_code, one)
      ids.set(one, (await member.call('user/view', {})).id)
      const code = (await member.call('room/list', {})).data[0]?.code ?? ''
      await member.call('sendMessage', { code, type: MessageType.text, content: `Guten Tag von ${one}` })
    }
    const office = await browserOf(browser, server)
    const phone = await browserOf(browser, server)
    await signIn(office, 'dora', PASSWORD, '/chat/messaging')
    await signInMember(phone, name)
    await list(office).getByRole('listitem').filter({ hasText: name }).getByRole('link').click()
    await expect(messageLog(office).getByText(`Guten Tag von ${name}`)).toBeVisible()
    await expect(messageLog(phone).getByText(`Guten Tag von ${name}`)).toBeVisible()
    const both = async () => {
      for (const page of [office, phone]) {
        const moved = await translate(page, all)
        // Marked pages give the words of people, and nothing else.
        if (!all) expect(moved.filter((holder) => !holder.split(' ').includes('c-text'))).toEqual([])
      }
    }
    await both()

    await test.step('messages are sent and received', async () => {
      await write(office, 'Good morning')
      await expect(messageLog(phone).getByText('Good morning')).toBeVisible()
      await both()
      await write(phone, 'Danke')
      await expect(messageLog(office).getByText('Danke')).toBeVisible()
      await both()
    })

    await test.step('a message that is taken back leaves nothing of its words', async () => {
      const bubble = messageLog(phone).getByRole('article').filter({ hasText: 'Danke' })
      await bubble.hover()
      await bubble.locator('.c-more').click()
      await phone
        .getByRole('dialog')
        .getByRole('button', { name: t('message.take_back') })
        .click()
      await expect(messageLog(office).getByText('Danke')).toHaveCount(0)
      await expect(messageLog(phone).getByText('Danke')).toHaveCount(0)
      await both()
    })

    await test.step('the room is taken, and the list filtered', async () => {
      await office.keyboard.press('Alt+T')
      await both()
      await office.getByRole('button', { name: new RegExp(`^${t('chat.only_waiting')}`) }).click()
      await both()
      await office.getByRole('button', { name: new RegExp(`^${t('chat.all')}`) }).click()
      await list(office).getByRole('listitem').filter({ hasText: other }).getByRole('link').click()
      await expect(messageLog(office).getByText(`Guten Tag von ${other}`)).toBeVisible()
      await both()
    })

    await test.step('points move, and the member sees the new balance', async () => {
      const id = ids.get(name) ?? 0
      await dora.call('user/transaction', { id, amount: '5', remark: 'first' })
      await expect(phone.getByRole('button', { name: t('member.balance') })).toContainText('5.00')
      await both()
      await dora.call('user/transaction', { id, amount: '7', remark: 'second' })
      await expect(phone.getByRole('button', { name: t('member.balance') })).toContainText('12.00')
    })

    await test.step('points are given in the room, up to the last step', async () => {
      await openPointsDialog(office, 'room.points_send')
      await dialog(office).getByLabel(t('transfer.amount')).fill('1.5')
      const step = async (name: string | RegExp) => {
        await both()
        await dialog(office).getByRole('button', { name }).click()
      }
      await step(t('action.next'))
      await readQuestion(office)
      await step(/^Give 1\.50 to /)
      await expect(dialog(office).getByText(t('transfer.moved'))).toBeVisible()
      await step(t('action.ok'))
      await expect(dialog(office)).toHaveCount(0)
    })

    await test.step('a form is saved', async () => {
      await office.goto('/setup/self')
      await office.getByLabel(t('account.nickname')).fill('Dora')
      await translate(office, all)
      await office
        .getByRole('button', { name: t('action.save') })
        .first()
        .click()
      await expect(office.getByText(t('done.saved'))).toBeVisible()
    })

    await test.step('the history is sorted', async () => {
      await office.goto(`/transaction/list/${name}`)
      await expect(office.getByRole('row').filter({ hasText: 'second' })).toBeVisible()
      await translate(office, all)
      for (let n = 0; n < 3; n++) {
        await office
          .getByRole('columnheader', { name: t('transfer.amount') })
          .getByRole('button')
          .click()
        await expect(office.getByRole('row').filter({ hasText: 'second' })).toBeVisible()
        await translate(office, all)
      }
    })
    await expect(box(phone)).toBeVisible()
    for (const page of [office, phone]) expectCleanConsole(page)
  })
