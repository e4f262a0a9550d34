import { type Browser, chromium } from '@playwright/test'
import { findChromium, launchWith } from '../../e2e/support/page/browser.ts'

/** A full Chromium with windows; most journeys use the one without. */
export const openBrowser = async (): Promise<Browser> => {
  return chromium.launch(launchWith(await findChromium()))
}
