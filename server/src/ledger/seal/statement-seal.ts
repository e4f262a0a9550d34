import { type Db, many, one, sql, withFreshPlan } from '../../data/sql.ts'
import { grouped } from '../../lib/grouped.ts'
import { refuse } from '../../lib/refusal.ts'
import { moment } from '../read/history.ts'
import { sumsBefore } from '../read/posting-marks.ts'
import type { Statement } from '../read/statement.ts'
import { furtherBack, type Part, pathsOf, START, wayBack } from './hashes.ts'
import { leafOf, microsOf, sealedRestOf } from './leaf.ts'

/** The newest head. */
export const newestSeal = (db: Db, timeZone: string) =>
  one<{ block: bigint; at: string; head: Buffer }>(
    db,
    sql`select block, head, ${moment(sql`sealed_at`, timeZone)} as at from seal_blocks order by block desc limit 1`,
  )

/** The most postings of a file, with those of which it has only the hashes. */
const MOST = 100_000

/** The postings of a wallet that are shown: those of the period, or the last one before it. */
type Range = { walletId: number; from: bigint; to: bigint; isBefore: boolean }
type PostingRow = {
  walletId: number
  seq: bigint
  micros: bigint
  number: string
  leg: number
  kind: number
  amount: bigint
  balance: bigint
  /** null while it waits. */
  rest: string | null
  leaf: string
  isShown: boolean
  /** The block that it is sealed in, and where its part of it ends; null while it waits. */
  block: bigint | null
  partTo: bigint | null
}
/** seq, microseconds since 1970, number, leg, kind, amount, balance after it, hash of the rest. */
type Shown = [number, string, string, number, number, string, string, string]
type SealedWallet = {
  wallet: number
  /** The hash of the wallet before the first item. */
  before: string
  /** Consecutive postings; of those that the statement does not show only the hash. */
  items: (Shown | string)[]
  /** The number of the first item, and of the first and last that the statement shows. */
  first: number
  from: number
  to: number
  /** No movement, but the last one before the period: it says what the wallet held. */
  is_before: boolean
  /** How many items each part has. What is left is not sealed yet. */
  parts: number[]
  /** Where the last part is sealed; 0 when no part is. */
  block: number
  path: string[]
}
/** web/public/check.html reads it. */
type SealFile = {
  format: 'tallyroom seal 1'
  head: [number, string]
  /** Newest first: block, microseconds since 1970, postings, root, head before it, head further back. */
  blocks: [number, string, number, string, string, string][]
  wallets: SealedWallet[]
}

/** Makes the file that proves the movements of a statement without the server. */
export const sealFileOf = async (db: Db, statement: Statement): Promise<SealFile> => {
  const newest = await one<{ block: bigint; head: Buffer }>(
    db,
    sql`select block, head from seal_blocks order by block desc limit 1`,
  )
  if (!newest) return refuse('statement.not_sealed')
  const ranges = await rangesOf(db, statement)
  if (ranges.reduce((sum, { from, to }) => sum + Number(to - from) + 1, 0) > MOST)
    return refuse('statement.too_long_to_seal')
  const rows = grouped(await postingsOf(db, ranges, statement.byId), ({ walletId }) => walletId)
  const wallets = ranges.map((range) => ({ range, of: rows.get(range.walletId) ?? [] }))
  const blocks = wallets.flatMap(({ of }) => of.findLast(({ block }) => block !== null)?.block ?? [])
  const pathOf = await pathsIn(db, [...new Set(blocks)])
  const before = await hashesBefore(
    db,
    wallets.flatMap(({ of }) => of[0] ?? []),
  )
  return {
    format: 'tallyroom seal 1',
    head: [Number(newest.block), newest.head.toString('hex')],
    blocks: await headersTo(db, newest.block, blocks),
    wallets: wallets.map(({ range, of }) => {
      const block = of.findLast((row) => row.block !== null)?.block ?? 0n
      return {
        ...walletItem(range, of),
        before: (before.get(range.walletId) ?? START).toString('hex'),
        block: Number(block),
        path: pathOf.get(`${block}/${range.walletId}`) ?? [],
      }
    }),
  }
}

const rangesOf = (db: Db, { wallets, listed, start, end }: Statement) =>
  many<Range>(
    db,
    withFreshPlan(sql`with w as materialized (select w.id from ${wallets} and ${listed})
      select w.id as "walletId", least(o.seq + 1, c.seq) as from, c.seq as to, c.seq = o.seq as "isBefore"
      from w cross join ${sumsBefore(sql`w.id`, sql`${start}`)} o cross join ${sumsBefore(sql`w.id`, end)} c
      where c.seq > 0 order by w.id`),
  )

/** The postings of the ranges, and those that share a part with the first or last of them. */
const postingsOf = (db: Db, ranges: Range[], byId: number | undefined) => {
  const partOf = (seq: string) =>
    sql`select k.from_seq, k.to_seq, k.block from seal_parts k where k.wallet_id = v.id and k.to_seq >= ${{ text: seq, values: [] }} order by k.to_seq limit 1`
  const rest = sealedRestOf(sql`c.salt`)
  return many<PostingRow>(
    db,
    withFreshPlan(sql`select p.wallet_id as "walletId", p.seq, ${microsOf(sql`p.created_at`)} as micros, t.transaction_id as number,
        p.leg, t.op as kind, p.amount, p.balance_after as balance, encode(${rest}, 'hex') as rest, encode(${leafOf(rest)}, 'hex') as leaf,
        p.seq >= v.first and p.seq <= v.last and (${byId ?? null}::int is null or t.actor_id = ${byId ?? null}::int) as "isShown",
        k.block, k.to_seq as "partTo"
      from unnest(${ranges.map(({ walletId }) => walletId)}::int[], ${ranges.map(({ from }) => from)}::bigint[],
          ${ranges.map(({ to }) => to)}::bigint[]) v (id, first, last)
        left join lateral (${partOf('v.first')}) f on true left join lateral (${partOf('v.last')}) l on true
        cross join lateral (select * from postings p where p.wallet_id = v.id and p.seq >= coalesce(f.from_seq, v.first)
          and p.seq <= coalesce(l.to_seq, v.last) order by p.seq limit ${MOST + 1}::int) p
        join transfers t on t.id = p.transfer_id
        left join lateral (${partOf('p.seq')}) k on true left join seal_blocks c on c.block = k.block
      order by p.wallet_id, p.seq`),
  )
}

const shownItem = (row: PostingRow): Shown => [
  Number(row.seq),
  String(row.micros),
  row.number,
  row.leg,
  row.kind,
  String(row.amount),
  String(row.balance),
  row.rest ?? '',
]

const walletItem = ({ walletId, from, to, isBefore }: Range, of: PostingRow[]) => {
  const parts = grouped(
    of.filter(({ partTo }) => partTo !== null),
    ({ partTo }) => partTo,
  )
  return {
    wallet: walletId,
    items: of.map((row) => (row.isShown ? shownItem(row) : row.leaf)),
    first: Number(of[0]?.seq ?? 0),
    from: Number(from),
    to: Number(to),
    is_before: isBefore,
    parts: [...parts.values()].map((rows) => rows.length),
  }
}

/** The hash of each wallet before its first row. */
const hashesBefore = async (db: Db, firsts: PostingRow[]): Promise<Map<number, Buffer>> => {
  const found = await many<{ id: number; hash: Buffer }>(
    db,
    sql`select k.wallet_id as id, k.hash from unnest(${firsts.map(({ walletId }) => walletId)}::int[],
        ${firsts.map(({ seq }) => seq - 1n)}::bigint[]) v (id, seq) join seal_parts k on k.wallet_id = v.id and k.to_seq = v.seq`,
  )
  return new Map(found.map(({ id, hash }) => [id, hash]))
}

/** The way of each part of these blocks to the root, by block/wallet. */
const pathsIn = async (db: Db, blocks: bigint[]): Promise<Map<string, string[]>> => {
  const parts = await many<Part & { block: bigint }>(
    db,
    sql`select block, wallet_id as "walletId", to_seq as to, hash from seal_parts
      where block = any(${blocks}::bigint[]) order by block, wallet_id`,
  )
  const paths = new Map<string, string[]>()
  for (const [block, of] of grouped(parts, (part) => part.block))
    for (const [at, path] of pathsOf(of).entries()) paths.set(`${block}/${of[at]?.walletId}`, path)
  return paths
}

/** The blocks by which the newest head proves these. */
const headersTo = async (db: Db, newest: bigint, blocks: bigint[]): Promise<SealFile['blocks']> => {
  const wanted = new Set([newest, ...[...new Set(blocks)].flatMap((block) => wayBack(newest, block))])
  const found = await many<{
    block: bigint
    micros: bigint
    rows: number
    root: Buffer
    before: Buffer
    further: Buffer
  }>(
    db,
    sql`select c.block, ${microsOf(sql`c.sealed_at`)} as micros, c.rows, c.root, coalesce(b.head, ${START}::bytea) as before,
        coalesce(f.head, ${START}::bytea) as further
      from unnest(${[...wanted]}::bigint[], ${[...wanted].map(furtherBack)}::bigint[]) v (block, further)
        join seal_blocks c on c.block = v.block left join seal_blocks b on b.block = v.block - 1
        left join seal_blocks f on f.block = v.further order by c.block desc`,
  )
  return found.map(({ block, micros, rows, root, before, further }) => [
    Number(block),
    String(micros),
    rows,
    ...([root, before, further].map((hash) => hash.toString('hex')) as [string, string, string]),
  ])
}
