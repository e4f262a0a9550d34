import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { MAX_FILE_BYTES, MAX_VOICE_BYTES } from '@tallyroom/contract/files'
import { refuse } from '../../lib/refusal.ts'
import { makeTurns, type Turns } from './turns.ts'

export type InspectJob = { id: number; kind: 'voice' | 'pdf'; bytes: Uint8Array }
type Voice = { kind: 'voice'; type: string; body: Uint8Array; ms: number }
type Pdf = { kind: 'pdf'; type: string; body: Uint8Array; pages: number }
type PdfRefusal = 'message.pdf_damaged' | 'message.pdf_active' | 'message.pdf_protected'
type VoiceRefusal = 'message.voice_damaged' | 'message.voice_too_long'
export type Answered = { id: number; answer?: Inspected; error?: string }
export type Inspected = Voice | Pdf | { refused: PdfRefusal | VoiceRefusal; why: string }

/** The kind of a file, by its first bytes: neither its name nor its declared type proves anything. */
const kindOf = (bytes: Buffer): 'voice' | 'pdf' | undefined => {
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('%PDF-')) return 'pdf'
  const isWebM = head.startsWith('\x1a\x45\xdf\xa3')
  return isWebM || head.startsWith('OggS') || head.slice(4, 8) === 'ftyp' ? 'voice' : undefined
}

/** A thread that has not answered by then is given up. 20 MB of PDF take about a second. */
const MOST_MS = 20_000
const HEAP_MB = 256

export type Inspector = {
  /** Where a file is read and inspected: one at a time is in memory, whatever an account sends at once. */
  inTurn: Turns
  /** Checks a file, in its turn, and returns what to store instead of it. @throws Refused with the reason */
  inspect(bytes: Buffer): Promise<Voice | Pdf>
  stop(): Promise<void>
}

/** Inspects files in a thread that begins with the first. */
export const makeInspector = (log: Pick<Logger, 'info'>): Inspector => {
  let worker: { thread: Worker; job: number } | undefined
  let count = 0
  /** What the running job is waiting for. */
  let answered: (answer: Answered) => void = () => {}

  const start = () => {
    const made = { thread: startThread(), job: 0 }
    made.thread.on('message', (message: Answered) => answered(message))
    // A thread that was given up ends while the next one is at work: it speaks for its own job only.
    made.thread.on('error', (error) => answered({ id: made.job, error: error.message }))
    made.thread.on('exit', () => {
      if (worker === made) worker = undefined
      answered({ id: made.job, error: 'the thread ended' })
    })
    made.thread.unref()
    return made
  }
  const stop = async () => {
    const stopped = worker
    worker = undefined
    await stopped?.thread.terminate()
  }
  const run = async (kind: InspectJob['kind'], bytes: Buffer): Promise<Inspected> => {
    const id = ++count
    const { answer, error } = await new Promise<Answered>((resolve) => {
      const timer = setTimeout(() => {
        answered({ id, error: 'it took too long' })
        void stop()
      }, MOST_MS)
      answered = (message) => {
        if (message.id !== id) return
        clearTimeout(timer)
        resolve(message)
      }
      worker ??= start()
      worker.job = id
      worker.thread.postMessage({ id, kind, bytes } satisfies InspectJob)
    })
    return answer ?? { refused: kind === 'pdf' ? 'message.pdf_damaged' : 'message.voice_damaged', why: error ?? '' }
  }

  return {
    inTurn: makeTurns(),
    async inspect(bytes) {
      const kind = kindOf(bytes) ?? refuse('message.file_unknown')
      if (bytes.length > (kind === 'voice' ? MAX_VOICE_BYTES : MAX_FILE_BYTES)) return refuse('message.file_too_large')
      const answer = await run(kind, bytes)
      if (!('refused' in answer)) return answer
      log.info({ why: answer.why, size: bytes.length }, `A file was refused: ${answer.refused}`)
      return refuse(answer.refused)
    },
    stop,
  }
}

/** The bundle and the source have the thread's script beside them. */
const startThread = (): Worker => {
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB }
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./inspect-worker.js', import.meta.url), { resourceLimits })
  // Tests run the source, and Node 20 reads no TypeScript in a thread.
  const source = JSON.stringify(new URL('./inspect-worker.ts', import.meta.url).href)
  const script = `import('tsx/esm/api').then(({ register }) => { register(); return import(${source}) })`
  return new Worker(script, { eval: true, resourceLimits })
}
