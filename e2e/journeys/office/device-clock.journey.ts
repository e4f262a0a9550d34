/// <reference lib="dom" />
import { expect, type Page, test } from '@playwright/test'
import { type CallName } from '@tallyroom/contract'
import { open } from '@tallyroom/contract/wire'
import { browserOf, expectCleanConsole, messageLog, signInMember, t, write } from '../../support/people.ts'
import { addPointsAccounts } from '../../support/points.ts'
import { signedIn } from '../../support/signed-in.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addPointsAccounts(server)
})
test.afterAll(() => server.remove())

const DAY = 86_400_000
/** Each page, and the calls that name it a first and a last day or time. */
const pages: [path: string, ...calls: CallName[]][] = [
  ['/report/sr02', 'report/sr02'],
  ['/report/sr02?time=yesterday', 'report/sr02'],
  ['/report/statement', 'statement/view', 'statement/lines'],
  ['/report/work', 'report/work'],
  ['/transaction/list', 'transaction/list', 'transaction/totals'],
  ['/transaction/list?time=today', 'transaction/list', 'transaction/totals'],
  ['/transaction/list?time=month', 'transaction/list', 'transaction/totals'],
]

/** The days and times that the page names to the server first: "call field" and the value. Later calls follow events. */
const namedTimes = (page: Page) => {
  const found: Record<string, string> = {}
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/api/')) return
    const body = request.postDataJSON() as { params?: string } | null
    if (!body?.params) return
    const name = pathname.slice(5) as CallName
    const input = open(name, body.params, 'tallyroom') as Record<string, unknown>
    for (const [field, value] of Object.entries(input))
      if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) found[`${name} ${field}`] ??= value
  })
  return found
}

const readPages = async (page: Page): Promise<Record<string, string>> => {
  const found = namedTimes(page)
  const all: Record<string, string> = {}
  for (const [path, ...calls] of pages) {
    await page.goto(`${server.url}${path}`)
    await expect.poll(() => new Set(Object.keys(found).map((key) => key.split(' ')[0]))).toEqual(new Set(calls))
    for (const [key, value] of Object.entries(found)) all[`${path} ${key}`] = value
    // What this page asks later must not count for the next one.
    await page.goto('about:blank')
    for (const key of Object.keys(found)) delete found[key]
  }
  return all
}

let expected: Promise<Record<string, string>> | undefined
for (const [name, wrong] of [
  ['a year behind', -365 * DAY],
  ['a day ahead', DAY],
  ['an hour behind', -3_600_000],
] as const)
  test(`[FIRST-05] a device whose clock is ${name} asks for the same days, marks and answers as any other`, async ({
    browser,
  }) => {
    expected ??= signedIn(browser, server, 'dora').then(readPages)
    const same = await expected
    const page = await signedIn(browser, server, 'dora', { timezoneId: 'Pacific/Kiritimati' })
    await page.clock.install({ time: Date.now() + wrong })
    const asked = await readPages(page)
    expect(Object.keys(asked).sort()).toEqual(Object.keys(same).sort())
    expect(Object.keys(asked)).toHaveLength(2 * pages.flatMap(([, ...calls]) => calls).length)
    // The second device reads some minutes later. A whole day has no time.
    const isSame = ([key, value]: [string, string]) => {
      const apart = Date.parse(`${value}Z`.replace(' ', 'T')) - Date.parse(`${same[key]}Z`.replace(' ', 'T'))
      return Math.abs(apart) <= (value.length > 10 ? 600_000 : 0)
    }
    const wrongOnes = Object.entries(asked).filter((one) => !isSame(one))
    expect(wrongOnes.map(([key, value]) => `${key}: ${value}, not ${same[key]}`)).toEqual([])
    expectCleanConsole(page)
  })

test('[FIRST-05] on a phone a year ahead a member writes, reads "Today" and finds its points', async ({ browser }) => {
  const page = await browserOf(browser, server)
  await page.clock.install({ time: Date.now() + 365 * DAY })
  const began = Date.now()
  await signInMember(page, 'ann88')
  const found = namedTimes(page)
  await write(page, 'Good evening')
  await expect(messageLog(page).getByText('Good evening')).toBeVisible()
  await expect(page.locator('.c-day').first()).toHaveText(t('time.today'))
  await page.getByRole('button', { name: t('member.balance') }).click()
  await expect.poll(() => found['transaction/list end_time']).toBeDefined()
  const end = Date.parse(`${found['transaction/list end_time']}Z`.replace(' ', 'T'))
  expect(Math.abs(end - began)).toBeLessThan(300_000)
  expectCleanConsole(page)
})
