import type { Aside } from '@tallyroom/contract/events'
import type { MessageTransfer } from '../room-row.ts'

/**
 * An internal note (aside) as stored. The partner must not see any trace of it: no event, no count, no gap in `seq`.
 */
export type AsideRow = {
  asideId: string
  roomId: number
  seq: number
  afterSeq: number
  kind: Aside['kind']
  content: string
  senderId: number
  senderUsername: string
  senderNickname: string
  senderIsSub: 0 | 1
  targetId: number | null
  targetUsername: string
  targetNickname: string
  targetIsSub: 0 | 1
  createdAt: Date
  /** It shows a transfer that the partner does not see: it waits for approval, or did not get it. */
  transfer: MessageTransfer | undefined
}
