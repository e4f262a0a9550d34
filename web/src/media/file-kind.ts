import { isImage } from './size.ts'

export type FileKind = 'image' | 'pdf' | 'voice'

/** What a chosen file is, by its first bytes; undefined for what cannot be sent. Rejects when it cannot be read. */
export const fileKind = async (file: Blob): Promise<FileKind | undefined> => {
  const bytes = new Uint8Array(await file.slice(0, 16).arrayBuffer())
  const text = String.fromCharCode(...bytes)
  if (text.startsWith('%PDF-')) return 'pdf'
  if (isImage(bytes)) return 'image'
  const isSound = text.startsWith('\x1a\x45\xdf\xa3') || text.startsWith('OggS') || text.slice(4, 8) === 'ftyp'
  return isSound ? 'voice' : undefined
}
