import { QUOTE_LENGTH } from '@tallyroom/contract/text/cut-text'
import { officeTakingKinds } from '../domain/kind-sets.ts'
import { many, type Row, type Sql, sql, type Tx } from '../data/sql.ts'
import type { QuotedMessage } from './room-row.ts'

/** More of the original than a quote shows, so that it can be cut between letters. */
const READ = QUOTE_LENGTH + 64

/** The message `q` as a quote keeps it. Read afresh each time: what was taken back meanwhile has no words left here. */
const asJson: Sql = sql`json_build_object('seq', q.seq, 'messageId', q.message_id, 'type', q.type,
  'excerpt', case q.type when 2 then '' when 14 then q.attachment ->> 'ms' when 15 then q.attachment ->> 'name' else left(q.content, ${READ}::int) end,
  'fromPartner', q.from_partner, 'senderId', q.sender_id, 'senderUsername', coalesce(qs.username, ''),
  'senderNickname', coalesce(qs.nickname, ''), 'senderIsSub', coalesce(qs.is_sub, 0), 'senderIsKey', coalesce(qs.is_key, false),
  'isTakenBack', q.taken_back_at is not null,
  'transferType', case when qt.id is null then null when qt.op in ${officeTakingKinds} then 2 else 1 end)`

const tables: Sql = sql`messages q left join accounts qs on qs.id = q.sender_id left join transfers qt on qt.id = q.transfer_id`

/** The message that message `m` quotes, or null. */
export const quoteOf: Sql = sql`case when m.quoted_seq is not null then
  (select ${asJson} from ${tables} where q.room_id = m.room_id and q.seq = m.quoted_seq) end`

type Wanted = { roomId: number; messageId: string }
const keyOf = ({ roomId, messageId }: Wanted) => `${roomId}/${messageId}`

/** Messages to be quoted, found by room and id: an id of another room finds nothing. */
export const findQuoted = async (tx: Tx, wanted: Wanted[]): Promise<(of: Wanted) => QuotedMessage | undefined> => {
  if (wanted.length === 0) return () => undefined
  const rows = await many<Row & { roomId: number; quote: QuotedMessage }>(
    tx,
    sql`select q.room_id as "roomId", ${asJson} as quote
      from unnest(${wanted.map(({ roomId }) => roomId)}::int[], ${wanted.map(({ messageId }) => messageId)}::uuid[])
        w (room_id, message_id) join ${tables} on q.room_id = w.room_id and q.message_id = w.message_id`,
  )
  const found = new Map(rows.map(({ roomId, quote }) => [keyOf({ roomId, messageId: quote.messageId }), quote]))
  return (of) => found.get(keyOf(of))
}
