import type { Logger } from 'pino'
import { locks } from '../../data/locks.ts'
import { repeat } from '../../lib/concurrency.ts'
import { type Database, one, type Sql, sql } from '../../data/sql.ts'

/** A mark at every so many postings of a wallet: a sum up to any time then reads fewer postings than this. */
const EVERY: Sql = { text: '16', values: [] }
/** How much one pass adds. The rest is for the next pass. */
const WALLETS = 500
const POSTINGS: Sql = { text: '16000', values: [] }

/**
 * Adds marks for postings that have none yet, for some of the wallets, and returns how many; 0 when all have theirs or
 * another copy is at it.
 */
export const markPostings = (db: Database): Promise<number> =>
  db.transact(async (tx) => {
    const lock = await one<{ got: boolean }>(
      tx,
      sql`select pg_try_advisory_xact_lock(${locks.postingMarks}::bigint) as got`,
    )
    if (!lock?.got) return 0
    const added = await one<{ n: number }>(
      tx,
      sql`with due as materialized (
          select w.id, coalesce(k.seq, 0) as seq, k.at, coalesce(k.total_in, 0) as total_in, coalesce(k.total_out, 0) as total_out
          from wallets w left join lateral (select * from posting_marks m where m.wallet_id = w.id
              order by m.at desc, m.seq desc limit 1) k on true
          where w.seq >= coalesce(k.seq, 0) + ${EVERY} limit ${WALLETS}),
        added as (insert into posting_marks (wallet_id, at, seq, total_in, total_out)
          select d.id, p.at, p.seq, d.total_in + p.total_in, d.total_out + p.total_out from due d
            cross join lateral (select q.seq, greatest(d.at, max(q.created_at) over o) as at,
                (sum(greatest(q.amount, 0)) over o)::bigint as total_in, (sum(greatest(-q.amount, 0)) over o)::bigint as total_out
              from (select seq, created_at, amount from postings where wallet_id = d.id and seq > d.seq
                order by seq limit ${POSTINGS}) q window o as (order by q.seq)) p
          where p.seq % ${EVERY} = 0 returning 1)
        select count(*)::int as n from added`,
    )
    return added?.n ?? 0
  })

/** Adds marks once a minute until it is stopped. Stopping waits for the pass that is under way. */
export const startMarking = (db: Database, log: Pick<Logger, 'error'>, everyMs = 60_000): (() => Promise<void>) =>
  repeat({
    everyMs,
    atOnce: true,
    work: async (isStopped) => {
      while (!isStopped() && (await markPostings(db)) > 0);
    },
    onError: (error) => log.error({ err: error }, 'Could not add marks to the postings; trying again'),
  })

/**
 * A lateral table (its parts are named b, k, m, p, q, r and s, which `wallet` and `time` must not use): what the wallet's postings before `time` come to (`seq`, `balance`, `total_in`, `total_out`). Those
 * are all up to the first posting that is not before it, so that adjoining periods share a boundary even if the clock
 * of the database was once set back.
 */
export const sumsBefore = (wallet: Sql, time: Sql): Sql => {
  const from = sql`coalesce(k.seq, 0)`
  return sql`lateral (select s.seq, s.total_in, s.total_out,
      coalesce((select b.balance_after from postings b where b.wallet_id = ${wallet} and b.seq = s.seq), 0) as balance
    from (select ${from} + r.n as seq, coalesce(k.total_in, 0) + r.total_in as total_in, coalesce(k.total_out, 0) + r.total_out as total_out
      from (select 1) start
        left join lateral (select m.seq, m.total_in, m.total_out from posting_marks m where m.wallet_id = ${wallet} and m.at < ${time}
          order by m.at desc, m.seq desc limit 1) k on true
        cross join lateral (select count(*) as n, coalesce(sum(greatest(p.amount, 0)), 0)::bigint as total_in,
            coalesce(sum(greatest(-p.amount, 0)), 0)::bigint as total_out
          from postings p where p.wallet_id = ${wallet} and p.seq > ${from}
            and p.seq < coalesce((select q.seq from postings q where q.wallet_id = ${wallet} and q.seq > ${from}
              and q.created_at >= ${time} order by q.seq limit 1), 9223372036854775807)) r) s)`
}
