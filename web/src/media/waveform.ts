import { WAVEFORM_BARS, WAVEFORM_HEIGHT } from '@tallyroom/contract/files'
import type { Voice } from '@tallyroom/contract/events'

/** Loudness from 0 to 1 over time, as the bars of a waveform: the loudest one has the full height. */
export const barsOf = (levels: readonly number[]): number[] => {
  const count = Math.min(WAVEFORM_BARS, levels.length)
  const loudest = Math.max(...levels, 0.02)
  return Array.from({ length: count }, (_, n) => {
    const from = Math.floor((n * levels.length) / count)
    const part = levels.slice(from, Math.max(from + 1, Math.floor(((n + 1) * levels.length) / count)))
    return Math.round((Math.max(...part) / loudest) * WAVEFORM_HEIGHT)
  })
}

/** The length and waveform of a chosen recording; undefined when this browser cannot play it. */
export const measureVoice = async (file: Blob): Promise<Voice | undefined> => {
  const context = new AudioContext()
  try {
    const sound = await context.decodeAudioData(await file.arrayBuffer())
    const samples = sound.getChannelData(0)
    const step = Math.max(1, Math.floor(samples.length / 400))
    const levels: number[] = []
    for (let at = 0; at < samples.length; at += step) {
      let sum = 0
      for (let n = at; n < Math.min(at + step, samples.length); n++) sum += (samples[n] ?? 0) ** 2
      levels.push(Math.sqrt(sum / step))
    }
    return { ms: Math.round(sound.duration * 1000), waveform: barsOf(levels) }
  } catch {
    return undefined
  } finally {
    void context.close()
  }
}
