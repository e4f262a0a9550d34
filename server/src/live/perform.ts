import type { Logger } from 'pino'
import { isSplit } from './channels.ts'
import type { LookAction, RelayAction, RelayedEvent } from './frames.ts'
import type { Io } from './io.ts'

export type ActionHelpers = {
  /** Reads again what may have changed; without an action everything that may have been missed. */
  look: (action?: LookAction) => void
  recheck: (accountIds: number[]) => void
  /** The sockets of these channels were closed or moved. */
  noteMoved: (channels: string[]) => void
}

/** Performs actions on the sockets of this copy, its own and those of other copies. */
export const makePerformer = (io: Io, { look, recheck, noteMoved }: ActionHelpers, log: Pick<Logger, 'error'>) => {
  const perform = (action: RelayAction) => {
    if (action.do === 'say') action.said.forEach(emit)
    else if (action.do === 'end') end(action.sessions, action.reason)
    else if (action.do === 'mask') moveChannels(action.accounts, action.masks)
    else if (action.do === 'rights') recheck(action.accounts)
    else if (action.do === 'reconnect') reconnect(action.channels)
    else look(action.do === 'look' ? action : undefined)
  }
  const emit = ({ event, to, except, payload }: RelayedEvent) => {
    // Most events of another process have no listener here, and the library would encode them first.
    const { rooms } = io.of('/').adapter
    if (!to.some((name) => rooms.has(name))) return
    // `RelayedEvent` loses the connection of name and payload, which `add` has checked.
    io.to(to)
      .except(except)
      .emit(event as 'room', payload as never)
  }
  const end = (sessions: string[], reason: string) => {
    const channels = sessions.map((id) => `session:${id}`)
    noteMoved(channels)
    io.to(channels).emit('ended', { reason })
    io.in(channels).disconnectSockets(true)
  }
  /** Closes sockets so that they connect again: joining checks again what each may hear. */
  const reconnect = (channels: string[]) => {
    noteMoved(channels)
    const { adapter, sockets } = io.of('/')
    const ids = new Set(channels.flatMap((name) => [...(adapter.rooms.get(name) ?? [])]))
    for (const id of ids) sockets.get(id)?.conn.close()
  }
  const moveChannels = (accounts: number[], masks: boolean) => {
    const people = accounts.map((id) => `user:${id}`)
    noteMoved(people)
    const moved = io.in(people).fetchSockets()
    moved.then(
      (sockets) => {
        for (const socket of sockets) {
          for (const name of socket.rooms) {
            const [from, to] = masks ? [name, `${name}:masked`] : [name, name.replace(/:masked$/, '')]
            if (!isSplit(from, masks)) continue
            socket.join(to)
            // A masked account stays in `user:{id}` too.
            if (!from.startsWith('user:') || !masks) socket.leave(from)
          }
        }
      },
      (error: unknown) => log.error({ err: error }, 'Could not move sockets to the masked channels'),
    )
  }
  return { perform, emit }
}
