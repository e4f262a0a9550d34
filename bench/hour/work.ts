import { setTimeout as pause } from 'node:timers/promises'
import en from '../../locales/en.ts'
import type { Eyes, Keyboard } from './keyboard.ts'
import { amountIn, type Line, type Need } from './script.ts'

/** The command keys that each kind of work took. */
export type Tally = Record<Need | 'finding a room', { times: number; keys: number }>
export const newTally = (): Tally => ({
  answer: { times: 0, keys: 0 },
  'quick reply': { times: 0, keys: 0 },
  points: { times: 0, keys: 0 },
  take: { times: 0, keys: 0 },
  envelope: { times: 0, keys: 0 },
  note: { times: 0, keys: 0 },
  'take over': { times: 0, keys: 0 },
  'pay in': { times: 0, keys: 0 },
  'pay out': { times: 0, keys: 0 },
  'finding a room': { times: 0, keys: 0 },
})

/** As long as a person needs to read an amount and a name. */
const READING_MS = 700

/** Presses Enter through the steps of the points dialog, looking at each. */
const finishPoints = async (keyboard: Keyboard, eyes: Eyes) => {
  for (let step = 0; step < 5; step++) {
    // Without a line nothing is moved; the form waits for it.
    await eyes.until(
      `![...document.querySelectorAll('[role=dialog]')].at(-1)?.textContent.includes(${JSON.stringify(en['connection.points'])})`,
    )
    const before = await eyes.dialogText()
    // A press that comes too early to have read the last question does nothing.
    await pause(READING_MS)
    await keyboard.press('Enter')
    const now = await eyes.until<string>(
      `(() => { const text = [...document.querySelectorAll('[role=dialog]')].at(-1)?.textContent ?? 'closed'; return text !== ${JSON.stringify(before)} && text })()`,
    )
    if (now === 'closed') return
  }
  throw new Error(`the points dialog did not end: ${await eyes.dialogText()}`)
}

const movePoints = async (keyboard: Keyboard, eyes: Eyes, amount: string, takes: boolean) => {
  await keyboard.press('Alt+P')
  await eyes.until(
    `document.activeElement?.closest('[role=dialog]') && document.activeElement.matches('input:not([type=radio])')`,
  )
  if (takes) {
    await keyboard.press('Shift+Tab')
    await keyboard.press('ArrowRight')
    await keyboard.press('Tab')
  }
  await keyboard.type(amount)
  await finishPoints(keyboard, eyes)
  await eyes.canWrite()
}

/** Takes the request for points in the room, looks at it, and pays it. */
const payRequest = async (keyboard: Keyboard, eyes: Eyes) => {
  await eyes.until(`document.querySelector('[data-key=request]')`)
  await keyboard.press('Alt+Y')
  await eyes.until(`document.activeElement?.matches('.drawer .request-acts .button-main')`)
  await keyboard.press('Enter')
  await eyes.until(`document.querySelectorAll('[role=dialog]').length > 1`)
  await finishPoints(keyboard, eyes)
  await eyes.canWrite()
}

/** Does what a message asks for, without answering it. */
export const doNeed = async (line: Line, keyboard: Keyboard, eyes: Eyes): Promise<void> => {
  if (line.need === 'points' || line.need === 'envelope' || line.need === 'take')
    return movePoints(keyboard, eyes, amountIn(line.text), line.need === 'take')
  if (line.need === 'pay in' || line.need === 'pay out') return payRequest(keyboard, eyes)
  if (line.need === 'note') {
    await keyboard.press('Alt+M')
    await eyes.until(`document.activeElement?.matches('.panel-note textarea')`)
    await keyboard.type(`note ${line.text}`)
    // Without a line it is refused and stays; Enter tries again.
    for (let tries = 0; tries < 30; tries++) {
      await keyboard.press('Enter')
      if (await eyes.canWrite(2000).catch(() => false)) return
    }
    throw new Error('the note was not saved')
  }
}
