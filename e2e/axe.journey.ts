/// <reference lib="dom" />
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { account, browserOf, PASSWORD, phone, quiet, shareCode, signIn, signUp, t, talk, write } from './people.ts'
import { type Server, startServer } from './server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startServer()
  await account(server, 'add', 'agent', 'faye', '--under', 'admin', '--password', PASSWORD, '--credit', '500')
  await account(server, 'add', 'cs', 'cleo', '--under', 'faye', '--password', PASSWORD)
})
test.afterAll(() => server.remove())

const faultsOf = async (axe: AxeBuilder, where: string) => {
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${where}: ${id} ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
  )
}
const inTheme = async (page: Page, colorScheme: 'light' | 'dark') => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
}
/** All rules in the light; in the dark only the colours, for nothing else differs and nothing is loaded anew. */
const inBoth = async (page: Page, where: string) => {
  await expect(page.getByRole('main')).not.toBeEmpty()
  await expect(page.locator('[aria-busy=true], .opening, .bar')).toHaveCount(0)
  const axe = () => new AxeBuilder({ page }).setLegacyMode()
  await inTheme(page, 'light')
  const light = await faultsOf(axe(), `${where} light`)
  await inTheme(page, 'dark')
  return [...light, ...(await faultsOf(axe().withRules('color-contrast'), `${where} dark`))]
}
/** Every page of the own menu by its links, then those of the talk. */
const office = async (page: Page, name: string) => {
  const found: string[] = []
  const links = page.getByRole('navigation', { name: t('shell.menu') }).getByRole('link')
  const here = page.getByRole('navigation', { name: t('shell.here') })
  await expect(links).not.toHaveCount(0)
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  for (const path of paths.filter((each) => each !== '/chat')) {
    const link = links.and(page.locator(`[href="${path}"]`))
    await link.click()
    // The address changes at once, the title with the page.
    await expect(here).toContainText(await link.locator('.side-word').innerText())
    found.push(...(await inBoth(page, `${name} ${path}`)))
  }
  for (const path of ['/chat/messaging', '/chat/hide', '/chat/contact']) {
    await page.goto(path)
    found.push(...(await inBoth(page, `${name} ${path}`)))
  }
  return found
}

test('[SHELL-06] axe finds nothing on any page, of any role, in the light and in the dark', async ({ browser }) => {
  const out = await browserOf(browser, server)
  const outside = async () => {
    const found: string[] = []
    for (const path of ['/login', '/404', '/403', '/500', '/m', '/Signup/none']) {
      await out.goto(path)
      found.push(...(await inBoth(out, path)))
    }
    return found
  }
  const [admin, faye, cleo] = [
    await browserOf(browser, server),
    await browserOf(browser, server),
    await browserOf(browser, server),
  ]
  const gus = await browserOf(browser, server, phone)
  await signIn(faye, 'faye', PASSWORD)
  const talked = async () => {
    await signUp(gus, await shareCode(faye), 'gusfirst')
    await write(gus, 'hello')
    await expect(talk(gus).getByText('hello')).toBeVisible()
    const member = await inBoth(gus, 'member')
    const found = await office(faye, 'faye')
    await faye.goto('/chat/messaging')
    await faye.getByText('hello').first().click()
    await expect(talk(faye).getByText('hello')).toBeVisible()
    return [...member, ...found, ...(await inBoth(faye, 'room'))]
  }
  const others = async () => {
    const found = await outside()
    await signIn(admin, 'admin', server.password)
    found.push(...(await office(admin, 'admin')))
    await signIn(cleo, 'cleo', PASSWORD)
    return [...found, ...(await office(cleo, 'cleo'))]
  }
  const found = (await Promise.all([talked(), others()])).flat()
  expect([...new Set(found)]).toEqual([])
  for (const page of [out, admin, faye, cleo, gus]) quiet(page)
})
