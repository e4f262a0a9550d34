/// <reference lib="dom" />
import { expect, test } from '@playwright/test'
import { signIn as clientOf } from '../../support/client.ts'
import {
  browserOf,
  PASSWORD,
  phone,
  expectCleanConsole,
  signUp,
  signUpByForm,
  t,
  messageLog,
  write,
} from '../../support/people.ts'
import { signedIn } from '../../support/signed-in.ts'
import { addAccount } from '../../support/add-account.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
})
test.afterAll(() => server.remove())

test('[CONV-11] a link opens a new window without opener or referrer; the real host of a disguised link is shown', async ({
  browser,
}) => {
  const dora = await clientOf(server.url, 'dora', PASSWORD)
  const { share_code } = await dora.call('user/view', {})
  const member = await browserOf(browser, server, phone)
  await signUp(member, share_code, 'annlinks')
  const { host } = new URL(server.url)
  const target = `${server.url}/config.json?from=chat`
  await write(member, `look at ${target}, or javascript:alert(1)`)
  await write(member, `http://bank.example@${host}/x`)
  await write(member, `https://${'long-'.repeat(40)}.example/${'path/'.repeat(40)}`)
  await expect(messageLog(member).getByRole('link')).toHaveCount(3)
  expect(await member.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)

  const office = await signedIn(browser, server, 'dora')
  const room = (await dora.call('room/list', {})).data[0]
  await office.goto(`/chat/messaging/${room?.room_id}/${room?.member_id}/${room?.code}`)
  await expect(messageLog(office).getByRole('link')).toHaveCount(3)
  await expect(messageLog(office).getByRole('link', { name: `(${host})` })).toBeVisible()
  for (const page of [office, member]) {
    const opening = page.context().waitForEvent('page')
    await messageLog(page).getByRole('link', { name: target, exact: true }).click()
    const opened = await opening
    await opened.waitForLoadState()
    expect(opened.url()).toBe(target)
    expect(await opened.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
    await opened.close()
    await expect(page.getByLabel(t('message.write'))).toBeVisible()
  }
  expectCleanConsole(office)
  expectCleanConsole(member)
})

test('a signed-in member who opens the share link of another agent reads why it leads to the own conversation', async ({
  browser,
}) => {
  await addAccount(server, 'agent', 'tina')
  const codeOf = async (name: string) =>
    (await (await clientOf(server.url, name, PASSWORD)).call('user/view', {})).share_code
  const [own, other] = await Promise.all([codeOf('dora'), codeOf('tina')])
  const page = await browserOf(browser, server, phone)
  await signUpByForm(page, own, 'first1')
  const told = page.getByText(t('member.invitation_unused'))
  await page.goto(`/Signup/${own}`)
  await expect(page.getByLabel(t('message.write'))).toBeVisible()
  await expect(told).toHaveCount(0)
  await page.goto(`/Signup/${other}`)
  await expect(told).toBeVisible()
  await expect(page).toHaveURL(/\/m$/)
  await told.getByRole('button', { name: t('action.close') }).click()
  await expect(told).toHaveCount(0)
  await page.reload()
  await expect(page.getByLabel(t('message.write'))).toBeVisible()
  await expect(told).toHaveCount(0)
  expectCleanConsole(page)
})
