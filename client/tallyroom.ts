import { type Calls, calls } from './calls.ts'
import { type Cursor, listed } from './paging.ts'
import { receiver, type Receiver, type ReceiveOptions } from './receive.ts'
import type { WriteOptions } from './options.ts'
import { makeSend, type TallyroomOptions } from './send.ts'

/** The calls of the member API, in groups as they are named: `points/give` is `points.give`. */
export type Tallyroom = Calls & {
  /** Takes webhooks: each event once, in the order of its number, and those that did not arrive too. */
  receive: (options: ReceiveOptions) => Receiver
}

/** `sign-in` as `signIn`. */
const memberName = (name: string) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * A client for one key. It sends nothing until a call is made.
 * @throws TypeError for an address that is none, and without a key or its secret
 */
export const createTallyroom = (options: TallyroomOptions): Tallyroom => {
  const send = makeSend(options)
  const groups: Record<string, Record<string, unknown>> = {}
  for (const [name, kind] of Object.entries(calls) as [string, { isWrite?: boolean; cursor?: Cursor }][]) {
    const [group = '', method = ''] = name.split('/').map(memberName)
    const ask = (input: object = {}, more: WriteOptions = {}) => send(name, input, more, kind.isWrite === true)
    const { cursor } = kind
    const call = cursor
      ? (input?: object, more?: WriteOptions) => listed((from) => ask({ ...input, ...from }, more), cursor)
      : ask
    groups[group] = { ...groups[group], [method]: call }
  }
  const made = groups as unknown as Calls
  return { ...made, receive: (how) => receiver(made, how) }
}
