import { MessageType } from '@tallyroom/contract/codes'
import { type Db, many, type Row, type Sql, sql } from '../data/sql.ts'
import type { ZipFile } from '../lib/zip.ts'
import { mediaKey } from '../data/media/keys.ts'
import type { MediaStore } from '../data/media/store.ts'
import { is } from '../domain/is.ts'

/** Rows of one query: enough to be quick, few enough that a long history never is in memory as a whole. */
const PAGE = 1000

/** `key` of each row is where the next page begins; it is not exported. */
async function* inPages(db: Db, page: (after: string) => Sql): AsyncGenerator<string[]> {
  for (let after = '0'; ; ) {
    const rows = await many<Row & { key: string; row: string }>(
      db,
      sql`select x.key::text as key, (to_jsonb(x) - 'key')::text as row from (${page(after)} limit ${PAGE}::int) x`,
    )
    yield rows.map(({ row }) => row)
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.key
  }
}
async function* atOnce(db: Db, query: Sql): AsyncGenerator<string[]> {
  const rows = await many<{ row: string }>(db, sql`select to_jsonb(x)::text as row from (${query}) x`)
  yield rows.map(({ row }) => row)
}

const files = (id: number): Sql =>
  sql`select m.id || '.' || split_part(split_part(m.type, '/', 2), ';', 1) as file, m.type, m.created_at from media m
    where m.room_id in (select id from rooms where partner_id = ${id}) or m.id = (select thumbnail_id from accounts where id = ${id})
    order by m.created_at, m.id`

/** Everything that is kept of a member, by table. */
const tablesOf = (db: Db, id: number, rooms: number[]): Record<string, () => AsyncGenerator<string[]>> => {
  const all = (query: Sql) => () => atOnce(db, query)
  const paged = (page: (after: string) => Sql) => () => inPages(db, page)
  const ofRooms = (page: (room: number, after: string) => Sql) =>
    async function* () {
      for (const room of rooms) yield* inPages(db, (after) => page(room, after))
    }
  return {
    account:
      all(sql`select id, username, nickname, third_party_id, status, domain, thumbnail_id, created_at, last_seen_at
      from accounts where id = ${id}`),
    sign_ins: paged(
      (after) => sql`select id as key, user_agent, address, created_at, seen_at, ended_at from sessions
        where account_id = ${id} and id > ${after}::bigint order by id`,
    ),
    phones: all(sql`select phone from second_factors where account_id = ${id} and phone is not null
      union select phone from recovery_phones where account_id = ${id}`),
    passkeys: all(sql`select name, host, created_at, used_at from passkeys where account_id = ${id}`),
    bank_accounts: all(sql`select b.name as bank, c.account_name, c.account_no, c.created_at
      from bank_accounts c join banks b on b.id = c.bank_id where c.member_id = ${id}`),
    messages: ofRooms(
      (room, after) => sql`select m.seq as key, m.seq, m.created_at, m.from_partner as by_member, m.type,
          case when m.type = ${MessageType.notice}::int and m.sender_id is null then (select d.texts::text from desk_texts d where d.id::text = m.content)
            else coalesce(t.content, m.content) end as content, m.attachment
        from messages m left join taken_back_messages t using (room_id, seq)
        where m.room_id = ${room} and m.seq > ${after}::bigint order by m.seq`,
    ),
    internal_notes: ofRooms(
      (room, after) => sql`select seq as key, created_at, kind, content from asides
        where room_id = ${room} and seq > ${after}::bigint and transfer_id is null order by seq`,
    ),
    scheduled: all(
      sql`select kind, due_at, content, state from timed_acts where room_id = any(${rooms}::int[]) order by due_at, id`,
    ),
    notebook: all(sql`select n.title, c.content, c.created_at from notes n left join note_contents c on c.note_id = n.id
      where n.room_id = any(${rooms}::int[]) order by n.id, c.id`),
    drafts: all(sql`select content, updated_at from drafts where account_id = ${id}`),
    wallets: all(sql`select kind, balance::numeric / 10000 as balance from wallets where account_id = ${id}`),
    transfers: paged(
      (
        after,
      ) => sql`select t.id as key, t.transaction_id, t.created_at, t.op as kind, t.wallet, t.amount::numeric / 10000 as amount,
          t.remark, coalesce(e.status, 1) as status
        from transfers t left join envelopes e on e.transfer_id = t.id
        -- A transfer that nobody has approved has not happened.
        where t.target_id = ${id} and t.id > ${after}::bigint and not coalesce(e.type > ${is.cashHold} and e.status <> ${is.success}, false)
        order by t.id`,
    ),
    requests_for_points:
      all(sql`select direction, amount::numeric / 10000 as amount, state, bank, account_no, reason_code, reason, bank_reference, asked_at, ended_at
      from cash_requests where member_id = ${id} order by id`),
    audit_log: paged(
      (after) => sql`select id as key, at, kind, address, facts from audit_log
        where (target_id = ${id} or actor_id = ${id}) and id > ${after}::bigint
          and not (kind in ('approval_asked', 'approval_refused') and target_id = ${id}) order by id`,
    ),
    files: all(files(id)),
  }
}

/** Yields everything that is kept of a member as one JSON object with a list for each table, piece by piece. */
async function* exportJson(db: Db, id: number): AsyncGenerator<string> {
  const rooms = await many<{ id: number }>(db, sql`select id from rooms where partner_id = ${id} order by id`)
  const tables = tablesOf(
    db,
    id,
    rooms.map((room) => room.id),
  )
  let before = '{'
  for (const [name, pages] of Object.entries(tables)) {
    yield `${before}\n  ${JSON.stringify(name)}: [`
    let comma = ''
    for await (const rows of pages())
      if (rows.length > 0) {
        yield `${comma}\n    ${rows.join(',\n    ')}`
        comma = ','
      }
    yield '\n  ]'
    before = ','
  }
  yield '\n}\n'
}

type Exported = {
  id: number
  store: MediaStore
  /** One that is stored nowhere. */
  onMissing: (name: string) => void
}

/** The person's images and files. */
async function* exportFiles(db: Db, { id, store, onMissing }: Exported): AsyncGenerator<ZipFile> {
  const found = await many<{ file: string }>(db, sql`select file from (${files(id)}) f`)
  for (const { file } of found) {
    const opened = await store.open(mediaKey(file.split('.')[0] ?? ''))
    if (opened?.kind === 'bytes') yield { name: file, content: opened.stream }
    else onMissing(file)
  }
}

/** All that is kept of a member, as files. */
export async function* exportPerson(db: Db, of: Exported): AsyncGenerator<ZipFile> {
  yield { name: 'person.json', content: exportJson(db, of.id) }
  yield* exportFiles(db, of)
}
