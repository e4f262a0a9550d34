/// <reference lib="dom" />
import type { Page } from '@playwright/test'

/**
 * Finds what does not fit on the current page: a document wider than the screen, text cut off or outside its button,
 * text one letter wide, overlapping controls. An ellipsis is allowed, except in controls and headings whose full text
 * is nowhere else.
 */
export const overflows = (page: Page): Promise<string[]> =>
  page.evaluate((width) => {
    const found = new Set<string>()
    const PRESSED = 'button, a[href], select, input:not([type=hidden]), textarea, [role=button], [role=menuitem]'
    const TITLES = 'button, th, label, legend, dt, h1, h2, h3, .chip, nav a[href], [role=menuitem]'

    const nameOf = (element: Element) => {
      const own =
        element.className && typeof element.className === 'string' ? `.${element.className.split(' ')[0]}` : ''
      const words = (element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 60)
      return `${element.tagName.toLowerCase()}${own} “${words}”`
    }
    const isSeen = (element: Element) => {
      const { width: w, height: h } = element.getBoundingClientRect()
      return w > 2 && h > 2 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    }
    /** The visible part of an element after clipping by its ancestors. */
    const cutBox = (element: Element) => {
      const box = element.getBoundingClientRect()
      let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom]
      for (let up = element.parentElement; up; up = up.parentElement) {
        const style = getComputedStyle(up)
        if (style.overflowX === 'visible' && style.overflowY === 'visible') continue
        const clip = up.getBoundingClientRect()
        left = Math.max(left, clip.left)
        top = Math.max(top, clip.top)
        right = Math.min(right, clip.right)
        bottom = Math.min(bottom, clip.bottom)
      }
      return { left, top, right, bottom }
    }
    const isShownInFull = (element: Element) => element.closest('[title], [data-tip], [aria-label]') !== null
    const ownWords = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '')

    const across = document.documentElement.scrollWidth
    if (across > width) found.add(`the page is ${across} px wide`)

    const visible = [...document.body.querySelectorAll('*')].filter(
      (element) => !element.closest('svg') && isSeen(element),
    )
    for (const element of visible) {
      const style = getComputedStyle(element)
      const clips = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
      const dots = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
      const isWide = element.scrollWidth > element.clientWidth + 1 && clips(style.overflowX)
      // A hint that has no space is on a second line, whole, and only the first one shows: nothing of it is cut.
      const isDropped = style.flexWrap === 'wrap' && style.whiteSpace === 'nowrap'
      const isHigh = element.scrollHeight > element.clientHeight + 3 && clips(style.overflowY) && !isDropped
      if ((isWide || isHigh) && (element.textContent ?? '').trim()) {
        if (!dots) found.add(`cut off: ${nameOf(element)}`)
        else if (
          element.closest(TITLES) &&
          !element.closest('bdi') &&
          element.tagName !== 'BDI' &&
          !isShownInFull(element)
        )
          found.add(`cut with dots: ${nameOf(element)}`)
      }
      if (element instanceof HTMLInputElement && element.placeholder && !element.value) {
        const context = document.createElement('canvas').getContext('2d')
        const room = element.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
        if (context) context.font = `${style.fontSize} ${style.fontFamily}`
        if (context && context.measureText(element.placeholder).width > room + 1)
          found.add(`placeholder cut off: ${element.placeholder}`)
      }
      if (!ownWords(element)) continue
      const words = document.createRange()
      words.selectNodeContents(element)
      const parts = [...words.getClientRects()].filter((part) => part.width > 0)
      const lines = new Set(parts.map((part) => Math.round(part.top / 8))).size
      if (lines > 3 && words.getBoundingClientRect().width < 44) found.add(`a letter a line: ${nameOf(element)}`)
      const button = element.closest('button, .button, [role=menuitem], .chip')
      if (!button || dots) continue
      const box = button.getBoundingClientRect()
      const all = words.getBoundingClientRect()
      // In scripts with tall letters a line box is higher than its letters.
      if (all.left < box.left - 1 || all.right > box.right + 1 || all.top < box.top - 6 || all.bottom > box.bottom + 6)
        found.add(`outside of its button: ${nameOf(element)}`)
    }

    const front = [...document.querySelectorAll('[role=dialog], dialog[open]')].filter(isSeen).at(-1) ?? document.body
    const controls = [...front.querySelectorAll(PRESSED)].filter((control) => visible.includes(control))
    for (const control of controls) {
      const { left, top, right, bottom } = cutBox(control)
      const [x, y] = [(left + right) / 2, (top + bottom) / 2]
      if (right - left < 4 || bottom - top < 4 || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue
      const hit = document.elementFromPoint(x, y)
      if (!hit || control.contains(hit) || hit.contains(control)) continue
      if (getComputedStyle(control).pointerEvents === 'none' || hit.closest('label')?.contains(control)) continue
      // Ignore sticky columns and temporary overlays.
      if (hit.closest('.actions, th, .snackbars, .alerts, .to-top, [role=menu]')) continue
      const other = hit.closest(PRESSED)
      if (other && !control.closest('label')?.contains(other))
        found.add(`covered: ${nameOf(control)} by ${nameOf(other)}`)
    }
    return [...found]
  }, page.viewportSize()?.width ?? 1440)
