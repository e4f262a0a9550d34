import type { Parsed } from '@tallyroom/contract'
import { fold, foldWanted } from '@tallyroom/contract/text/fold'
import { TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { frequentKinds } from '../../domain/kind-sets.ts'
import { type Db, one, type Sql, sql } from '../../data/sql.ts'
import { type Actor, groupRooms } from '../../identity/actor.ts'
import { hiddenName } from '../../identity/masking.ts'

type Fields = 'min_amount' | 'max_amount' | 'types' | 'statuses' | 'remark' | 'id' | 'room'
/** The filters of a search of transfers, beside its time and names. */
export type TransferFilter = Partial<Pick<Parsed<'transaction/list'>, Fields>>

const MAX_AMOUNT = 2n ** 63n - 1n
const FREQUENT: readonly number[] = [TransferKind.send, TransferKind.receive, TransferKind.bet, TransferKind.win]

/** Numbers as text of the statement: a partial index is used only by a plan that sees them. */
const literals = (codes: readonly number[]): Sql => ({ text: `(${codes.join(', ')})`, values: [] })

const amountFits = ({ min_amount, max_amount }: TransferFilter): Sql => {
  if (min_amount === undefined && max_amount === undefined) return sql`true`
  if (min_amount === max_amount) return sql`t.amount = ${min_amount}`
  return sql`t.amount between ${min_amount ?? 0n} and ${max_amount ?? MAX_AMOUNT}`
}

const kindFits = ({ types = [] }: TransferFilter): Sql => {
  if (types.length === 0) return sql`true`
  const isRare = !types.some((kind) => FREQUENT.includes(kind))
  return sql`t.op in ${literals(types)} and ${isRare ? sql`t.op not in ${frequentKinds}` : sql`true`}`
}

/** Only an envelope has a status of its own; every other transfer has succeeded. */
const statusFits = (actor: Actor, { statuses = [] }: TransferFilter): Sql => {
  if (statuses.length === 0) return sql`true`
  const among = literals(statuses)
  if (statuses.includes(TransferStatus.success))
    return sql`not (t.is_envelope and exists (select from envelopes n where n.transfer_id = t.id and n.status not in ${among}))`
  return sql`t.is_envelope and t.id in (select n.transfer_id from envelopes n
    where n.top_id = ${actor.topId} and n.status in ${among})`
}

const idFits = ({ id }: TransferFilter): Sql => {
  if (id === undefined) return sql`true`
  return /^\d+$/.test(id) ? sql`t.id = ${id}::bigint` : sql`t.transaction_id = ${id}::uuid`
}

/** The transfers of one of the actor's rooms; undefined for a room that it may not see. */
const roomFits = async (db: Db, actor: Actor, { room }: TransferFilter): Promise<Sql | undefined> => {
  if (room === undefined) return sql`true`
  const found = await one<{ id: number; partnerId: number }>(
    db,
    sql`select r.id, r.partner_id as "partnerId" from rooms r where r.code = ${room} and ${groupRooms(actor)}`,
  )
  // Its partner is the target of all its transfers, and has an index.
  return found && sql`t.target_id = ${found.partnerId}::int and t.room_id = ${found.id}::int`
}

/**
 * The text occurs in what the actor sees of a remark, from the beginning of a word on. A remark repeats usernames, so of
 * viewers who see them masked it is searched without those: otherwise guessing would unmask a name letter by letter.
 */
const textFits = (actor: Actor, remark: Sql, text: string): Sql => {
  const shown = actor.masks
    ? sql`replace(replace(fold(${remark}), ${hiddenName(actor, sql`t.target_id`)}, chr(1)), ${hiddenName(actor, sql`t.actor_id`)}, chr(1))`
    : sql`fold(${remark})`
  const wanted = foldWanted(text)
  const exactly = wanted.replace(/[^\p{L}\p{M}\d\s]/gu, String.raw`\$&`)
  const pattern = /^[a-z\d]/.test(wanted) ? `(^|[^a-z0-9])${exactly}` : exactly
  // `case`, because what the words' index finds nearly always fits: PostgreSQL would estimate it as rare.
  return sql`case when ${shown} ~ ${pattern}::text then true else false end`
}

/** The words of the text as `remark_words` has them; the last one may be half typed. */
const wordsOf = (text: string) => {
  const all = fold(text).match(/[a-z\d]+|\p{L}/gu) ?? []
  return all.map((word, at) => (at === all.length - 1 && /[a-z\d]/.test(word) ? `${word}:*` : word)).join(' & ')
}

/** Sample sizes: the newest rows, and rows at moments that are spread over the past. */
const NEWEST = 5000
const [SPOTS, OF_EACH] = [20, 250]
/** From this many of either on, the text is found faster by walking back in time than by the index of words. */
const FREQUENT_FROM = 25

/**
 * Counts how often both samples have the text. The newest rows alone do not show words that were written every day until
 * last week, which have as many rows of the index as ever.
 */
const probe = async (db: Db, actor: Actor, remark: string): Promise<{ newest: number; before: number }> => {
  const columns = sql`t.remark, t.target_id, t.actor_id`
  const inOrder = sql`order by t.created_at desc, t.id desc`
  const found = await one<{ newest: number; before: number }>(
    db,
    sql`with span as materialized (select min(created_at) as first, max(created_at) as last from transfers
        where top_id = ${actor.topId}),
      probed as (
        (select ${columns}, true as newest from transfers t where t.top_id = ${actor.topId} ${inOrder} limit ${NEWEST})
        union all
        select t.*, false from span, generate_series(1, ${SPOTS}::int) n, lateral (select ${columns} from transfers t
          where t.top_id = ${actor.topId} and t.created_at <= span.first + (span.last - span.first) * (n / ${SPOTS}::float8)
          ${inOrder} limit ${OF_EACH}) t)
      select count(*) filter (where newest)::int as newest, count(*) filter (where not newest)::int as before
      from probed t where t.remark <> '' and ${textFits(actor, sql`t.remark`, remark)}`,
  )
  return found ?? { newest: 0, before: 0 }
}

/** Conditions on the transfer `t`, each for a branch of its own. `isRare`: the index of words finds them. */
type Narrowed = { conditions: Sql[]; isRare: boolean }

/** Two branches, which exclude each other: remarks that were never edited have an index, the edited ones are few. */
const remarkFits = async (db: Db, actor: Actor, { remark = '' }: TransferFilter): Promise<Narrowed> => {
  if (remark === '') return { conditions: [sql`true`], isRare: false }
  const words = wordsOf(remark)
  // Without a letter or digit no index can help.
  if (words === '') return { conditions: [], isRare: true }
  const { newest, before } = await probe(db, actor, remark)
  const isRare = Math.max(newest, before) < FREQUENT_FROM
  const unedited = sql`t.remark <> '' and ${textFits(actor, sql`t.remark`, remark)}
    and not exists (select from remark_edits x where x.transfer_id = t.id)`
  const byWords = sql`${unedited} and remark_words(t.remark) @@ to_tsquery('simple', ${words})`
  const edited = sql`t.id in (select x.transfer_id from remark_edits x where x.top_id = ${actor.topId})
    and ${textFits(actor, sql`(select x.remark from remark_edits x where x.transfer_id = t.id order by x.seq desc limit 1)`, remark)}`
  return { conditions: [isRare ? byWords : unedited, edited], isRare }
}

/** None when nothing can be found. */
export const filterBranches = async (db: Db, actor: Actor, filter: TransferFilter): Promise<Narrowed> => {
  const inRoom = await roomFits(db, actor, filter)
  if (!inRoom) return { conditions: [], isRare: true }
  const { conditions, isRare } = await remarkFits(db, actor, filter)
  const others = sql`${amountFits(filter)} and ${kindFits(filter)} and ${statusFits(actor, filter)} and ${idFits(filter)} and ${inRoom}`
  return { conditions: conditions.map((one) => sql`${one} and ${others}`), isRare }
}
