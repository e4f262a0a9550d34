import { type Database, many, run, type Sql, sql } from '../db.ts'

/** An invariant of the ledger: `breaches` says in words where it does not hold, and finds nothing when all is well. */
type Invariant = { name: string; breaches: (timeZone: string) => Sql }
export type Finding = { name: string; breaches: string[] }

/** What a transfer moved on its target's wallet in the end: taken (2, 6) or given (all others). */
const isTaken = sql`t.op in (2, 6)`
const state = sql`coalesce(e.status, 1)`
const settledAt = sql`coalesce(e.settled_at, t.created_at)`

const invariants: Invariant[] = [
  {
    name: 'all wallets together hold nothing',
    breaches: () => sql`select 'they hold ' || sum(balance) as what from wallets having sum(balance) <> 0`,
  },
  {
    name: 'no wallet stands below its floor',
    breaches: () =>
      sql`select 'wallet ' || id || ' holds ' || balance || ' above a floor of ' || floor as what from wallets where balance < floor`,
  },
  {
    name: 'each balance is the sum of its postings and the last of their balances',
    breaches:
      () => sql`select 'wallet ' || w.id || ' holds ' || w.balance || ', its postings sum to ' || coalesce(p.total, 0)
        || ', the last says ' || coalesce(p.last, 0) as what
      from wallets w left join (select wallet_id, sum(amount) as total, (array_agg(balance_after order by seq desc))[1] as last
        from postings group by wallet_id) p on p.wallet_id = w.id
      where w.balance <> coalesce(p.total, 0) or w.balance <> coalesce(p.last, 0)`,
  },
  {
    name: 'postings are numbered without gaps, and each goes on where the one before it stopped',
    breaches: () => sql`select 'wallet ' || p.wallet_id || ' at ' || p.seq as what
      from (select *, row_number() over w as place, lag(balance_after, 1, 0::bigint) over w as before
        from postings window w as (partition by wallet_id order by seq)) p
      where p.seq <> p.place or p.balance_after <> p.before + p.amount
      union all select 'wallet ' || w.id || ' counts ' || w.seq from wallets w
      where w.seq <> (select count(*) from postings p where p.wallet_id = w.id)`,
  },
  {
    name: 'the postings of each transfer sum to zero, at its making and at its settling',
    breaches: () => sql`select 'transfer ' || transfer_id || ' leg ' || leg as what from postings
      group by transfer_id, leg having sum(amount) <> 0 or count(*) <> 2`,
  },
  {
    name: 'no posting without its wallet and transfer, no transfer without its accounts',
    breaches: () => sql`select 'posting ' || p.wallet_id || '/' || p.seq as what from postings p
        left join wallets w on w.id = p.wallet_id left join transfers t on t.id = p.transfer_id where w.id is null or t.id is null
      union all select 'transfer ' || t.id from transfers t where (select count(*) from accounts a
        where a.id in (t.actor_id, t.funder_id, t.target_id)) <> (case when t.actor_id = t.funder_id then 2 else 3 end)
      union all select 'envelope ' || e.transfer_id from envelopes e left join transfers t on t.id = e.transfer_id
        where t.id is null or not t.is_envelope`,
  },
  {
    name: 'each transfer has moved what its state says, once',
    breaches: () => sql`select 'transfer ' || t.id || ' in state ' || ${state} as what
      from transfers t left join envelopes e on e.transfer_id = t.id
        left join lateral (select coalesce(sum(p.amount) filter (where w.account_id = t.target_id and w.kind = t.wallet), 0) as target,
            coalesce(sum(p.amount) filter (where w.account_id = t.funder_id and w.kind = 1), 0) as main,
            coalesce(sum(p.amount) filter (where w.account_id = t.funder_id and w.kind = 3), 0) as escrow,
            count(*) filter (where p.leg = 1) as settled
          from postings p join wallets w on w.id = p.wallet_id where p.transfer_id = t.id) p on true
      where p.target <> case when ${state} <> 1 then 0 when ${isTaken} then -t.amount else t.amount end
        or p.escrow <> case when ${state} = 4 and e.type = 1 then t.amount else 0 end
        or p.main <> -p.target - p.escrow
        or p.settled <> case when e.transfer_id is null or ${state} = 4 or (e.type = 2 and ${state} <> 1) then 0 else 2 end`,
  },
  {
    name: 'escrow holds what open envelopes hold',
    breaches:
      () => sql`select 'account ' || w.account_id || ' holds ' || w.balance as what from wallets w where w.kind = 3
      and w.balance <> (select coalesce(sum(t.amount), 0) from envelopes e join transfers t on t.id = e.transfer_id
        where e.status = 4 and e.type = 1 and t.funder_id = w.account_id)`,
  },
  {
    name: 'an answered request tells of one transfer, and no two of the same',
    breaches: () => sql`select 'transaction ' || (r.answer->'data'->>'transaction_id') as what from requests r
        left join transfers t on t.transaction_id = (r.answer->'data'->>'transaction_id')::uuid and t.actor_id = r.actor_id
      where r.call in ('user/transaction', 'transaction/add') and r.answer ? 'data'
      group by r.answer->'data'->>'transaction_id' having count(*) <> 1 or count(t.id) <> 1
      union all select 'envelope ' || (r.answer->'data'->>'transaction_id') from requests r
        left join transfers t on t.transaction_id = (r.answer->'data'->>'transaction_id')::uuid and t.target_id = r.actor_id
        left join envelopes e on e.transfer_id = t.id
      where r.call = 'envelope/answer' and r.answer ? 'data'
      group by r.answer->'data'->>'transaction_id' having count(*) <> 1 or bool_or(e.settled_by is distinct from t.target_id)`,
  },
  {
    name: 'day totals are what transfers with members moved',
    breaches: (
      timeZone,
    ) => sql`select 'account ' || account_id || ' on ' || day || ' (' || ${timeZone}::text || ')' as what
      from (select account_id, day, total_in, total_out from day_totals
        union all select t.funder_id, (${settledAt} at time zone ${timeZone})::date,
          case when ${isTaken} then 0 else -t.amount end, case when ${isTaken} then -t.amount else 0 end
        from transfers t join accounts a on a.id = t.target_id left join envelopes e on e.transfer_id = t.id
        where a.role_id = 4 and ${state} = 1) d (account_id, day, total_in, total_out)
      group by account_id, day having sum(total_in) <> 0 or sum(total_out) <> 0`,
  },
  {
    name: 'in minus out is what members took from the purse and its escrow',
    breaches: () => sql`select 'account ' || account_id as what from (
        select account_id, total_in - total_out as moved from day_totals
        union all select w.account_id, p.amount from postings p join wallets w on w.id = p.wallet_id and w.kind in (1, 3)
          join transfers t on t.id = p.transfer_id and t.funder_id = w.account_id join accounts a on a.id = t.target_id
        where a.role_id = 4) d group by account_id having sum(moved) <> 0`,
  },
]

/** Holds every invariant against one picture of the database, while it goes on working. At most ten breaches of each are named. */
export const checkLedger = (db: Database, timeZone: string): Promise<Finding[]> =>
  db.transact(async (tx) => {
    await run(tx, sql`set transaction isolation level repeatable read, read only`)
    const findings: Finding[] = []
    for (const { name, breaches } of invariants) {
      const rows = await many<{ what: string }>(tx, sql`select what from (${breaches(timeZone)}) b limit 10`)
      findings.push({ name, breaches: rows.map(({ what }) => what) })
    }
    return findings
  })
