import { type Database, many, run, type Sql, sql } from '../db.ts'

/** An invariant of the ledger: `breaches` says in words where it does not hold, and finds nothing when all is well. */
type Invariant = { name: string; breaches: (timeZone: string) => Sql }
export type Finding = { name: string; breaches: string[] }

/**
 * What a transfer moved on its target's wallet in the end: taken (2 receive, 6 deduction, 8 bet) or given (all others). A
 * correction (10) does the opposite of `o`, the transfer that it takes back.
 */
const isTaken = sql`case when t.op = 10 then o.op not in (2, 6) else t.op in (2, 6, 8) end`
const corrected = sql`left join transfers o on o.id = t.corrects`
/** Between members and the office: not a member's own (7), nor with the house (8, 9), nor a correction of a member's own. */
const isOffice = sql`(t.op not in (7, 8, 9) and t.funder_id <> t.target_id)`
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
      union all select 'transfer ' || t.id from transfers t left join accounts a on a.id = t.actor_id
          left join accounts f on f.id = t.funder_id left join accounts m on m.id = t.target_id
        where a.id is null or f.id is null or m.id is null
      union all select 'envelope ' || e.transfer_id from envelopes e left join transfers t on t.id = e.transfer_id
        where t.id is null or not t.is_envelope`,
  },
  {
    name: 'each transfer has moved what its state says, once',
    breaches: () => sql`select 'transfer ' || t.id || ' in state ' || ${state} as what
      from transfers t ${corrected} left join envelopes e on e.transfer_id = t.id
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
      where r.call in ('user/transaction', 'transaction/add', 'transaction/correct', 'wallet/toGame') and r.answer ? 'data'
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
          case when coalesce(o.op, t.op) in (2, 6) then 0 when t.op = 10 then t.amount else -t.amount end,
          case when coalesce(o.op, t.op) not in (2, 6) then 0 when t.op = 10 then t.amount else -t.amount end
        from transfers t ${corrected} join accounts a on a.id = t.target_id left join envelopes e on e.transfer_id = t.id
        where a.role_id = 4 and ${isOffice} and ${state} = 1) d (account_id, day, total_in, total_out)
      group by account_id, day having sum(total_in) <> 0 or sum(total_out) <> 0`,
  },
  {
    name: 'in minus out is what members took from the purse and its escrow',
    breaches: () => sql`select 'account ' || account_id as what from (
        select account_id, total_in - total_out as moved from day_totals
        union all select w.account_id, p.amount from postings p join wallets w on w.id = p.wallet_id and w.kind in (1, 3)
          join transfers t on t.id = p.transfer_id and t.funder_id = w.account_id join accounts a on a.id = t.target_id
        where a.role_id = 4 and ${isOffice}) d group by account_id having sum(moved) <> 0`,
  },
  {
    name: 'what is still to be bet is what credits asked for, less what bets filled and corrections lifted',
    breaches:
      () => sql`select 'account ' || w.account_id || ' has ' || w.flow_due || ' to bet, not ' || coalesce(d.due, 0) as what
      from wallets w left join (select t.target_id, sum(case when t.op in (8, 10) then -t.audit_amount else t.audit_amount end) as due
          from transfers t left join envelopes e on e.transfer_id = t.id
          where t.audit_amount <> 0 and ${state} = 1 group by t.target_id) d on d.target_id = w.account_id
      where w.flow_due <> case when w.kind = 1 then coalesce(d.due, 0) else 0 end`,
  },
  {
    name: 'no bet fills more than itself, and none is filled twice over',
    breaches: () => sql`select 'bet ' || bet_id as what from transfers
      where (op in (8, 9)) <> (bet_id is not null) or op = 8 and audit_amount > amount or op = 9 and audit_amount <> 0
      union all select 'win ' || n.bet_id from transfers n left join transfers b
          on b.top_id = n.top_id and b.bet_id = n.bet_id and b.op = 8 and b.target_id = n.target_id
        where n.op = 9 and b.id is null`,
  },
  {
    name: 'a house stands against bets and wins, and they against a house',
    breaches: () => sql`select 'transfer ' || t.id as what from transfers t join accounts f on f.id = t.funder_id
        join accounts m on m.id = t.target_id
      where (t.op in (8, 9)) <> (f.role_id = 0) or m.role_id = 0 or (f.role_id = 0 and f.top_id <> m.top_id)`,
  },
  {
    name: 'a correction takes back one transfer that succeeded, whole and between the same two',
    breaches:
      () => sql`select 'correction ' || t.id as what from transfers t ${corrected} left join envelopes e on e.transfer_id = o.id
      where (t.op = 10 or t.corrects is not null) and (t.op = 10 and o.op <= 7 and o.amount = t.amount and o.wallet = t.wallet
        and o.funder_id = t.funder_id and o.target_id = t.target_id and t.audit_amount <= o.audit_amount and ${state} = 1) is not true`,
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
