import { attachmentKind, HEAD_BYTES } from '@tallyroom/contract/files'
import { isImage } from './size.ts'

export type FileKind = 'image' | 'pdf' | 'voice'

/** What a chosen file is, by its first bytes; undefined for what cannot be sent. Rejects when it cannot be read. */
export const fileKind = async (file: Blob): Promise<FileKind | undefined> => {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  return isImage(head) ? 'image' : attachmentKind(head)
}
