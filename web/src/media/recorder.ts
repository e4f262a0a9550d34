import { MAX_VOICE_SECONDS } from '@tallyroom/contract/files'
import type { Voice } from '@tallyroom/contract/events'
import { barsOf } from './waveform.ts'

export type Recording = { blob: Blob; voice: Voice }
/** Why there is no recording. */
export type MicTrouble = 'blocked' | 'missing' | 'busy' | 'insecure' | 'unsupported'
export class MicError extends Error {
  readonly trouble: MicTrouble
  constructor(trouble: MicTrouble) {
    super(trouble)
    this.trouble = trouble
  }
}

/** The first one that all browsers of today play comes first; Firefox records Ogg or WebM only. */
const TYPES = ['audio/mp4;codecs=mp4a.40.2', 'audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4']
const BITS_PER_SECOND = 32_000
const LEVEL_MS = 100

const troubleOf = (error: unknown): MicTrouble => {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'blocked'
}

const openMicrophone = async (): Promise<MediaStream> => {
  // Browsers hide the microphone from pages without TLS.
  if (!isSecureContext) throw new MicError('insecure')
  const devices = navigator.mediaDevices as MediaDevices | undefined
  if (!devices || typeof MediaRecorder === 'undefined') throw new MicError('unsupported')
  try {
    return await devices.getUserMedia({ audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true } })
  } catch (error) {
    throw new MicError(troubleOf(error))
  }
}

type Listener = {
  /** Ten times a second: how long it is by now, and how loud. */
  onLevel: (ms: number, level: number) => void
  /** It has ended by itself: after a minute, or because the microphone is gone. What was recorded is kept. */
  onEnd: (why: 'full' | 'gone', recording: Recording) => void
}
export type Recorder = { stop: () => Promise<Recording>; cancel: () => void }

/** Starts recording. @throws MicError */
export const startRecorder = async ({ onLevel, onEnd }: Listener): Promise<Recorder> => {
  const stream = await openMicrophone()
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, { ...(mimeType ? { mimeType } : {}), audioBitsPerSecond: BITS_PER_SECOND })
  const parts: Blob[] = []
  const levels: number[] = []
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 1024
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Uint8Array(analyser.fftSize)
  const started = performance.now()
  const length = () => Math.min(performance.now() - started, MAX_VOICE_SECONDS * 1000)

  let ended: Promise<Recording> | undefined
  const release = () => {
    clearInterval(timer)
    for (const track of stream.getTracks()) track.stop()
    if (context.state !== 'closed') void context.close()
  }
  const stop = () =>
    (ended ??= new Promise<Recording>((resolve) => {
      const ms = Math.round(length())
      recorder.addEventListener('stop', () => {
        release()
        resolve({ blob: new Blob(parts, { type: recorder.mimeType }), voice: { ms, waveform: barsOf(levels) } })
      })
      if (recorder.state === 'inactive') recorder.dispatchEvent(new Event('stop'))
      else recorder.stop()
    }))
  const end = (why: 'full' | 'gone') => {
    if (!ended) void stop().then((recording) => onEnd(why, recording))
  }
  recorder.addEventListener('dataavailable', ({ data }) => data.size > 0 && parts.push(data))
  for (const track of stream.getTracks()) track.addEventListener('ended', () => end('gone'))
  const timer = setInterval(() => {
    analyser.getByteTimeDomainData(samples)
    const sum = samples.reduce((all, sample) => all + ((sample - 128) / 128) ** 2, 0)
    const level = Math.sqrt(sum / samples.length)
    levels.push(level)
    onLevel(length(), level)
    if (length() >= MAX_VOICE_SECONDS * 1000) end('full')
  }, LEVEL_MS)
  recorder.start()
  return {
    stop,
    cancel: () => {
      ended ??= new Promise(() => {})
      if (recorder.state !== 'inactive') recorder.stop()
      release()
    },
  }
}
