import { getStored } from '../../lib/storage.ts'
import { isLeader, startElection } from './tab-leader.ts'

/**
 * Two soft tones for a new message. Browsers allow sound only after a user gesture, so the AudioContext is made at the
 * first touch or key; until then the page is silent.
 */
let audio: AudioContext | undefined
let last = -Infinity
/** Both tones. */
const SOUND_MS = 370

const startAudio = () => {
  try {
    audio ??= new AudioContext()
    // Once it has run after a gesture, it may be resumed without one.
    void audio.resume().then(rest, () => {})
    startElection()
  } catch {
    // This device has no audio output.
  }
}

/** A running context keeps the audio device and two threads of the browser busy all day: 4 % of a page's work. */
const rest = () => {
  if (audio?.state === 'running' && performance.now() - last > SOUND_MS) void audio.suspend()
}

export const unlockSound = (): (() => void) => {
  const activation: UserActivation | undefined = navigator.userActivation
  const stop = () => {
    window.removeEventListener('pointerdown', tryAudio)
    window.removeEventListener('keydown', tryAudio)
  }
  const tryAudio = () => {
    // Control, Alt and Esc are no gesture: sound that is started by them stays off and the browser warns.
    if (activation && !activation.hasBeenActive) return
    startAudio()
    stop()
  }
  window.addEventListener('pointerdown', tryAudio, { passive: true })
  window.addEventListener('keydown', tryAudio, { passive: true })
  if (activation) tryAudio()
  return stop
}

/** A setting of this browser: no sound, one per new message, or repeated until the message is answered. */
export type SoundSetting = 'off' | 'once' | 'repeat'
export const soundSetting = (): SoundSetting => {
  const wanted = getStored('sound')
  return wanted === 'off' || wanted === 'once' ? wanted : 'repeat'
}

/** Plays the sound if this tab is the leader. */
export const ring = () => {
  if (soundSetting() !== 'off' && isLeader()) chime()
}

export const chime = () => {
  const now = performance.now()
  // Messages that arrive together make one sound.
  if (!audio || now - last < 1000) return
  last = now
  const context = audio
  if (context.state === 'running') play(context)
  else
    void context.resume().then(
      () => play(context),
      () => {},
    )
}

const play = (context: AudioContext) => {
  const start = context.currentTime
  for (const [offset, pitch] of [
    [0, 660],
    [0.12, 880],
  ] as const) {
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.frequency.value = pitch
    volume.gain.setValueAtTime(0, start + offset)
    volume.gain.linearRampToValueAtTime(0.12, start + offset + 0.01)
    volume.gain.exponentialRampToValueAtTime(0.001, start + offset + 0.22)
    tone.connect(volume).connect(context.destination)
    tone.start(start + offset)
    tone.stop(start + offset + 0.25)
    tone.onended = rest
  }
}
