import type { MemberApi } from '@tallyroom/contract/member-api'
import { RoomStatus } from '@tallyroom/contract/codes'
import type { ColleagueState } from '@tallyroom/contract/desk/states'
import type { waitingReasons } from '@tallyroom/contract/member-api/talk'
import type { z } from 'zod'
import { type RoomRow, roomColumns, roomTables } from '../../chat/room-row.ts'
import { shownState } from '../../chat/desk/states.ts'
import { type Db, many, type Sql, sql } from '../../data/sql.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { erasedName } from '../../retention/person.ts'
import { type AccountName, memberBelow } from '../named-account.ts'

type Conversation = z.output<MemberApi['room/view']['response']>
/** `waitsAt`: since when the member waits, in microseconds: as a cursor, for which milliseconds are too coarse. */
export type ConversationRow = RoomRow & {
  thirdPartyId: string | null
  ownerState: ColleagueState | null
  waitsAt: string | null
}

/** Conversations of members, by a condition on the alias `r`. */
export const conversationsOf = (db: Db, condition: Sql): Promise<ConversationRow[]> =>
  many<ConversationRow>(
    db,
    sql`select ${roomColumns}, p.third_party_id as "thirdPartyId",
        (extract(epoch from r.waiting_since) * 1000000)::bigint::text as "waitsAt",
        case when r.owner_id is not null then coalesce((select ${shownState} from desk_people p where p.account_id = r.owner_id), 'away') end as "ownerState"
      from ${roomTables} where ${condition}`,
  )

/** The conversation of a member with the group that it is in now. */
export const conversationOf = async (
  { db, topId }: { db: Db; topId: number },
  who: AccountName,
): Promise<ConversationRow> => {
  const member = await memberBelow({ db, topId }, who)
  if (member.username === erasedName(member.id)) return refuse('account.not_found')
  const [found] = await conversationsOf(db, sql`r.partner_id = ${member.id} and r.group_id = ${member.groupId}`)
  return ensure(found, 'room.not_found')
}

const reasonOf = ({ waitingSince, status, snoozedUntil, ownerId }: RoomRow): (typeof waitingReasons)[number] | null => {
  if (!waitingSince) return null
  if (status === RoomStatus.ai) return 'bot'
  if (status === RoomStatus.hidden) return 'hidden'
  if (snoozedUntil) return 'snoozed'
  return ownerId ? 'owner' : 'queue'
}

export const asConversation = (room: ConversationRow): Conversation => ({
  username: room.partnerUsername,
  third_party_id: room.thirdPartyId,
  nickname: room.partnerNickname,
  group: room.groupUsername,
  waiting_since: room.waitingSince?.toISOString() ?? null,
  unanswered: room.unanswered,
  why: reasonOf(room),
  owner: room.owner?.[0] ?? null,
  owner_state: room.ownerState,
  snoozed_until: room.snoozedUntil?.toISOString() ?? null,
  bot: room.status === RoomStatus.ai,
  hidden: room.status === RoomStatus.hidden,
  last_seq: room.lastSeq,
  last_message_at: room.lastAt?.toISOString() ?? null,
  member_read_seq: room.partnerReadSeq,
  office_read_seq: room.groupReadSeq,
})
