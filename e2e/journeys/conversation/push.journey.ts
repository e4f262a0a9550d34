import { createECDH, randomBytes } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { say, type Words } from '@tallyroom/locales'
import { expectNoFaults } from '../../support/page/axe.ts'
import { findChromium, launchWith } from '../../support/page/browser.ts'
import { signIn as clientOf } from '../../support/client.ts'
import { type Gate, openGate } from '../../support/gate.ts'
import { addAccount } from '../../support/add-account.ts'
import { phone, browserOf, PASSWORD, shareCode, signIn, signUp, t, write, storeSession } from '../../support/people.ts'
import { LONG, looksIn } from '../../support/long.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let gate: Gate
// Each test depends on the one before it.
test.describe.configure({ mode: 'serial' })
test.use({ launchOptions: launchWith(await findChromium()) })
test.beforeAll(async () => {
  server = await startJourneyServer()
  gate = await openGate(server)
  await addAccount(server, 'agent', 'dora')
})
test.afterAll(async () => {
  gate.close()
  await server.remove()
})

/** Waits until the service worker has cached all files of the build and controls the page. */
const workerReady = (page: Page) => {
  const isReady = async () => {
    const found = await navigator.serviceWorker.getRegistration()
    return found?.active?.state === 'activated' && navigator.serviceWorker.controller !== null
  }
  // All files of the build, while the other journeys begin.
  return expect.poll(() => page.evaluate(isReady), { timeout: 60_000 }).toBe(true)
}
const stores = (page: Page) => page.evaluate(() => caches.keys())
const faults = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  return installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')
}
const offline = (page: Page) => page.getByRole('heading', { name: t('offline.title') })

test(
  'without a line a page says so, comes back by itself with what was typed, and can be installed',
  LONG,
  async ({ browser }) => {
    const options = { baseURL: gate.url, serviceWorkers: 'allow' } as const
    const dora = await browserOf(browser, server, options)
    const ann = await browserOf(browser, server, { ...phone, ...options })
    await storeSession(dora, 'dora', PASSWORD)
    await signUp(ann, shareCode(dora), 'annoff')
    await write(ann, 'is it there?')
    // Its worker controls /m, and not the invitation.
    await ann.goto('/m')
    await dora.goto('/chat/messaging')
    await dora.getByText('is it there?').first().click()
    await Promise.all([workerReady(dora), workerReady(ann)])
    expect([await faults(dora), await faults(ann)]).toEqual([[], []])
    // Only files of the build and the offline page are cached: no answers of calls and no personal pages.
    const kept = await dora.evaluate(async () => {
      const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
      return all.flat().map(({ url }) => new URL(url).pathname)
    })
    expect(kept.length).toBeGreaterThan(50)
    expect(kept.filter((path) => !path.startsWith('/assets/') && path !== '/offline.html')).toEqual([])

    gate.shut(true)
    const url = dora.url()
    for (const [page, text] of [
      [dora, 'half a thought'],
      [ann, 'half an answer'],
    ] as const) {
      await page.getByLabel(t('message.write')).fill(text)
      await page.reload()
      await expect(offline(page)).toBeVisible()
      await expect(page.getByText(t('offline.typed'))).toBeVisible()
    }
    for (const language of looksIn) {
      const { default: words } = (await import(`../../../locales/${language}.ts`)) as { default: Words }
      for (const theme of language === 'en' ? ['light', 'dark'] : ['light']) {
        await ann.evaluate(
          ([locale, look]) => {
            localStorage.setItem('locale', locale ?? '')
            localStorage.setItem('theme', look ?? '')
          },
          [language, theme],
        )
        await ann.reload()
        await expect(ann.getByRole('heading')).toHaveText(say(words, language, 'offline.title'))
        if (language === 'en') await expectNoFaults(ann)
      }
      expect(await ann.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    }
    await ann.evaluate(() => localStorage.setItem('locale', 'en'))
    await ann.reload()

    gate.shut(false)
    await expect(dora.getByLabel(t('message.write'))).toHaveValue('half a thought')
    await expect(ann.getByLabel(t('message.write'))).toHaveValue('half an answer')
    expect(dora.url()).toBe(url)
    const client = await clientOf(server.url, 'dora', PASSWORD)
    await expect
      .poll(async () => (await client.call('draft/list', {})).data.map(({ content }) => content))
      .toEqual(['half a thought'])
    for (const page of [dora, ann]) await page.context().close()
  },
)

test('a page that stays open during an update still loads all its files, and the next page load is the new version', async ({
  browser,
}) => {
  const dora = await browserOf(browser, server, { baseURL: gate.url, serviceWorkers: 'allow' })
  await signIn(dora, 'dora', PASSWORD)
  await workerReady(dora)
  const [before] = await stores(dora)
  const text = await (await fetch(`${gate.url}/sw.js`)).text()
  gate.build(text.replace(/"version":"\w+"/, '"version":"another"'))
  await dora.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await expect
    .poll(() => dora.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state))
    .toBe('installed')
  expect(await stores(dora)).toEqual(expect.arrayContaining([before, 'tallyroom-office-another']))
  await dora.getByRole('link', { name: t('menu.quick_replies') }).click()
  await expect(dora.getByRole('heading', { name: t('menu.quick_replies') })).toBeVisible()

  // Once it is connected again, the open page offers the build that the server has now.
  const body = '<script type="module" src="/assets/index-another.js"></script>'
  await dora.route('**/index', (route) => route.fulfill({ contentType: 'text/html', body }))
  gate.shut(true)
  await expect(dora.getByText(t('connection.nothing_kept'))).toBeVisible()
  gate.shut(false)
  const load = dora.getByRole('button', { name: t('shell.new_version') })
  await load.click()
  await expect(dora.getByRole('heading', { name: t('menu.quick_replies') })).toBeVisible()
  await expect(load).toHaveCount(0)

  const next = await dora.context().newPage()
  await dora.close()
  // The page before may still be closing, and its worker would control a new page: wait until no page is open.
  const afresh = async () => {
    // Now and then the browser never answers a page that is opened while its worker changes.
    await next.goto('/index', { timeout: 15_000 }).catch(() => undefined)
    const found = await stores(next).catch(() => [])
    await next.goto('about:blank')
    return found
  }
  await expect.poll(afresh, { timeout: 90_000 }).toEqual(['tallyroom-office-another'])
  await next.goto('/index')
  await expect(next.getByRole('link', { name: t('menu.quick_replies') })).toBeVisible()
  gate.build(undefined)
  await next.context().close()
})

test('a switch turns notifications on and off, one of them opens its room, and where there can be none it says why', async ({
  browser,
}) => {
  const dora = await browserOf(browser, server, { baseURL: gate.url, serviceWorkers: 'allow' })
  const context = dora.context()
  await context.grantPermissions(['notifications'], { origin: gate.url })
  // Push services are not called in tests: this is their answer.
  const keys = {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  await context.addInitScript(`
    const subscription = { endpoint: 'https://fcm.googleapis.com/fcm/send/journey', options: {}, toJSON: () => ({ keys: ${JSON.stringify(keys)} }), unsubscribe: async () => true }
    PushManager.prototype.getSubscription = async () => null
    PushManager.prototype.subscribe = async () => subscription
  `)
  await storeSession(dora, 'dora', PASSWORD)
  const bob = await browserOf(browser, server, { ...phone, baseURL: gate.url })
  await bob.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
  await signUp(bob, shareCode(dora), 'bobpush')
  await write(bob, 'anybody there?')

  await dora.goto('/chat/messaging')
  const client = await clientOf(server.url, 'dora', PASSWORD)
  await dora.getByRole('button', { name: t('push.off') }).click()
  await expect(dora.getByText(t('push.turned_on_office'))).toBeVisible()
  await dora.reload()
  await expect(dora.getByRole('button', { name: t('push.on') })).toBeVisible()

  await workerReady(dora)
  const { data } = await client.call('room/list', {})
  const room = data.find(({ name }) => name === 'bobpush')
  if (!room) throw new Error('there is no room')
  const news = {
    title: 'bobpush',
    body: t('push.new_message'),
    tag: room.code,
    url: `/chat/messaging/${room.id}/${room.member_id}/${room.code}`,
  }
  const session = await context.newCDPSession(dora)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL === `${gate.url}/`)
      if (found) resolve(found.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  const deliver = (title: string) =>
    session.send('ServiceWorker.deliverPushMessage', {
      origin: gate.url,
      registrationId,
      data: JSON.stringify({ ...news, title }),
    })
  const shown = () =>
    dora.evaluate(async () => {
      const all = (await (await navigator.serviceWorker.getRegistration())?.getNotifications()) ?? []
      return all.map(({ title, body, tag }) => ({ title, body, tag }))
    })
  // Each must have arrived before the next step: a second one that comes late would bring back what the click closed.
  for (const title of ['an earlier one', news.title]) {
    await deliver(title)
    await expect.poll(shown).toEqual([{ title, body: news.body, tag: news.tag }])
  }

  // A click on a notification, as the browser reports it.
  const worker = () => context.serviceWorkers().find((one) => one.url() === `${gate.url}/sw.js`)
  await expect.poll(() => worker() !== undefined).toBe(true)
  await worker()?.evaluate(async () => {
    const scope = globalThis as unknown as { registration: ServiceWorkerRegistration }
    const [notification] = await scope.registration.getNotifications()
    const made = Reflect.get(globalThis, 'NotificationEvent') as new (name: string, init: object) => Event
    dispatchEvent(new made('notificationclick', { notification }))
  })
  await dora.waitForURL(`**${news.url}`)
  await expect(dora.getByRole('log').getByText('anybody there?')).toBeVisible()
  await expect.poll(shown).toEqual([])

  await dora.getByRole('button', { name: t('push.on') }).click()
  await expect(dora.getByRole('button', { name: t('push.off') })).toBeVisible()
  await bob.getByRole('button', { name: t('member.menu') }).click()
  await bob.getByRole('button', { name: t('push.off') }).click()
  await expect(bob.getByText(t('push.insecure'))).toBeVisible()
  for (const page of [dora, bob]) await page.context().close()
})
