import { PHOTO_HEIGHT, PHOTO_WIDTH } from '@tallyroom/contract/files'

/** The size in which an image is sent: never enlarged, same aspect ratio. */
export const sizeFor = (width: number, height: number): { width: number; height: number } => {
  const scale = Math.min(1, PHOTO_WIDTH / width, PHOTO_HEIGHT / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Checks the first bytes, because a file's name and type prove nothing. */
export const isImage = (bytes: Uint8Array): boolean => {
  const text = String.fromCharCode(...bytes.subarray(0, 16))
  return (
    (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) ||
    text.startsWith('\x89PNG\r\n\x1a\n') ||
    /^GIF8[79]a/.test(text) ||
    (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') ||
    text.startsWith('BM') ||
    // HEIC and AVIF, which some browsers can decode.
    (text.slice(4, 8) === 'ftyp' && /^(heic|heix|hevc|mif1|msf1|avif|avis)/.test(text.slice(8, 12)))
  )
}
