import type { Recording } from '../../media/recorder.ts'

/** Recordings of rooms that were left before they were sent, for as long as the page is open. */
const kept = new Map<string, Promise<Recording>>()

export const keepRecording = (code: string, recording: Promise<Recording>): void => {
  kept.set(code, recording)
}
export const hasRecording = (code: string): boolean => kept.has(code)
export const takeRecording = (code: string): Promise<Recording> | undefined => {
  const recording = kept.get(code)
  kept.delete(code)
  return recording
}
