/// <reference lib="dom" />
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { languages } from '@tallyroom/locales'
import { createServer, type ViteDevServer } from 'vite'
import { expectNoFaults } from '../../support/page/axe.ts'
import { overflows } from '../../support/page/overflow.ts'

// The page of controls, which only `npm run dev` has. It needs no server: nothing on it calls.
let vite: ViteDevServer
const cacheDir = mkdtempSync(join(tmpdir(), 'tallyroom-controls-'))
test.beforeAll(async () => {
  vite = await createServer({
    configFile: fileURLToPath(new URL('../../../web/vite.config.ts', import.meta.url)),
    // `npm run dev` may be running, and has a cache of its own.
    cacheDir,
    server: { port: 0, host: 'localhost', hmr: false, watch: null },
    optimizeDeps: { entries: ['controls.html'] },
    logLevel: 'error',
  })
  await vite.listen()
})
test.afterAll(async () => {
  await vite.close()
  rmSync(cacheDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

type Look = { language?: string; theme?: 'light' | 'dark'; width?: number; forcedColors?: 'active' }
const open = async (browser: Browser, { language = 'en', theme = 'light', width = 1280, forcedColors }: Look = {}) => {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
    ...(forcedColors ? { forcedColors } : {}),
  })
  await context.addInitScript(
    ([locale, scheme]) => {
      localStorage.setItem('locale', locale ?? '')
      localStorage.setItem('theme', scheme ?? '')
    },
    [language, theme] as const,
  )
  const page = await context.newPage()
  await page.goto(`${vite.resolvedUrls?.local[0]}controls.html`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return page
}
/** How a journey names what has the focus, also in a group of radio buttons, of which one is in the tab order. */
const keyOfFocus = (page: Page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll('button, input, select, textarea')]
    const focused = document.activeElement
    const group = focused instanceof HTMLInputElement && focused.type === 'radio' ? focused.name : ''
    const isSeen = focused?.matches(':focus-visible') && getComputedStyle(focused).outlineStyle !== 'none'
    return { key: group || String(all.indexOf(focused ?? document.body)), isSeen }
  })

test('[SHELL-05] each control has a name and enough contrast, in light and dark, also what opens over the page', async ({
  browser,
}) => {
  for (const theme of ['light', 'dark'] as const) {
    const page = await open(browser, { theme })
    await expectNoFaults(page)
    for (const name of ['Dialog', 'Side dialog', 'ConfirmDialog', 'NoticeDialog', 'Right drawer', 'Bottom drawer']) {
      const opener = page.getByRole('button', { name, exact: true })
      await opener.press('Enter')
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectNoFaults(page)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(opener).toBeFocused()
    }
    await page.context().close()
  }
})

test('each control is reached with Tab, and shows that it has the focus', async ({ browser }) => {
  for (const forcedColors of [undefined, 'active'] as const) {
    const page = await open(browser, forcedColors ? { forcedColors } : {})
    const wanted = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>('button, input, select, textarea')].flatMap((control, at) => {
        const isLeftOut = control.disabled || control.tabIndex < 0 || !control.checkVisibility()
        if (isLeftOut) return []
        return [control.type === 'radio' ? control.name : String(at)]
      }),
    )
    const reached = new Set<string>()
    for (const _ of new Set(wanted)) {
      await page.keyboard.press('Tab')
      const { key, isSeen } = await keyOfFocus(page)
      expect([key, isSeen]).toEqual([key, true])
      reached.add(key)
    }
    expect([...reached].sort()).toEqual([...new Set(wanted)].sort())
    await page.context().close()
  }
})

test('[I18N-02] the longest texts of each language fit, on a narrow phone too', async ({ browser }) => {
  const cut: string[] = []
  for (const language of languages) {
    const page = await open(browser, { language, width: 320 })
    cut.push(...(await overflows(page)).map((fault) => `${language}: ${fault}`))
    for (const name of ['Dialog', 'Right drawer', 'Bottom drawer']) {
      await page.getByRole('button', { name, exact: true }).press('Enter')
      await expect(page.getByRole('dialog')).toBeVisible()
      cut.push(...(await overflows(page)).map((fault) => `${language} ${name}: ${fault}`))
      await page.keyboard.press('Escape')
    }
    await page.context().close()
  }
  expect(cut).toEqual([])
})
