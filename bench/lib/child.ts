import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Questions that a program in another process answers. Input and answer are JSON. */
type Questions = Record<string, (input: never) => unknown>
type Asked = { id: number; name: string; input: unknown }
type ChildReply = { id: number; data?: unknown; error?: string }

export type Child<Q extends Questions> = {
  pid: number
  ask<N extends keyof Q & string>(name: N, input: Parameters<Q[N]>[0]): Promise<Awaited<ReturnType<Q[N]>>>
  stop(): Promise<void>
}

/** Starts one of our programs in another process, so that its cost is not measured with the server's. */
export const startChild = <Q extends Questions>(program: URL): Child<Q> => {
  const child = fork(fileURLToPath(program), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const waiting = new Map<number, { resolve: (data: unknown) => void; reject: (error: Error) => void }>()
  let last = 0
  child.on('message', ({ id, data, error }: ChildReply) => {
    const { resolve, reject } = waiting.get(id) ?? {}
    waiting.delete(id)
    if (error === undefined) resolve?.(data)
    else reject?.(new Error(error))
  })
  const ended = new Promise<void>((resolve) =>
    child.once('exit', (code) => {
      for (const { reject } of waiting.values())
        reject(new Error(`${program.pathname.split('/').at(-1)} ended (${code})`))
      resolve()
    }),
  )
  return {
    pid: child.pid ?? 0,
    ask: (name, input) =>
      new Promise((resolve, reject) => {
        waiting.set(++last, { resolve: resolve as (data: unknown) => void, reject })
        child.send({ id: last, name, input } satisfies Asked)
      }),
    stop: () => {
      child.disconnect()
      return ended
    },
  }
}

/** The child's side. It ends when its parent is gone or disconnects. */
export const answerParent = (questions: Questions, close: () => Promise<void> = async () => {}): void => {
  process.once('disconnect', () => void close().finally(() => process.exit()))
  process.on('message', ({ id, name, input }: Asked) => {
    void Promise.resolve()
      .then(() => questions[name]?.(input as never))
      .then(
        (data) => process.send?.({ id, data } satisfies ChildReply),
        (error: unknown) =>
          process.send?.({ id, error: String(error instanceof Error ? error.stack : error) } satisfies ChildReply),
      )
  })
}
