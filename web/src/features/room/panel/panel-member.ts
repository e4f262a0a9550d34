import type { RoomSummary } from '@tallyroom/contract/events'

/** The member that the facts are about; without a room it is one of another group. */
export type PanelMember = Pick<RoomSummary, 'member_id' | 'partner_username' | 'name'> & {
  room_id?: number | undefined
  code?: string | undefined
}
/** Notes belong to a conversation. */
export type NotedMember = PanelMember & Pick<RoomSummary, 'room_id' | 'code'>
export const isNoted = (member: PanelMember): member is NotedMember =>
  member.room_id !== undefined && member.code !== undefined
