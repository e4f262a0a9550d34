import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Questions that a program in a process of its own answers; what goes between is JSON. */
type Questions = Record<string, (input: never) => unknown>
type Asked = { id: number; name: string; input: unknown }
type Told = { id: number; data?: unknown; error?: string }

export type Child<Q extends Questions> = {
  pid: number
  ask<N extends keyof Q & string>(name: N, input: Parameters<Q[N]>[0]): Promise<Awaited<ReturnType<Q[N]>>>
  stop(): Promise<void>
}

/** Starts a program of ours in another process, so that what it costs is not counted with what is measured. */
export const startChild = <Q extends Questions>(program: URL): Child<Q> => {
  const child = fork(fileURLToPath(program), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const waiting = new Map<number, { resolve: (data: unknown) => void; reject: (error: Error) => void }>()
  let last = 0
  child.on('message', ({ id, data, error }: Told) => {
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

/** The child's side. It ends when whoever started it is gone or wants no more. */
export const answerParent = (questions: Questions, close: () => Promise<void> = async () => {}): void => {
  process.once('disconnect', () => void close().finally(() => process.exit()))
  process.on('message', ({ id, name, input }: Asked) => {
    void Promise.resolve()
      .then(() => questions[name]?.(input as never))
      .then(
        (data) => process.send?.({ id, data } satisfies Told),
        (error: unknown) =>
          process.send?.({ id, error: String(error instanceof Error ? error.stack : error) } satisfies Told),
      )
  })
}
