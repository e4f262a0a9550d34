import type { Aside } from '@tallyroom/contract/events'

/** An internal note (aside) as it is stored. Nothing of it may reach the partner: no event, no count, no gap in `seq`. */
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
}
