import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'

/** Milliseconds between two letters of a quick typist. */
const DELAY = 25

/** The keyboard of the person at the desk. Letters of a text are not counted; every other key is. */
export const makeKeyboard = (page: Page) => {
  const counted = { keys: 0 }
  return {
    counted,
    press: async (key: string) => {
      counted.keys++
      await page.keyboard.press(key)
    },
    type: (text: string) => page.keyboard.type(text, { delay: DELAY }),
  }
}
export type Keyboard = ReturnType<typeof makeKeyboard>

/** What a person reads from the screen; each waits until it is there. */
export const makeEyes = (page: Page) => {
  const until = async <R>(words: string, most = 60_000): Promise<R> => {
    for (const end = Date.now() + most; Date.now() < end; await pause(30)) {
      const found = await page.evaluate<R>(words)
      if (found) return found
    }
    const picture = join(tmpdir(), 'hour.png')
    await page.screenshot({ path: picture })
    throw new Error(`this did not appear (see ${picture}): ${words}`)
  }
  return {
    /** The username of the open room, from its header; empty when no room is open. */
    room: () => page.evaluate<string>(`/hour\\d\\d/.exec(document.querySelector('h1')?.textContent ?? '')?.[0] ?? ''`),
    /** The member's messages below the last answer. */
    unanswered: () =>
      page.evaluate<string[]>(`(() => {
        const rows = [...document.querySelectorAll('[role=log] .c-row')]
        const last = rows.findLastIndex((row) => row.dataset.own !== undefined && row.querySelector('.c-text'))
        return rows.slice(last + 1).flatMap((row) => row.querySelector('.c-text')?.textContent ?? [])
          .filter((text) => text.startsWith('#'))
      })()`),
    isLoaded: () => until(`document.querySelector('[role=log] .c-row') !== null`),
    isTaken: () => page.evaluate<boolean>(`document.querySelector('.c-composer textarea') === null`),
    canWrite: (most?: number) => until(`document.activeElement?.matches('.c-composer textarea')`, most),
    /** The names of the rooms that wait. */
    waiting: () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('.room-rows .room-waiting')].map((wait) =>
        wait.closest('.room-link')?.querySelector('.room-name')?.textContent ?? '')`),
    isSent: () => until(`document.querySelector('.c-composer textarea')?.value === ''`),
    dialog: () => until(`[...document.querySelectorAll('[role=dialog]')].at(-1)?.textContent`),
    dialogText: () =>
      page.evaluate<string>(`[...document.querySelectorAll('[role=dialog]')].at(-1)?.textContent ?? ''`),
    until,
  }
}
export type Eyes = ReturnType<typeof makeEyes>
