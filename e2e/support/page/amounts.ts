/// <reference lib="dom" />
import type { Page } from '@playwright/test'

/** The amounts on the page that are cut, or broken into two lines: both read as another amount. */
export const spoiltAmounts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const spoilt: string[] = []
    for (const element of document.querySelectorAll('.points')) {
      // Times have digits of equal width too.
      if (!/^[+−]?[\d,]+\.\d+$/.test(element.textContent ?? '')) continue
      const { left, right } = element.getBoundingClientRect()
      const text = document.createRange()
      text.selectNodeContents(element)
      const lines = new Set([...text.getClientRects()].map(({ top }) => Math.round(top)))
      if (lines.size > 1) spoilt.push(`broken: ${element.textContent}`)
      for (let up = element.parentElement; up; up = up.parentElement) {
        const { overflowX } = getComputedStyle(up)
        if (overflowX === 'visible') continue
        const box = up.getBoundingClientRect()
        // What scrolls can be scrolled to.
        if (overflowX === 'hidden' && (left < box.left - 1 || right > box.right + 1))
          spoilt.push(`cut: ${element.textContent}`)
        break
      }
    }
    return [...new Set(spoilt)]
  })
