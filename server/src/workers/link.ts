import { asError, describe, type Described } from './described-error.ts'

/** One end of Node's channel between a process and its child. */
export type Port = {
  send: (items: Item[], onSent: () => void) => void
  listen: (receive: (items: Item[]) => void) => void
}
type Item =
  | [kind: 'tell', name: string, input: unknown]
  | [kind: 'ask', name: string, input: unknown, id: number]
  | [kind: 'answer', id: number, data: unknown]
  | [kind: 'failure', id: number, error: Described]

/** Handlers of the other end's messages and questions, by name. */
export type Handlers = Record<string, (input: never) => unknown>

export type Link = {
  /** Adds handlers; a question without one fails. */
  on(handlers: Handlers): void
  tell(name: string, input: unknown): void
  /** @throws what the other end's handler throws, or that the link is closed */
  ask<T>(name: string, input: unknown): Promise<T>
  /** Whether the other end reads so slowly that more would only fill this process's memory. */
  isClogged(): boolean
  /** When the other end was last heard, as `performance.now()`. */
  heardAt(): number
  /** The other end is gone: what was asked fails. */
  close(): void
}

/** Writes that the system has not taken yet. One holds all of an event-loop tick. */
const MAX_UNSENT = 500

/** Sends what belongs to one event-loop tick together: a message of its own for each would cost more than its content. */
export const openLink = (port: Port): Link => {
  const handlers: Handlers = {}
  const waiting = new Map<number, { resolve: (data: never) => void; reject: (error: Error) => void }>()
  let lastId = 0
  let outgoing: Item[] = []
  let unsent = 0
  let heardAt = performance.now()
  let isClosed = false

  const flush = () => {
    const items = outgoing
    outgoing = []
    if (isClosed) return
    unsent++
    port.send(items, () => {
      unsent--
    })
  }
  const put = (item: Item) => {
    if (outgoing.push(item) === 1) setImmediate(flush)
  }
  const answer = async (name: string, input: unknown, id: number) => {
    try {
      const handler = handlers[name]
      if (!handler) throw new Error(`Nothing answers "${name}"`)
      put(['answer', id, await handler(input as never)])
    } catch (error) {
      put(['failure', id, describe(error)])
    }
  }
  const settle = (id: number) => {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }
  port.listen((items) => {
    heardAt = performance.now()
    for (const item of items) {
      if (item[0] === 'tell') handlers[item[1]]?.(item[2] as never)
      else if (item[0] === 'ask') void answer(item[1], item[2], item[3])
      else if (item[0] === 'answer') settle(item[1])?.resolve(item[2] as never)
      else settle(item[1])?.reject(asError(item[2]))
    }
  })

  return {
    on: (added) => void Object.assign(handlers, added),
    tell: (name, input) => put(['tell', name, input]),
    ask: (name, input) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('The other process is gone'))
        waiting.set(++lastId, { resolve, reject })
        put(['ask', name, input, lastId])
      }),
    isClogged: () => unsent > MAX_UNSENT,
    heardAt: () => heardAt,
    close() {
      isClosed = true
      for (const { reject } of waiting.values()) reject(new Error('The other process is gone'))
      waiting.clear()
    },
  }
}
