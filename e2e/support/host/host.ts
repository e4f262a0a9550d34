import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer, Ask } from './program.ts'

const program = fileURLToPath(new URL('../../../server/dist/journey-host.js', import.meta.url))

let count = 0
/**
 * Ports of servers that have stopped, for the next ones: a browser that is used again has the pages' files and their
 * compiled scripts by that address.
 */
const freed: string[] = []
let host: ChildProcess | undefined
const hostOnce = () => {
  if (host?.connected) return host
  const started = fork(program, { execArgv: ['--enable-source-maps'], env: { ...process.env, NODE_ENV: 'production' } })
  started.setMaxListeners(0)
  process.once('exit', () => started.kill('SIGKILL'))
  // The worker ends although the host still waits for its next journey.
  started.unref()
  started.channel?.unref()
  host = started
  return started
}

type Hosted = { url: string; output: () => string; stop: () => Promise<void> }

/** Starts a server in the host of this worker. `env` has its DATABASE_URL, which is migrated. */
export const startHosted = async (env: Record<string, string>): Promise<Hosted> => {
  const child = hostOnce()
  const id = ++count
  const PORT = freed.pop() ?? '0'
  let output = ''
  const send = (ask: Ask) => child.send(ask)
  const until = <T>(pick: (answer: Answer) => T | undefined) =>
    new Promise<T>((resolve, reject) => {
      const listen = (answer: Answer) => {
        if (answer.id !== id) return
        if ('failed' in answer) return reject(new Error(answer.failed))
        const found = pick(answer)
        if (found === undefined) return
        child.off('message', listen)
        resolve(found)
      }
      child.on('message', listen)
      child.once('exit', (code) => reject(new Error(`The host of the journeys ended (${code}).`)))
    })
  child.on('message', (answer: Answer) => {
    if (answer.id === id && 'line' in answer) output += answer.line
  })
  const ready = until((answer) => ('url' in answer ? answer.url : undefined))
  send({ id, start: { ...env, PORT } })
  const url = await ready
  const stop = async () => {
    const stopped = until((answer) => ('stopped' in answer ? true : undefined))
    send({ id, stop: true })
    // Browsers that are still open hold it up, and nothing needs them any more.
    const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), 2000))
    if (await Promise.race([stopped, late])) freed.push(new URL(url).port)
  }
  return { url, output: () => output, stop }
}
