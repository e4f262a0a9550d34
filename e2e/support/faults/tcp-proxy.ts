import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** A TCP proxy whose connections can be cut, stalled, or lost at one end without notice to the other. */
export type TcpProxy = {
  port: number
  /** Ends all connections and refuses new ones until `restore`. */
  cut(): void
  /** Holds all data in both directions, new connections included, until `restore` delivers it. */
  stall(): void
  restore(): void
  /** Ends the far side of every open connection without notice to the near side. New connections work. */
  lose(): void
  /** For a database: the same for the next connection, as soon as it may ask. */
  loseNext(): void
  /** For a database: the first connection that sends this text ends after its commit, before the answer arrives. */
  loseAnswerTo(text: string): void
  close(): Promise<void>
}

type Pair = { near: Socket; far: Socket; isLost: boolean; losesAnswer: boolean }
const COMMITTED = 'COMMIT\0'
/** ReadyForQuery, outside of a transaction. */
const READY = 'Z\0\0\0\x05I'

const lose = (pair: Pair) => {
  pair.isLost = true
  pair.far.destroy()
}

export const openTcpProxy = async (to: NetConnectOpts): Promise<TcpProxy> => {
  const pairs = new Set<Pair>()
  let losesAnswerTo: string | undefined
  let losesNext = false
  let state: 'whole' | 'cut' | 'stalled' = 'whole'
  const server = createServer((near) => {
    if (state === 'cut') return near.resetAndDestroy()
    const pair: Pair = { near, far: connect(to), isLost: false, losesAnswer: false }
    pairs.add(pair)
    const { far } = pair
    const remove = () => {
      if (pair.isLost) return
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    near.on('data', (part) => {
      if (pair.isLost) return
      if (losesAnswerTo !== undefined && part.includes(losesAnswerTo)) {
        pair.losesAnswer = true
        losesAnswerTo = undefined
      }
      far.write(part)
    })
    far.on('data', (part) => {
      if (pair.losesAnswer && part.includes(COMMITTED)) return near.resetAndDestroy()
      if (pair.isLost) return
      near.write(part)
      if (losesNext && part.includes(READY)) {
        losesNext = false
        lose(pair)
      }
    })
    for (const end of [near, far]) end.setNoDelay(true).on('error', remove).on('close', remove)
    if (state === 'stalled') for (const end of [near, far]) end.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const each = (action: (pair: Pair) => void) => {
    for (const pair of pairs) if (!pair.isLost) action(pair)
  }
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut: () => {
      state = 'cut'
      each(({ near, far }) => {
        near.resetAndDestroy()
        far.destroy()
      })
    },
    stall: () => {
      state = 'stalled'
      each(({ near, far }) => {
        near.pause()
        far.pause()
      })
    },
    restore: () => {
      state = 'whole'
      each(({ near, far }) => {
        near.resume()
        far.resume()
      })
    },
    lose: () => each(lose),
    loseNext: () => {
      losesNext = true
    },
    loseAnswerTo: (text) => {
      losesAnswerTo = text
    },
    close: () => {
      for (const { near, far } of pairs) {
        near.destroy()
        far.destroy()
      }
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
