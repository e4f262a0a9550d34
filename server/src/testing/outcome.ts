import { type ErrorName, errors, OK } from '@tallyroom/contract'
import { expect } from 'vitest'

type Ended = { code: number; message?: string; refusal?: ErrorName }

export type Outcome = 'done' | ErrorName

/** How a call ended: 'done', or the name of its refusal. */
export const outcomeOf = ({ code, message, refusal }: Ended): Outcome => {
  if (refusal === undefined && code !== OK) throw new Error(`The answer ${code} names no refusal: ${message}`)
  return refusal ?? 'done'
}

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** The answer refuses with this name, and with its code: `expect(await person.ask(…)).toBeRefusal('room.held')`. */
    toBeRefusal: (name: ErrorName) => R
  }
}

expect.extend({
  toBeRefusal: ({ code, refusal }: Ended, name: ErrorName) => ({
    pass: refusal === name && code === errors[name],
    actual: refusal ?? 'done',
    expected: name,
    message: () => `expected the refusal ${name} (${errors[name]}), and got ${refusal ?? 'done'} (${code})`,
  }),
})
