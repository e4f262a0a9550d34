/** Limits of photos, files and voice notes. No Zod here: cheap phones load this file. */

export const MAX_FILE_BYTES = 20 * 1024 * 1024
export const MAX_VOICE_SECONDS = 60
/** A minute at 320 kbit/s, and the container around it. */
export const MAX_VOICE_BYTES = 3 * 1024 * 1024
/** The largest part of an upload. A cut line loses at most one part. */
export const UPLOAD_PART_BYTES = 256 * 1024
/** The largest stored photo, in px. Larger ones are made smaller and keep their shape; canvases can hold this height. */
export const PHOTO_WIDTH = 1200
export const PHOTO_HEIGHT = 8000
/** The kind of a file is decided by this many first bytes. Readers of PDF look for its head this far, behind other bytes. */
export const HEAD_BYTES = 1024
/** What a file is, by its head: neither its name nor its declared type proves anything. */
export const attachmentKind = (bytes: Uint8Array): 'voice' | 'pdf' | undefined => {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD_BYTES))
  const isSound = head.startsWith('\x1a\x45\xdf\xa3') || head.startsWith('OggS') || head.slice(4, 8) === 'ftyp'
  return isSound ? 'voice' : head.includes('%PDF-') ? 'pdf' : undefined
}
/** A waveform is at most this many bars, each from 0 to this height. */
export const WAVEFORM_BARS = 40
export const WAVEFORM_HEIGHT = 31
