import type { Answer, Parsed } from '@tallyroom/contract'
import type { ApprovalState, SensitiveChangeKind } from '@tallyroom/contract/limits'
import { mayFetchAgain } from '../../../accounts/sensitive-changes.ts'
import { mediaUrl } from '../../../chat/media-url.ts'
import { type Db, many, type Row, type Sql, sql } from '../../../data/sql.ts'
import type { Actor } from '../../../identity/actor.ts'
import { accountsIn, type AuditFacts, factsAsText, withoutTyped } from '../../../identity/audit.ts'
import { type Named, shownText, shownUsername } from '../../../identity/masking.ts'
import { mayDecideSensitiveChange } from '../../../identity/approvers.ts'
import { findPeople, namesIn } from '../../../identity/people.ts'
import { isWaiting } from '../../../ledger/engine/sensitive-changes.ts'

type Person = Named & { nickname: string }
type StoredSensitiveChange = Row & {
  id: number
  kind: SensitiveChangeKind
  call: string
  state: ApprovalState
  maker: Person
  target: Person
  ender: Person | null
  thumbnailId: string | null
  input: Record<string, unknown>
  facts: AuditFacts
  qr: string | null
  madeAt: Date
  expiresAt: Date
  endedAt: Date | null
  answer: string
  mayDecide: boolean
  hasFile: boolean
}
type SensitiveChangeAnswer = Answer<'change/list'>['data'][number]
type FileCall = NonNullable<SensitiveChangeAnswer['file']>['call']

const personOf = (alias: Sql): Sql =>
  sql`json_build_object('id', ${alias}.id, 'username', ${alias}.username, 'nickname', ${alias}.nickname, 'isSub', ${alias}.is_sub)`

/** Changes that the actor made, decided or may decide. */
const concerns = (actor: Actor): Sql =>
  sql`(c.maker_id = ${actor.id} or c.ended_by = ${actor.id} or ${mayDecideSensitiveChange(sql`${actor.id}::int`)})`

export const sensitiveChangeList = async (
  db: Db,
  actor: Actor,
  hours: number,
  { id, ended, after, per_page }: Parsed<'change/list'>,
): Promise<Answer<'change/list'>> => {
  const which = id !== undefined ? sql`c.id = ${id}` : ended === 1 ? sql`not ${isWaiting}` : isWaiting
  const isAfter = after === undefined ? sql`true` : ended === 1 ? sql`c.id < ${after}` : sql`c.id > ${after}`
  const order = ended === 1 ? sql`c.id desc` : sql`c.id`
  const rows = await many<StoredSensitiveChange>(
    db,
    sql`select c.id, c.kind, c.call, case when c.state = 'waiting' and not ${isWaiting} then 'expired' else c.state end as state,
        ${personOf(sql`a`)} as maker, ${personOf(sql`k`)} as target,
        case when o.id is null then null else ${personOf(sql`o`)} end as ender, k.thumbnail_id as "thumbnailId",
        c.change as input, c.facts, v.qr, c.made_at as "madeAt", c.expires_at as "expiresAt",
        case when ${isWaiting} then null else coalesce(c.ended_at, c.expires_at) end as "endedAt", c.answer,
        ${isWaiting} and ${mayDecideSensitiveChange(sql`${actor.id}::int`)} as "mayDecide",
        c.kind = 'export' and c.state = 'approved' and coalesce(${mayFetchAgain},
          c.ended_at > now() - make_interval(secs => ${hours * 3600}::float8)) as "hasFile"
      from sensitive_changes c join accounts a on a.id = c.maker_id join accounts k on k.id = c.target_id
        left join accounts o on o.id = c.ended_by
        left join receiving_accounts v on v.id = case when c.kind = 'receiving' then (c.change ->> 'id')::int end
      where c.top_id = ${actor.topId} and ${which} and ${isAfter} and ${concerns(actor)}
      order by ${order} limit ${per_page + 1}`,
  )
  const page = rows.slice(0, per_page)
  const ids = page.flatMap(({ facts }) => accountsIn(facts))
  // Also of accounts in other branches: who decides a change must know whom it concerns.
  const nameOf = namesIn(await findPeople(db, ids, sql`a.top_id = ${actor.topId}`), actor)
  return {
    data: page.map((row) => asRow(row, actor, nameOf)),
    next: rows.length > per_page ? (page.at(-1)?.id ?? null) : null,
  }
}

const nicknameOf = (viewer: Actor, person: Person) => shownText(viewer, person, person.nickname)

const qrOf = ({ kind, state, input, qr }: StoredSensitiveChange): SensitiveChangeAnswer['qr'] => {
  if (kind !== 'receiving' || state !== 'waiting') return null
  const [before, after] = [qr ?? '', String(input.qr)]
  return before === after ? null : { before, after }
}

const asRow = (row: StoredSensitiveChange, viewer: Actor, nameOf: (id: number) => string): SensitiveChangeAnswer => {
  const { id, kind, call, state, maker, target, ender } = row
  const isOwn = maker.id === viewer.id
  const shown = (text: string) => [maker, target].reduce((rest, person) => shownText(viewer, person, rest), text)
  const all = factsAsText(row.facts, { shown, nameOf })
  const facts = viewer.masks && kind === 'export' ? withoutTyped(all) : all
  return {
    id,
    kind,
    state,
    maker_id: maker.id,
    maker_username: shownUsername(viewer, maker),
    maker_nickname: nicknameOf(viewer, maker),
    target_id: target.id,
    target_username: shownUsername(viewer, target),
    target_nickname: nicknameOf(viewer, target),
    thumbnail: mediaUrl(row.thumbnailId),
    facts,
    qr: qrOf(row),
    made_at: row.madeAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    ended_name: ender ? nicknameOf(viewer, ender) || shownUsername(viewer, ender) : '',
    answer: shown(row.answer),
    is_own: isOwn ? 1 : 0,
    may_decide: row.mayDecide ? 1 : 0,
    file: isOwn && row.hasFile ? { call: call as FileCall, input: row.input } : null,
  }
}
