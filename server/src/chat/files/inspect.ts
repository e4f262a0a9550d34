import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { attachmentKind, MAX_FILE_BYTES, MAX_VOICE_BYTES } from '@tallyroom/contract/files'
import { refuse } from '../../lib/refusal.ts'
import { makeTurns, type Turns } from './turns.ts'

export type InspectJob = { id: number; bytes: Uint8Array }
type Voice = { type: string; body: Uint8Array; ms: number }
type Pdf = { type: 'application/pdf'; body: Uint8Array }
type VoiceRefusal = 'message.voice_damaged' | 'message.voice_too_long'
export type Inspected = Voice | { refused: VoiceRefusal; why: string }
export type Answered = { id: number; answer?: Inspected; error?: string }

/** A process that has not answered by then is given up. A voice note takes a tenth of a second. */
const MAX_MS = 5000
/** So long an account waits after a file that was given up; twice as long after each further one. */
const PAUSE_S = 60
const MOST_PAUSE_S = 3600
const MOST_PAUSES = 10_000
const HEAP_MB = 256

export type Inspector = {
  /**
   * Where a file is read and inspected: one at a time is in memory, whatever an account sends at once. @throws Refused
   * request.too_often after a file of the account that was given up
   */
  inTurn: Turns
  /**
   * Checks a file of an account, in its turn, and returns what to store: a voice note written again, and a PDF as it came.
   * @throws Refused with the reason
   */
  inspect(bytes: Buffer, of: number): Promise<Voice | Pdf>
  stop(): void
}

/**
 * Inspects files in a process that begins with the first. It was a thread, but one that runs out of memory can take the
 * whole server with it, whatever its limits say.
 */
export const makeInspector = (log: Pick<Logger, 'info'>): Inspector => {
  let worker: { child: ChildProcess; job: number } | undefined
  let count = 0
  /** What the running job is waiting for. */
  let answered: (answer: Answered) => void = () => {}

  const start = () => {
    const made = { child: startProcess(), job: 0 }
    made.child.on('message', (message) => answered(message as Answered))
    // One that was given up ends while the next one is at work: it speaks for its own job only.
    made.child.on('error', (error) => answered({ id: made.job, error: error.message }))
    made.child.on('exit', () => {
      if (worker === made) worker = undefined
      answered({ id: made.job, error: 'its process ended' })
    })
    made.child.unref()
    made.child.channel?.unref()
    return made
  }
  const stop = () => {
    worker?.child.kill('SIGKILL')
    worker = undefined
  }
  const run = (bytes: Buffer): Promise<Answered> => {
    const id = ++count
    return new Promise<Answered>((resolve) => {
      const timer = setTimeout(() => {
        answered({ id, error: 'it took too long' })
        stop()
      }, MAX_MS)
      answered = (message) => {
        if (message.id !== id) return
        clearTimeout(timer)
        resolve(message)
      }
      worker ??= start()
      worker.job = id
      worker.child.send({ id, bytes } satisfies InspectJob)
    })
  }
  const turns = makeTurns()
  const pauses = makePauses()

  return {
    inTurn: (of, work) =>
      turns(of, () => {
        const seconds = pauses.left(of)
        return seconds > 0 ? refuse('request.too_often', { seconds }) : work()
      }),
    async inspect(bytes, of) {
      const kind = attachmentKind(bytes) ?? refuse('message.file_unknown')
      if (bytes.length > (kind === 'voice' ? MAX_VOICE_BYTES : MAX_FILE_BYTES)) return refuse('message.file_too_large')
      if (kind === 'pdf') return { type: 'application/pdf', body: bytes }
      const { answer: found, error = '' } = await run(bytes)
      if (!found) pauses.begin(of)
      const answer = found ?? ({ refused: 'message.voice_damaged', why: error } as const)
      if (!('refused' in answer)) {
        pauses.end(of)
        return answer
      }
      log.info({ why: answer.why, size: bytes.length }, `A file was refused: ${answer.refused}`)
      return refuse(answer.refused)
    },
    stop,
  }
}

/** Others wait for a file that is given up, so who sends one after another would hold up everybody. */
const makePauses = () => {
  const now = () => performance.now() / 1000
  const pauses = new Map<number, { until: number; seconds: number }>()
  return {
    left: (of: number) => Math.ceil((pauses.get(of)?.until ?? 0) - now()),
    begin: (of: number) => {
      if (pauses.size >= MOST_PAUSES) pauses.clear()
      const seconds = Math.min(MOST_PAUSE_S, 2 * (pauses.get(of)?.seconds ?? PAUSE_S / 2))
      pauses.set(of, { until: now() + seconds, seconds })
    },
    end: (of: number) => void pauses.delete(of),
  }
}

/** The bundle and the source have the process's script beside them. Of the environment it needs nothing. */
const startProcess = (): ChildProcess => {
  const isSource = import.meta.url.endsWith('.ts')
  const script = new URL(isSource ? './inspect-worker.ts' : './inspect-worker.js', import.meta.url)
  return fork(fileURLToPath(script), {
    execArgv: [`--max-old-space-size=${HEAP_MB}`, ...(isSource ? ['--import', import.meta.resolve('tsx')] : [])],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}
