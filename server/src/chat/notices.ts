import { MessageType, Role, RoomStatus } from '@tallyroom/contract/codes'
import { nextOpening, openAt, type OpeningHours } from '@tallyroom/contract/desk/hours'
import { LOAD_MINUTES } from '@tallyroom/contract/desk/load'
import type { NoticeKind } from '@tallyroom/contract/desk/texts'
import { randomUUID } from 'node:crypto'
import { many, sql, type Tx } from '../data/sql.ts'
import type { NewMessage, Notice, RoomRow } from './room-row.ts'

const HOUR_MS = 3_600_000
/** After a pause of so long a message is greeted again. */
const GREETED_AFTER_MS = 12 * HOUR_MS
const AWAY_APART_MS = 4 * HOUR_MS
const MAX_KNOWN = 5000

type StoredNotice = Notice & { id: number }
/** The hours and texts of a group, by the version of its hours. */
type Desk = { version: number; hours: OpeningHours } & Record<NoticeKind, StoredNotice | undefined>

/** The notice that the server writes after a message of a member, if any. Call it before the message changes the room. */
export type NoticeFor = (message: NewMessage, room: RoomRow, now: Date) => NewMessage | undefined

/**
 * DESK-06: greetings and away texts. What a group has saved is kept by the version that the lock of its room reads, so a
 * message costs no further query, and none at all in a group without hours. `load` is called with locked rooms.
 */
export const makeDeskNotices = (settings: { timeZone: string }) => {
  const known = new Map<number, Desk>()
  const isKnown = ({ groupId, hoursVersion }: RoomRow) => known.get(groupId)?.version === hoursVersion
  return {
    load: async (tx: Tx, rooms: RoomRow[]): Promise<NoticeFor> => {
      const withHours = rooms.filter(({ hoursVersion }) => typeof hoursVersion === 'number')
      if (withHours.length === 0) return () => undefined
      const unknown = withHours.filter((room) => !isKnown(room)).map(({ groupId }) => groupId)
      if (unknown.length > 0) {
        if (known.size > MAX_KNOWN) known.clear()
        for (const [groupId, desk] of await loadDesks(tx, [...new Set(unknown)], settings.timeZone))
          known.set(groupId, desk)
      }
      return (message, room, now) => {
        const desk = typeof room.hoursVersion === 'number' ? known.get(room.groupId) : undefined
        return desk && noticeAfter(desk, message, room, now)
      }
    },
  }
}

const loadDesks = async (tx: Tx, groups: number[], zone: string): Promise<Map<number, Desk>> => {
  const rows = await many<{
    groupId: number
    version: number
    time_zone: string | null
    week: unknown
    days: unknown
    texts: (StoredNotice & { kind: NoticeKind })[] | null
  }>(
    tx,
    sql`select h.group_id as "groupId", h.version, h.time_zone, h.week, h.days,
        (select json_agg(json_build_object('id', t.id, 'kind', t.kind, 'texts', t.texts, 'language', t.language))
          from desk_texts t where t.id in (select max(n.id) from desk_texts n where n.group_id = h.group_id group by n.kind)) as texts
      from desk_hours h where h.group_id = any(${groups}::int[]) and h.is_on`,
  )
  return new Map(
    rows.map(({ groupId, version, time_zone, week, days, texts }) => {
      const hours = { zone: time_zone ?? zone, week, days } as OpeningHours
      const of = (kind: NoticeKind) => texts?.find((one) => one.kind === kind && Object.keys(one.texts).length > 0)
      return [groupId, { version, hours, greeting: of('greeting'), away: of('away') }] as const
    }),
  )
}

const noticeAfter = (desk: Desk, { fromPartner }: NewMessage, room: RoomRow, now: Date): NewMessage | undefined => {
  const isMember = fromPartner && room.partnerRole === Role.member
  if (!isMember || room.status === RoomStatus.ai) return undefined
  const at = now.getTime()
  const lastAt = room.lastAt?.getTime()
  if (openAt(desk.hours, at)) {
    const begins = lastAt === undefined || at - lastAt >= GREETED_AFTER_MS
    return begins && desk.greeting ? asNotice(room, desk.greeting) : undefined
  }
  // A colleague who answers at night is there.
  const isAnswered = room.waitingSince === null && lastAt !== undefined && at - lastAt < LOAD_MINUTES * 60_000
  if (!desk.away || isAnswered || isToldAlready(desk.hours, room.awayToldAt, at)) return undefined
  room.awayToldAt = now
  const opens = nextOpening(desk.hours, at)
  return asNotice(room, desk.away, opens)
}

/** Once for each time that it is closed, and not again soon after that. */
const isToldAlready = (hours: OpeningHours, toldAt: Date | null, at: number): boolean => {
  if (toldAt === null) return false
  const told = toldAt.getTime()
  return at - told < AWAY_APART_MS || (nextOpening(hours, told) ?? Infinity) > at
}

const asNotice = (room: RoomRow, { id, texts, language }: StoredNotice, opens?: number): NewMessage => ({
  roomId: room.id,
  messageId: randomUUID(),
  type: MessageType.notice,
  content: String(id),
  attachment: opens === undefined ? null : { opens: new Date(opens).toISOString() },
  senderId: null,
  fromPartner: false,
  senderUsername: '',
  senderNickname: '',
  senderIsSub: 0,
  notice: { texts, language },
})
