import type { Answer, Parsed } from '@tallyroom/contract'
import type { ApprovalState, LimitPart } from '@tallyroom/contract/limits'
import { MessageType } from '@tallyroom/contract/codes'
import { cutText } from '@tallyroom/contract/text/cut-text'
import { formatPoints } from '@tallyroom/contract/points'
import type { OfficeKind } from '@tallyroom/contract/transfer-kinds'
import { mediaUrl } from '../../../chat/media-url.ts'
import { type Db, many, type Row, type Sql, sql } from '../../../data/sql.ts'
import { is } from '../../../domain/is.ts'
import { type Actor, groupRooms } from '../../../identity/actor.ts'
import { mayDecideTransfer } from '../../../identity/approvers.ts'
import { type Named, shownText, shownUsername } from '../../../identity/masking.ts'
import { conversationRoom, conversationVersion } from '../../../ledger/engine/load/approvals.ts'
import { balancesOf, seenOf } from '../../../ledger/rules/rules-approval.ts'

type Person = [id: number, username: string, nickname: string, isSub: 0 | 1]
type StoredApproval = Row & {
  id: number
  state: ApprovalState
  transactionId: string
  transferKind: OfficeKind
  wallet: 1 | 2
  amount: bigint
  hold: number
  cashId: number | null
  maker: Person
  member: Person
  funder: Person
  holder: Person
  ender: Person | null
  thumbnailId: string | null
  over: LimitPart
  most: bigint
  reason: string
  remark: string
  bankReference: string | null
  madeAt: Date
  expiresAt: Date
  endedAt: Date | null
  answer: string
  mayDecide: boolean
  funderBalance: bigint
  targetBalance: bigint
  conversation: bigint
  roomId: number | null
  code: string | null
}
type ApprovalAnswer = Answer<'approval/list'>['data'][number]

/** How much of the conversation an approver sees: it may belong to a group whose rooms the approver does not have. */
const MESSAGES = 6
const EXCERPT = 200

const personOf = (alias: string): Sql => ({
  text: `json_build_array(${alias}.id, ${alias}.username, ${alias}.nickname, ${alias}.is_sub)`,
  values: [],
})

/** Approvals that the actor may decide, has made or has decided. */
const concerns = (actor: Actor): Sql =>
  sql`(p.maker_id = ${actor.id} or p.ended_by = ${actor.id} or ${mayDecideTransfer(sql`${actor.id}::int`)})`

export const approvalList = async (
  db: Db,
  actor: Actor,
  { id, ended, after, per_page }: Parsed<'approval/list'>,
): Promise<Answer<'approval/list'>> => {
  const isOne = id !== undefined
  const which = isOne ? sql`p.id = ${id}` : ended === 1 ? sql`p.state <> 'waiting'` : sql`p.state = 'waiting'`
  const isAfter = after === undefined ? sql`true` : ended === 1 ? sql`p.id < ${after}` : sql`p.id > ${after}`
  const order = ended === 1 ? sql`p.id desc` : sql`p.id`
  const rows = await many<StoredApproval>(
    db,
    sql`select p.id, p.state, t.transaction_id as "transactionId", t.op as "transferKind", t.wallet, t.amount, e.type as hold,
        p.cash_id as "cashId", ${personOf('a')} as maker, ${personOf('k')} as member, ${personOf('f')} as funder,
        ${personOf('h')} as holder, case when o.id is null then null else ${personOf('o')} end as ender,
        k.thumbnail_id as "thumbnailId", p.over, p.most, p.reason, coalesce(p.terms->>'remark', t.remark) as remark,
        p.terms->>'bankReference' as "bankReference",
        p.made_at as "madeAt", p.expires_at as "expiresAt", p.ended_at as "endedAt", p.answer,
        p.state = 'waiting' and ${mayDecideTransfer(sql`${actor.id}::int`)} as "mayDecide",
        fw.balance as "funderBalance", coalesce(tw.balance, 0)::bigint as "targetBalance",
        ${conversationVersion(sql`c.room`)} as conversation, r.id as "roomId", r.code
      from approvals p join transfers t on t.id = p.transfer_id join envelopes e on e.transfer_id = t.id
        join accounts a on a.id = p.maker_id join accounts h on h.id = p.holder_id
        join accounts k on k.id = t.target_id join accounts f on f.id = t.funder_id
        join wallets fw on fw.account_id = t.funder_id and fw.kind = ${is.mainWallet}
        left join wallets tw on tw.account_id = t.target_id and tw.kind = t.wallet
        left join accounts o on o.id = p.ended_by
        cross join lateral (select ${conversationRoom} as room) c
        left join rooms r on r.id = c.room and ${groupRooms(actor)}
      where p.top_id = ${actor.topId} and ${which} and ${isAfter} and ${concerns(actor)} order by ${order} limit ${per_page + 1}`,
  )
  const page = rows.slice(0, per_page)
  const messages = isOne && page[0]?.mayDecide ? await lastMessages(db, actor, page[0]) : []
  return {
    data: page.map((row) => ({ ...asRow(row, actor), messages })),
    next: rows.length > per_page ? (page.at(-1)?.id ?? null) : null,
  }
}

const named = ([id, username, , isSub]: Person): Named => ({ id, username, isSub })
const usernameOf = (viewer: Actor, person: Person) => shownUsername(viewer, named(person))
const nicknameOf = (viewer: Actor, person: Person) => shownText(viewer, named(person), person[2])
const nameOf = (viewer: Actor, person: Person | null) =>
  person ? nicknameOf(viewer, person) || usernameOf(viewer, person) : ''

const asRow = (row: StoredApproval, viewer: Actor): Omit<ApprovalAnswer, 'messages'> => {
  const shown = (text: string) =>
    [row.maker, row.member].reduce((rest, person) => shownText(viewer, named(person), rest), text)
  const balances = row.state === 'waiting' ? balancesOf(row, row) : undefined
  const asText = ({ before, after }: { before: bigint; after: bigint }) => ({
    before: formatPoints(before),
    after: formatPoints(after),
  })
  return {
    id: row.id,
    state: row.state,
    transaction_id: row.transactionId,
    type: row.transferKind,
    wallet: row.wallet,
    amount: formatPoints(row.amount),
    cash_id: row.cashId,
    maker_id: row.maker[0],
    maker_username: usernameOf(viewer, row.maker),
    maker_nickname: nicknameOf(viewer, row.maker),
    member_id: row.member[0],
    member_username: usernameOf(viewer, row.member),
    member_nickname: nicknameOf(viewer, row.member),
    thumbnail: mediaUrl(row.thumbnailId),
    funder_name: nameOf(viewer, row.funder),
    over: row.over,
    most: formatPoints(row.most),
    holder_name: nameOf(viewer, row.holder),
    reason: shown(row.reason),
    remark: shown(row.remark),
    ...(row.bankReference ? { bank_reference: shown(row.bankReference) } : {}),
    made_at: row.madeAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    ended_name: nameOf(viewer, row.ender),
    answer: shown(row.answer),
    is_own: row.maker[0] === viewer.id ? 1 : 0,
    may_decide: row.mayDecide ? 1 : 0,
    // The maker sees its own figures in its dialog; both balances are for the account that decides.
    funder: balances && row.mayDecide ? asText(balances.funder) : null,
    target: balances && row.mayDecide ? asText(balances.target) : null,
    room: row.roomId !== null && row.code !== null ? { room_id: row.roomId, code: row.code } : null,
    seen: row.mayDecide ? seenOf(row) : '',
  }
}

/** The words of the message `m`: the length of a voice message in milliseconds, the name of a file, none of an image. */
const messageExcerpt: Sql = sql`case m.type when ${MessageType.image}::int then ''
    when ${MessageType.voice}::int then coalesce(m.attachment ->> 'ms', '')
    else left(case m.type when ${MessageType.file}::int then coalesce(m.attachment ->> 'name', '') else m.content end, ${EXCERPT + 64}::int) end`

/** The last messages of the conversation. Their versions are part of `seen`. */
const lastMessages = async (
  db: Db,
  viewer: Actor,
  { id, member }: StoredApproval,
): Promise<ApprovalAnswer['messages']> => {
  const rows = await many<{
    at: Date
    fromPartner: boolean
    type: MessageType
    content: string
    sender: Person | null
  }>(
    db,
    sql`select m.created_at as at, m.from_partner as "fromPartner", m.type, ${messageExcerpt} as content,
        case when s.id is null then null else ${personOf('s')} end as sender
      from approvals p join transfers t on t.id = p.transfer_id join accounts k on k.id = t.target_id
        cross join lateral (select ${conversationRoom} as room) c
        join messages m on m.room_id = c.room left join accounts s on s.id = m.sender_id
      where p.id = ${id} and m.type not in (${is.event}, ${is.notice}) and m.taken_back_at is null order by m.seq desc limit ${MESSAGES}`,
  )
  return rows.toReversed().map(({ at, fromPartner, type, content, sender }) => ({
    at: at.toISOString(),
    from_member: fromPartner ? 1 : 0,
    name: nameOf(viewer, sender),
    type,
    content: cutText(shownText(viewer, named(member), content), EXCERPT),
  }))
}
