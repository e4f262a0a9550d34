import { getStored } from '../../lib/storage.ts'
import { isLeader, startElection } from './tab-leader.ts'

/**
 * Two soft tones for a new message. A browser allows sound only after a user gesture, so the AudioContext is made at the
 * first touch or key; until then the page is silent.
 */
let instrument: AudioContext | undefined
let last = 0

const make = () => {
  try {
    instrument ??= new AudioContext()
    if (instrument.state === 'suspended') void instrument.resume()
    startElection()
  } catch {
    // This machine has no sound.
  }
}

export const hearGestures = (): (() => void) => {
  if (navigator.userActivation?.hasBeenActive) make()
  const options = { passive: true, once: true } as const
  window.addEventListener('pointerdown', make, options)
  window.addEventListener('keydown', make, options)
  return () => {
    window.removeEventListener('pointerdown', make)
    window.removeEventListener('keydown', make)
  }
}

/** A setting of this browser: no sound, one per new message, or repeated until the message is answered. */
export type Sounding = 'off' | 'once' | 'repeat'
export const sounding = (): Sounding => {
  const wanted = getStored('sound')
  return wanted === 'off' || wanted === 'once' ? wanted : 'repeat'
}

/** Plays the sound if this tab is the leader. */
export const ring = () => {
  if (sounding() !== 'off' && isLeader()) chime()
}

export const chime = () => {
  const now = Date.now()
  // Many messages at once make one sound.
  if (!instrument || instrument.state !== 'running' || now - last < 1000) return
  last = now
  const start = instrument.currentTime
  for (const [offset, pitch] of [
    [0, 660],
    [0.12, 880],
  ] as const) {
    const tone = instrument.createOscillator()
    const volume = instrument.createGain()
    tone.frequency.value = pitch
    volume.gain.setValueAtTime(0, start + offset)
    volume.gain.linearRampToValueAtTime(0.12, start + offset + 0.01)
    volume.gain.exponentialRampToValueAtTime(0.001, start + offset + 0.22)
    tone.connect(volume).connect(instrument.destination)
    tone.start(start + offset)
    tone.stop(start + offset + 0.25)
  }
}
