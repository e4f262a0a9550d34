import type { Quote } from '@tallyroom/contract/events'
import type { FileSource, Upload } from './send-file.ts'

/**
 * A message that the server has not confirmed yet. Its id is made here and becomes the message's id on the server; every
 * retry uses the same one, so the message is stored once. It belongs to the room it was written in.
 */
export type Outgoing = {
  id: string
  code: string
  type: 1 | 2 | 14 | 15
  content: string
  /** A voice note or PDF, and how much of it the server has, from 0 to 1. */
  source?: FileSource | undefined
  upload?: Upload | undefined
  progress?: number
  /** Whether a reload of the page finds the file again; unknown while it is being stored. */
  isKept?: boolean
  /** The file of an earlier page is not in this browser any more. */
  isLost?: boolean
  /** The version of the draft it was written from. */
  draft?: number | undefined
  /** The message that it answers. */
  quote?: Quote | undefined
  /** The newest `seq` of the room when it was written: what comes while it is on its way is not answered by it. */
  seen?: number | undefined
  width: number | null
  height: number | null
  at: string
  state: 'sending' | 'failed' | 'sent'
  /** The server's message when it refused. */
  error?: string
  /** It was refused because of its quote: it can be sent without. */
  isUnquotable?: boolean
  /** It was refused because of its file: no other try can send it. */
  isBadFile?: boolean
  /** How many tries got no answer. */
  tries: number
}

/** A photo has its bytes in `content`, a voice message or PDF in `source`. */
export const hasFile = ({ type }: Pick<Outgoing, 'type'>) => type !== 1
