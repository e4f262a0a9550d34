import { type Browser, chromium } from '@playwright/test'
import { findChromium, launchWith } from '../../e2e/support/browser.ts'

/** A whole Chromium, as people have; most journeys use one without windows. */
export const openBrowser = async (): Promise<Browser> => {
  return chromium.launch(launchWith(await findChromium()))
}
