import { type Browser, expect, type Page } from '@playwright/test'
import { addAccount } from './add-account.ts'
import { browserOf, dialog, PASSWORD, shareCode, signIn, signUp, storeSession, t, write } from './people.ts'
import type { Server } from './server.ts'

/** A text that would run or disguise itself where a page does not escape it. */
export const HOSTILE =
  '<script>window.ran=1</script><img src=x onerror="window.ran=2"> javascript:window.ran=3 \u202Egnp.exe\u202C 👩‍👩‍👧‍👦🏳️‍🌈 a\u200Bb\u200D'
/** The same, short enough for the title of a quick reply. */
export const SHORT = '<img src=x onerror=window.ran=4>\u202Egnp\u202C👩‍👩‍👧\u200B'

/** What a title keeps of it: marks that turn the direction, breaks without a width and a joiner that joins nothing go. */
export const asTitle = (text: string) => text.replace(/[\u202A-\u202E\u200B]|\u200D$/g, '')

/**
 * Records what an injected text would cause. The returned function expects that nothing ran, was requested or was
 * opened.
 */
export const watchForInjection = (page: Page) => {
  const seen: string[] = []
  page.on('dialog', (opened) => {
    seen.push(`dialog ${opened.message()}`)
    void opened.dismiss()
  })
  page.on('request', (request) => {
    const { pathname, protocol, hostname } = new URL(request.url())
    const isForeign = /^(https?|wss?):$/.test(protocol) && hostname !== 'localhost'
    if (isForeign || protocol === 'javascript:' || pathname.endsWith('/x')) seen.push(request.url())
  })
  page.on('popup', (other) => seen.push(`popup ${other.url()}`))
  return async () => {
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
    expect(seen).toEqual([])
  }
}

export const composer = (page: Page) => page.getByLabel(t('message.write'))
/** Presses a button of the open dialog, once it is no longer loading. */
export const pressInDialog = (page: Page, key: Parameters<typeof t>[0]) =>
  dialog(page)
    .getByRole('button', { name: t(key), exact: true })
    .and(page.locator(':not([aria-busy=true])'))
    .click()

/** Below admin the agent dora, below her mika and omar of customer service. */
export const addChatAccounts = async (server: Server) => {
  await addAccount(server, 'agent', 'dora', { credit: '500' })
  for (const name of ['mika', 'omar']) await addAccount(server, 'cs', name, { under: 'dora' })
}

/** Signs up a member below dora who writes, and opens the conversation as mika. Dora is signed in, without an open page. */
export const startConversation = async (browser: Browser, server: Server, username: string) => {
  const dora = await browserOf(browser, server)
  await storeSession(dora, 'dora', PASSWORD)
  const code = shareCode(dora)
  const member = await browserOf(browser, server)
  await signUp(member, code, username)
  await write(member, `hello from ${username}`)
  const mika = await browserOf(browser, server)
  await signIn(mika, 'mika', PASSWORD, '/chat/messaging')
  await mika.getByText(`hello from ${username}`).first().click()
  await expect(composer(mika)).toBeVisible()
  return { dora, member, mika }
}
