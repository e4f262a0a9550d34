import { type Browser, chromium } from '@playwright/test'
import { chromiumFlags, findChromium } from '../../e2e/browser.ts'

/** The same Chromium as the journeys use. */
export const openBrowser = async (): Promise<Browser> => {
  const executablePath = await findChromium()
  return chromium.launch({ args: chromiumFlags, ...(executablePath ? { executablePath } : {}) })
}
