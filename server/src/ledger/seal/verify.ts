import { type Db, many, one, type Sql, sql, withFreshPlan } from '../../data/sql.ts'
import { grouped } from '../../lib/grouped.ts'
import { furtherBack, headOf, type Header, headText, type Part, rootOf, START } from './hashes.ts'
import { leafOf, microsOf, sealedRestOf } from './leaf.ts'

type Block = Header & { head: Buffer }
type CheckedPart = Part & { block: bigint; from: bigint; isSame: boolean }
type SealReport = { rows: number; blocks: bigint; waiting: number; head: string; breaches: string[] }

/** Blocks that are read at a time, and about the most postings of them. */
const PAGE = 100
const ROWS = 10_000

/**
 * Compares the whole seal with the ledger, in one snapshot. `known`: heads (`BLOCK:HEAD`) of statements or earlier runs,
 * without which a seal that was made once more as a whole is not found.
 */
export const verifySeal = async (tx: Db, known: string[] = []): Promise<SealReport> => {
  const breaches: string[] = []
  let rows = 0
  let last: Pick<Block, 'block' | 'head'> = { block: 0n, head: START }
  const heads = new Map(known.map((text) => [text.split(':')[0] ?? '', text]))
  for (let page = await blocksAfter(tx, 0n); page.length > 0; page = await blocksAfter(tx, last.block)) {
    const checked = await checkPage(tx, last, page)
    breaches.push(...checked.breaches.map(({ what }) => what))
    rows += checked.rows
    for (const block of page) {
      const noted = heads.get(String(block.block))
      if (noted !== undefined && noted !== headText(block.block, block.head))
        breaches.push(`block ${block.block} is not the one whose head was noted`)
      last = block
    }
  }
  for (const [block, text] of heads)
    if (!/^\d{1,15}$/.test(block) || BigInt(block) > last.block)
      breaches.push(`the seal has no block of the head ${text}`)
  for (const { what } of await many<{ what: string }>(tx, strays)) breaches.push(what)
  const waiting = await one<{ n: number }>(
    tx,
    sql`select coalesce(sum(w.seq - coalesce(s.seq, 0)), 0)::int as n from wallets w left join sealed_wallets s on s.wallet_id = w.id`,
  )
  return { rows, blocks: last.block, waiting: waiting?.n ?? 0, head: headText(last.block, last.head), breaches }
}

/** The blocks that follow `last`, compared with their postings and with each other. */
const checkPage = async (db: Db, last: Pick<Block, 'block' | 'head'>, page: Block[]) => {
  const [partsOf, headAt] = [await partsOfBlocks(db, page), await headsFor(db, page)]
  const breaches: { at: bigint; what: string }[] = []
  let [rows, before] = [0, last]
  for (const block of page) {
    const note = (what: string) => breaches.push({ at: block.block, what })
    for (let gone = before.block + 1n; gone < block.block; gone++) note(`block ${gone} was removed`)
    const parts = partsOf.get(block.block) ?? []
    for (const part of parts) if (!part.isSame) (await changedRows(db, part)).forEach(note)
    const further = headAt.get(furtherBack(block.block)) ?? START
    const sealed = parts.reduce((sum, { from, to }) => sum + Number(to - from + 1n), 0)
    const isWhole = rootOf(parts).equals(block.root) && sealed === block.rows
    if (!isWhole || !headOf(block, before.head, further).equals(block.head))
      note(`block ${block.block} is not as it was sealed`)
    rows += sealed
    before = block
  }
  return { breaches, rows }
}

const blocksAfter = (db: Db, block: bigint) =>
  many<Block>(
    db,
    sql`select block, micros, rows, root, head from (select *, sum(rows) over (order by block) - rows as before
        from (select block, ${microsOf(sql`sealed_at`)} as micros, rows, root, head from seal_blocks
          where block > ${block} order by block limit ${PAGE}::int) next) counted
      where before < ${ROWS}::int order by block`,
  )

/** The block after which the newest postings begin that are checked at once. */
export const newestBlocks = async (db: Db): Promise<bigint> => {
  const row = await one<{ block: bigint }>(
    db,
    sql`select coalesce(min(block) - 1, 0)::bigint as block from (select block, sum(rows) over (order by block desc) - rows as before
        from (select block, rows from seal_blocks order by block desc limit ${PAGE}::int) newest) counted
      where before < ${ROWS}::int`,
  )
  return row?.block ?? 0n
}

/** Compares some of the blocks after one with the ledger; `last` is the last of them. */
export const checkBlocks = async (db: Db, after: bigint) => {
  const page = await blocksAfter(db, after)
  const [before] = await many<Pick<Block, 'block' | 'head'>>(
    db,
    sql`select block, head from seal_blocks where block = ${after}`,
  )
  const { breaches } = await checkPage(db, before ?? { block: after, head: START }, page)
  return { last: page.at(-1)?.block, breaches }
}

const headsFor = async (db: Db, blocks: Block[]): Promise<Map<bigint, Buffer>> => {
  const wanted = blocks.map(({ block }) => furtherBack(block))
  const found = await many<{ block: bigint; head: Buffer }>(
    db,
    sql`select block, head from seal_blocks where block = any(${wanted}::bigint[])`,
  )
  return new Map(found.map(({ block, head }) => [block, head]))
}

/** The hashes of the postings `p` of the parts `k` with their blocks `c`. */
const leaf = leafOf(sealedRestOf(sql`c.salt`))
const postingsOfParts: Sql = sql`seal_parts k join seal_blocks c on c.block = k.block
  left join lateral (select * from postings p where p.wallet_id = k.wallet_id and p.seq between k.from_seq and k.to_seq offset 0) p on true
  left join lateral (select * from transfers t where t.id = p.transfer_id offset 0) t on true`

/** Parts by block, in the order of their wallets, and whether their postings still have the hash that was sealed. */
const partsOfBlocks = async (db: Db, blocks: Block[]): Promise<Map<bigint, CheckedPart[]>> => {
  const [first, last] = [blocks[0]?.block ?? 0n, blocks.at(-1)?.block ?? 0n]
  const parts = await many<CheckedPart>(
    db,
    withFreshPlan(sql`select k.block, k.wallet_id as "walletId", k.from_seq as from, k.to_seq as to, k.hash,
        count(p.seq) = k.to_seq - k.from_seq + 1 and (k.from_seq = 1 or b.hash is not null)
          and sha256(coalesce(b.hash, ${START}::bytea) || coalesce(string_agg(${leaf}, '' order by p.seq), '')) = k.hash as "isSame"
      from ${postingsOfParts} left join seal_parts b on b.wallet_id = k.wallet_id and b.to_seq = k.from_seq - 1
      where k.block between ${first} and ${last} group by k.wallet_id, k.to_seq, b.hash order by k.block, k.wallet_id`),
  )
  return grouped(parts, ({ block }) => block)
}

/** The postings of a part that differ from what was sealed; the part itself when all of them are as they were. */
const changedRows = async (db: Db, { walletId, from, to }: CheckedPart): Promise<string[]> => {
  const rows = await many<{ seq: bigint; transfer: string | null; isThere: boolean; hasTransfer: boolean }>(
    db,
    sql`select n.seq, p.seq is not null as "isThere", t.id is not null as "hasTransfer",
        coalesce(t.transaction_id::text, p.transfer_id::text) as transfer
      from seal_parts k join seal_blocks c on c.block = k.block
        cross join lateral generate_series(k.from_seq, k.to_seq) n (seq)
        left join postings p on p.wallet_id = k.wallet_id and p.seq = n.seq left join transfers t on t.id = p.transfer_id
      where k.wallet_id = ${walletId} and k.to_seq = ${to}
        and (p.seq is null or substr(${leaf}, 1, 8) <> substr(k.marks, ((n.seq - k.from_seq) * 8 + 1)::int, 8)) order by n.seq`,
  )
  if (rows.length === 0) return [`the seal of wallet ${walletId}, postings ${from} to ${to}, was changed`]
  return rows.map(({ seq, transfer, isThere, hasTransfer }) => {
    const posting = `posting ${walletId}/${seq}`
    if (!isThere) return `${posting} was removed`
    return hasTransfer
      ? `${posting} or its transfer ${transfer} was changed`
      : `transfer ${transfer} of ${posting} was removed`
  })
}

/** Rows that came in beside the ledger, and marks of progress that do not fit. */
const strays = sql`select 'posting ' || p.wallet_id || '/' || p.seq || ' was put in' as what
    from postings p left join wallets w on w.id = p.wallet_id where w.id is null or p.seq < 1 or p.seq > w.seq
  union all select 'transfer ' || t.transaction_id || ' was put in: it has no postings' from transfers t
    where not t.is_envelope and not exists (select from postings p where p.transfer_id = t.id)
  union all select 'posting ' || e.wallet_id || '/' || e.seq || ' has a remark that counts as erased, and nobody was erased'
    from erased_remarks e left join postings p on p.wallet_id = e.wallet_id and p.seq = e.seq left join transfers t on t.id = p.transfer_id
    where t.remark is distinct from '' or not exists (select from audit_log l
      where l.kind = 'account_erased' and l.target_id in (t.target_id, t.funder_id, t.actor_id))
  union all select 'wallet ' || coalesce(w.id, s.wallet_id) || ' is sealed to ' || coalesce(s.seq, 0) || ', not to ' || coalesce(k.seq, 0)
    from sealed_wallets s full join (select wallet_id, max(to_seq) as seq from seal_parts group by wallet_id) k on k.wallet_id = s.wallet_id
      left join wallets w on w.id = coalesce(s.wallet_id, k.wallet_id)
    where s.seq is distinct from k.seq or w.id is null or w.seq < s.seq
  union all select 'wallet ' || w.id || ' has ' || n.count || ' postings after ' || coalesce(s.seq, 0) || ', which is where its seal ends, not ' || w.seq - coalesce(s.seq, 0)
    from wallets w left join sealed_wallets s on s.wallet_id = w.id
      cross join lateral (select count(*) from postings p where p.wallet_id = w.id and p.seq > coalesce(s.seq, 0) and p.seq <= w.seq) n
    where w.seq > coalesce(s.seq, 0) and n.count <> w.seq - coalesce(s.seq, 0)`
