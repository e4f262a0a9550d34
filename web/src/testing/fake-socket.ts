import type { EventName, ServerEvents } from '@tallyroom/contract/events'
import { events } from '@tallyroom/contract/events'
import { act } from '@testing-library/react'
import { Manager, Socket } from 'socket.io-client'
import { expect, vi } from 'vitest'

/**
 * The page's socket without a server. `arrives` is an event of the server, as the contract has it; the page listens as
 * soon as `startLive` has begun. `stop` gives the library its functions back.
 */
export const fakeSocket = () => {
  const spies = [vi.spyOn(Manager.prototype, 'open').mockReturnThis(), vi.spyOn(Socket.prototype, 'on')] as const
  const listeners = (name: EventName) => {
    const socket = spies[1].mock.contexts.at(-1) as Socket | undefined
    return socket?.listeners(name) ?? []
  }
  return {
    /** The page has made its socket. */
    isReady: () => expect.poll(() => listeners('ended').length).toBeGreaterThan(0),
    arrives: <N extends EventName>(name: N, payload: Parameters<ServerEvents[N]>[0]) => {
      events[name].parse(payload)
      act(() => {
        for (const listener of listeners(name)) (listener as (payload: unknown) => void)(payload)
      })
    },
    stop: () => {
      for (const spy of spies) spy.mockRestore()
    },
  }
}
