import { type ChildProcess, fork } from 'node:child_process'
import type { Logger } from 'pino'
import { attachmentKind, MAX_VOICE_BYTES } from '@tallyroom/contract/files'
import { type FairLimit, fairLimit, limitOf } from '../../lib/concurrency.ts'
import { refuse } from '../../lib/refusal.ts'
import { serverPath } from '../../paths.ts'
import type { Examined, Packed } from '../slips/examine.ts'
import type { ImageShape } from './image-shapes.ts'

/** The shape that an image gets, and the refusal when it is none. */
export type ImageTarget = { shape: ImageShape; unknown: 'account.image_invalid' | 'message.not_an_image' }
type SlipWork = { kind: 'slip'; frames: readonly Packed[] } | { kind: 'same'; others: readonly Packed[] }
type Work = { kind: 'voice' } | ({ kind: 'image' } & ImageTarget) | SlipWork
export type InspectJob = Work & { id: number; bytes: Uint8Array }

type Voice = { type: string; body: Uint8Array; ms: number }
type Pdf = { type: 'application/pdf'; body: Uint8Array }
export type Image = { type: string; body: Uint8Array; width: number; height: number }
type FileRefusal =
  | ImageTarget['unknown']
  | `message.${'image_too_large' | 'voice_damaged' | 'voice_too_long' | 'voice_unsupported'}`
/** `isBomb`: it was made to take long, so its account waits. */
type Unfit = { refused: FileRefusal; why: string; isBomb?: boolean }
export type Inspected = Voice | Image | Unfit | Examined | { same: number[] }
/** The process sends this once, when it has loaded its decoders. */
export const READY = 'ready'
export type Answered = { id: number; answer?: Inspected; error?: string }

/**
 * A process that has not answered by then is ended. A voice note takes a tenth of a second and the largest image half a
 * second; on a machine with much else to do, ten times as long.
 */
const MAX_MS = { voice: 5000, image: 10_000, slip: 20_000, same: 20_000 } as const
/** An account pauses this long after a file that timed out, and twice as long after each further one. */
const PAUSE_S = 60
const MAX_PAUSE_S = 3600
const MAX_PAUSES = 10_000
const HEAP_MB = 256
/** A browser sends its images and files one by one; an account that sends more at once than these is refused. */
const oneByOne = { concurrency: 1, maxWaiting: 9, total: 1 }

export type Inspector = {
  /**
   * Runs work that reads and inspects a file of an account: one file at a time is in memory, whatever an account sends at
   * once. @throws Refused request.too_often after a file of the account that timed out
   */
  limitFiles: FairLimit<number>
  /**
   * Checks a file of an account, inside of `limitFiles`, and returns what to store: a voice note written again, and a PDF as
   * it came. @throws Refused with the reason
   */
  inspect(bytes: Buffer, of: number): Promise<Voice | Pdf>
  /**
   * Writes an image of an account again, one at a time. @throws Refused with `unknown` or message.image_too_large, or
   * request.too_often after a file of the account that timed out
   */
  image(bytes: Buffer, of: number, target: ImageTarget): Promise<Image>
  /** Makes what a stored picture of a slip is compared by, in the frames of others. @throws when it cannot be read */
  examineSlip(image: Buffer, frames: readonly Packed[]): Promise<Examined>
  /** Which of others in the same frame show the same slip. */
  sameSlips(picture: Packed, others: readonly Packed[]): Promise<number[]>
  stop(): void
}

/**
 * Decodes images and inspects files in a process that begins with the first, because it can be ended: a decoder cannot
 * otherwise be stopped, and a thread that runs out of memory can take the whole server with it, whatever its limits say.
 */
export const makeInspector = (log: Pick<Logger, 'info'>): Inspector => {
  let worker: { child: ChildProcess; job: number } | undefined
  let count = 0
  /** The running job waits for these. */
  let answered: (answer: Answered) => void = () => {}
  let started = () => {}

  const start = () => {
    const made = { child: startProcess(), job: 0 }
    made.child.on('message', (message) => (message === READY ? started() : answered(message as Answered)))
    // One that was ended may still report while the next one is at work: it speaks for its own job only.
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
  const runJob = (work: Work & { bytes: Buffer }): Promise<Answered> => {
    const id = ++count
    return new Promise<Answered>((resolve) => {
      const timer = setTimeout(() => {
        answered({ id, error: 'it took too long' })
        stop()
      }, MAX_MS[work.kind])
      // The file has its whole time, however long the process takes to start.
      started = () => timer.refresh()
      answered = (message) => {
        if (message.id !== id) return
        clearTimeout(timer)
        resolve(message)
      }
      worker ??= start()
      worker.job = id
      worker.child.send({ ...work, id } satisfies InspectJob)
    })
  }

  // Photos do not wait while files are read and stored; the process itself does one thing at a time.
  const [limitFiles, limitImages] = [fairLimit<number>(oneByOne), fairLimit<number>(oneByOne)]
  const limitProcess = limitOf({ concurrency: 1, maxWaiting: Infinity })
  const pauses = makePauses()
  const unlessPaused = <T>(of: number, work: () => Promise<T>): Promise<T> | never => {
    const seconds = pauses.left(of)
    return seconds > 0 ? refuse('request.too_often', { seconds }) : work()
  }
  /** Work that nobody waits for, on what the server has stored itself. */
  const runOwn = async (work: SlipWork, bytes: Packed) => {
    const { answer, error } = await limitProcess(() => runJob({ ...work, bytes: Buffer.from(bytes) }))
    if (!answer) throw new Error(error)
    return answer
  }
  const run = async (bytes: Buffer, of: number, work: Exclude<Work, SlipWork>): Promise<Voice | Image> => {
    const { answer: found, error = '' } = await limitProcess(() => runJob({ ...work, bytes }))
    const givenUp = work.kind === 'voice' ? 'message.voice_damaged' : 'message.image_too_large'
    const answer = found ?? { refused: givenUp, why: error, isBomb: true }
    if (!('refused' in answer)) {
      pauses.end(of)
      return answer as Voice | Image
    }
    if (answer.isBomb) pauses.begin(of)
    log.info({ why: answer.why, size: bytes.length }, `A file was refused: ${answer.refused}`)
    return refuse(answer.refused)
  }

  return {
    limitFiles: (of, work) => limitFiles(of, () => unlessPaused(of, work)),
    async inspect(bytes, of) {
      const kind = attachmentKind(bytes) ?? refuse('message.file_unknown')
      // Nearly every larger one is a video.
      if (kind === 'voice' && bytes.length > MAX_VOICE_BYTES) return refuse('message.voice_unsupported')
      return kind === 'pdf' ? { type: 'application/pdf', body: bytes } : ((await run(bytes, of, { kind })) as Voice)
    },
    image: (bytes, of, target) =>
      limitImages(of, () => unlessPaused(of, () => run(bytes, of, { kind: 'image', ...target }) as Promise<Image>)),
    examineSlip: async (image, frames) => (await runOwn({ kind: 'slip', frames }, image)) as Examined,
    sameSlips: async (picture, others) =>
      ((await runOwn({ kind: 'same', others }, picture)) as { same: number[] }).same,
    stop,
  }
}

/** Others wait while a file times out, so without pauses one account could block all others. */
const makePauses = () => {
  const now = () => performance.now() / 1000
  const pauses = new Map<number, { until: number; seconds: number }>()
  return {
    left: (of: number) => Math.ceil((pauses.get(of)?.until ?? 0) - now()),
    begin: (of: number) => {
      if (pauses.size >= MAX_PAUSES) pauses.clear()
      const seconds = Math.min(MAX_PAUSE_S, 2 * (pauses.get(of)?.seconds ?? PAUSE_S / 2))
      pauses.set(of, { until: now() + seconds, seconds })
    },
    end: (of: number) => void pauses.delete(of),
  }
}

/** The built script, also for a server that runs from the source. Of the environment it needs nothing. */
const startProcess = (): ChildProcess =>
  fork(serverPath('dist/inspect-worker.js'), {
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
