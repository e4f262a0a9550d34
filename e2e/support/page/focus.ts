/// <reference lib="dom" />
import { expect, type Locator, type Page } from '@playwright/test'

/** Expects the focus on the target, and not on the body. */
export const expectFocus = async (page: Page, target: Locator) => {
  await expect(target).toBeFocused()
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
}
