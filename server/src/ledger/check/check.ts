import {
  correctableKinds,
  officeTakingKinds,
  platformKinds,
  reducingKinds,
  takingKinds,
} from '../../domain/kind-sets.ts'
import { corrected, counted, isOfficeTransfer, state } from './day-totals.ts'
import { auditedBreaches } from './audited.ts'
import { reportSumBreaches } from './report-sums.ts'
import { owedSum } from '../engine/close-period.ts'
import { sumsBefore } from '../read/posting-marks.ts'
import type { LedgerRule } from '@tallyroom/contract/calls/points/report'
import { type Database, many, run, type Sql, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'

/** An invariant of the ledger. `breaches` selects where it does not hold and below which top account: no rows when all is well. */
type Invariant = { rule: LedgerRule; breaches: (timeZone: string) => Sql }
type Breach = { what: string; topId: number }
export type Finding = { rule: LedgerRule; breaches: Breach[] }

/**
 * Whether a transfer in the end took from its target's wallet (2 receive, 6 deduction, 8 bet) or gave to it (all others).
 * A correction (10) does the opposite of `o`, the transfer it corrects.
 */
const isTaken = sql`case when t.op = ${is.correction} then o.op not in ${officeTakingKinds} else t.op in ${takingKinds} end`

const invariants: Invariant[] = [
  {
    rule: 'sum_zero',
    breaches: () =>
      sql`select top_id, 'they hold ' || sum(balance) as what from wallets group by top_id having sum(balance) <> 0`,
  },
  {
    rule: 'floor',
    breaches: () =>
      sql`select top_id, 'wallet ' || id || ' holds ' || balance || ' above a floor of ' || floor as what from wallets where balance < floor`,
  },
  {
    rule: 'balance',
    breaches:
      () => sql`select w.top_id, 'wallet ' || w.id || ' holds ' || w.balance || ', its postings sum to ' || coalesce(p.total, 0)
        || ', the last says ' || coalesce(p.last, 0) as what
      from wallets w left join (select wallet_id, sum(amount) as total, (array_agg(balance_after order by seq desc))[1] as last
        from postings group by wallet_id) p on p.wallet_id = w.id
      where w.balance <> coalesce(p.total, 0) or w.balance <> coalesce(p.last, 0)`,
  },
  {
    rule: 'numbered',
    breaches: () => sql`select p.top_id, 'wallet ' || p.wallet_id || ' at ' || p.seq as what
      from (select *, row_number() over w as place, lag(balance_after, 1, 0::bigint) over w as before
        from postings window w as (partition by wallet_id order by seq)) p
      where p.seq <> p.place or p.balance_after <> p.before + p.amount
      union all select w.top_id, 'wallet ' || w.id || ' counts ' || w.seq from wallets w
      where w.seq <> (select count(*) from postings p where p.wallet_id = w.id)`,
  },
  {
    rule: 'two_sides',
    breaches: () => sql`select min(top_id) as top_id, 'transfer ' || transfer_id || ' leg ' || leg as what from postings
      group by transfer_id, leg having sum(amount) <> 0 or count(*) <> 2`,
  },
  {
    rule: 'no_strays',
    breaches: () => sql`select p.top_id, 'posting ' || p.wallet_id || '/' || p.seq as what from postings p
        left join wallets w on w.id = p.wallet_id left join transfers t on t.id = p.transfer_id where w.id is null or t.id is null
      union all select t.top_id, 'transfer ' || t.id from transfers t left join accounts a on a.id = t.actor_id
          left join accounts f on f.id = t.funder_id left join accounts m on m.id = t.target_id
        where a.id is null or f.id is null or m.id is null
      union all select e.top_id, 'envelope ' || e.transfer_id from envelopes e left join transfers t on t.id = e.transfer_id
        where t.id is null or not t.is_envelope`,
  },
  {
    rule: 'state',
    breaches: () => sql`select t.top_id, 'transfer ' || t.id || ' in state ' || ${state} as what
      from transfers t ${corrected} left join envelopes e on e.transfer_id = t.id
        left join lateral (select coalesce(sum(p.amount) filter (where w.account_id = t.target_id and w.kind = t.wallet), 0) as target,
            coalesce(sum(p.amount) filter (where w.account_id = t.funder_id and w.kind = ${is.mainWallet}), 0) as main,
            coalesce(sum(p.amount) filter (where w.kind = ${is.escrow}), 0) as escrow,
            (array_agg(p.balance_after order by p.leg) filter (where w.account_id = t.target_id and w.kind = t.wallet))[1] as after,
            count(*) filter (where p.leg = 1) as settled
          from postings p join wallets w on w.id = p.wallet_id where p.transfer_id = t.id) p on true
      where p.target <> case when ${state} <> ${is.success} and not (${state} = ${is.pending} and e.type in (${is.cashHold}, ${is.heldTaking})) then 0 when ${isTaken} then -t.amount else t.amount end
        or p.escrow <> case when ${state} = ${is.pending} and e.type in (${is.giving}, ${is.cashHold}, ${is.heldGiving}, ${is.heldTaking}) then t.amount else 0 end
        or p.main <> -p.target - p.escrow
        or p.after is distinct from coalesce(t.target_balance, e.target_balance)
        or p.settled <> case when e.transfer_id is null or ${state} = ${is.pending} or (e.type in (${is.asking}, ${is.heldAsking}) and ${state} <> ${is.success}) then 0 else 2 end`,
  },
  {
    rule: 'escrow',
    breaches:
      () => sql`select w.top_id, 'account ' || w.account_id || ' holds ' || w.balance as what from wallets w where w.kind = ${is.escrow}
      and w.balance <> (select coalesce(sum(t.amount), 0) from envelopes e join transfers t on t.id = e.transfer_id
        where e.status = ${is.pending} and (e.type in (${is.giving}, ${is.heldGiving}) and t.funder_id = w.account_id or e.type in (${is.cashHold}, ${is.heldTaking}) and t.target_id = w.account_id))`,
  },
  {
    rule: 'requests',
    breaches: () => sql`select coalesce(min(a.top_id), 0) as top_id,
        'transaction ' || (r.answer->'data'->>'transaction_id') as what from requests r left join accounts a on a.id = r.actor_id
        left join transfers t on t.transaction_id = (r.answer->'data'->>'transaction_id')::uuid
          and (t.actor_id = r.actor_id or r.call = 'change/approve')
      where r.call in ('user/transaction', 'transaction/add', 'transaction/correct', 'wallet/toGame', 'change/approve')
        and r.answer->'data' ? 'transaction_id' and not (r.call = 'transaction/correct' and r.answer->'data' ? 'approval')
      group by r.answer->'data'->>'transaction_id' having count(*) <> 1 or count(t.id) <> 1
      union all select coalesce(min(a.top_id), 0), 'envelope ' || (r.answer->'data'->>'transaction_id')
        from requests r left join accounts a on a.id = r.actor_id
        left join transfers t on t.transaction_id = (r.answer->'data'->>'transaction_id')::uuid and t.target_id = r.actor_id
        left join envelopes e on e.transfer_id = t.id
      where r.call = 'envelope/answer' and r.answer ? 'data'
      group by r.answer->'data'->>'transaction_id' having count(*) <> 1 or bool_or(e.settled_by is distinct from t.target_id)`,
  },
  {
    rule: 'days',
    breaches: (
      timeZone,
    ) => sql`select min(top_id) as top_id, 'account ' || account_id || ' on ' || day || ' (' || ${timeZone}::text || ')' as what
      from (select account_id, day, total_in, total_out, top_id from day_totals
        union all select account_id, (at at time zone ${timeZone})::date, -total_in, -total_out, top_id
        from (${counted}) c) d (account_id, day, total_in, total_out, top_id)
      group by account_id, day having sum(total_in) <> 0 or sum(total_out) <> 0`,
  },
  {
    rule: 'in_out',
    breaches: () => sql`select min(top_id) as top_id, 'account ' || account_id as what from (
        select account_id, total_in - total_out as moved, top_id from day_totals
        union all select w.account_id, p.amount, w.top_id from postings p join wallets w on w.id = p.wallet_id and w.kind in (${is.mainWallet}, ${is.escrow})
          join transfers t on t.id = p.transfer_id and t.funder_id = w.account_id join accounts a on a.id = t.target_id
        where a.role_id = ${is.member} and ${isOfficeTransfer}) d group by account_id having sum(moved) <> 0`,
  },
  {
    rule: 'flow',
    breaches:
      () => sql`select w.top_id, 'account ' || w.account_id || ' has ' || w.flow_due || ' to bet, not ' || coalesce(d.due, 0) as what
      from wallets w left join (select t.target_id, sum(case when t.op in ${reducingKinds} then -t.audit_amount else t.audit_amount end) as due
          from transfers t left join envelopes e on e.transfer_id = t.id
          where t.audit_amount <> 0 and ${state} = ${is.success} group by t.target_id) d on d.target_id = w.account_id
      where w.flow_due <> case when w.kind = ${is.mainWallet} then coalesce(d.due, 0) else 0 end`,
  },
  {
    rule: 'bets',
    breaches: () => sql`select top_id, 'bet ' || bet_id as what from transfers
      where (op in ${platformKinds}) <> (bet_id is not null) or op = ${is.bet} and audit_amount > amount or op = ${is.win} and audit_amount <> 0
      union all select n.top_id, 'win ' || n.bet_id from transfers n left join transfers b
          on b.top_id = n.top_id and b.bet_id = n.bet_id and b.op = ${is.bet} and b.target_id = n.target_id
        where n.op = ${is.win} and b.id is null
      union all select v.top_id, 'void of bet ' || v.bet_id from transfers v left join transfers b
          on b.top_id = v.top_id and b.bet_id = v.bet_id and b.op = ${is.bet} and b.target_id = v.target_id
        where v.op = ${is.betVoid} and ((v.amount, v.wallet) is distinct from (b.amount, b.wallet) or v.audit_amount > b.audit_amount
          or exists (select from transfers n where n.top_id = v.top_id and n.bet_id = v.bet_id and n.op = ${is.win}))`,
  },
  {
    rule: 'house',
    breaches:
      () => sql`select t.top_id, 'transfer ' || t.id as what from transfers t join accounts f on f.id = t.funder_id
        join accounts m on m.id = t.target_id
      where (t.op in ${platformKinds}) <> (f.role_id = ${is.gameAccount}) or m.role_id = ${is.gameAccount} or (f.role_id = ${is.gameAccount} and f.top_id <> m.top_id)`,
  },
  {
    rule: 'corrections',
    breaches:
      () => sql`select t.top_id, 'correction ' || t.id as what from transfers t ${corrected} left join envelopes e on e.transfer_id = o.id
      where (t.op = ${is.correction} or t.corrects is not null) and (t.op = ${is.correction} and o.op in ${correctableKinds} and o.amount = t.amount and o.wallet = t.wallet
        and o.funder_id = t.funder_id and o.target_id = t.target_id and t.audit_amount <= o.audit_amount and ${state} = ${is.success}) is not true`,
  },
  {
    rule: 'cash',
    // Paid by its taker's own call, of a person or a key, or by a colleague's approval of that call.
    breaches: () => sql`select c.top_id, 'request ' || c.id || ' is ' || c.state as what
      from cash_requests c left join transfers t on t.id = c.transfer_id left join envelopes e on e.transfer_id = t.id
        left join approvals p on p.cash_id = c.id and p.state = 'approved'
        left join requests r on r.actor_id = c.ended_by and r.call in ('cash/pay', 'api/cash/pay')
          and r.answer->'data'->>'transaction_id' = t.transaction_id::text and (r.answer->'data'->>'id')::int = c.id
          and (r.answer->'data'->>'state' = 'paid' or p.transfer_id = t.id)
      where case when c.direction = 'out'
          then e.type is distinct from ${is.cashHold} or e.status <> case c.state when 'paid' then 1 when 'expired' then 3
            when 'refused' then 2 when 'withdrawn' then 2 else 4 end
          else (t.id is null) <> (c.state <> 'paid') or e.transfer_id is not null and p.transfer_id is distinct from t.id end
        or t.id is not null and (t.target_id <> c.member_id or t.amount <> c.amount or t.room_id is distinct from c.room_id
          or t.op <> case c.direction when 'out' then 2 else 1 end)
        or c.state <> 'paid' and r.actor_id is not null
        -- Who asks is not moved before the end.
        or c.state in ('asked', 'taken') and c.group_id <> (select m.group_id from accounts m where m.id = c.member_id)
        -- Outcomes from before that are dropped.
        or c.state = 'paid' and r.actor_id is null and c.ended_at > (select min(starts) + interval '1 minute' from request_parts())
      union all select e.top_id, 'envelope ' || e.transfer_id || ' holds points for no request' from envelopes e
      where e.type = ${is.cashHold} and not exists (select from cash_requests c where c.transfer_id = e.transfer_id)`,
  },
  {
    rule: 'approvals',
    // A transfer that waits is held and has one approval; an approved one was approved by somebody else.
    breaches:
      () => sql`select e.top_id, 'envelope ' || e.transfer_id || ' waits for no approval' as what from envelopes e
        where e.status = ${is.pending} and e.type > ${is.cashHold}
          and not exists (select from approvals p where p.transfer_id = e.transfer_id and p.state = 'waiting')
      union all select p.top_id, 'approval ' || p.id || ' is ' || p.state from approvals p
        left join transfers t on t.id = p.transfer_id left join envelopes e on e.transfer_id = p.transfer_id
        left join cash_requests c on c.id = p.cash_id
      where t.id is null or p.state = 'approved' and p.ended_by = p.maker_id
        or (p.cash_id is not null) <> (c.id is not null)
        or case when p.state = 'waiting' then e.status is distinct from ${is.pending} or e.type < ${is.cashHold}
            or c.id is not null and (c.state <> 'taken' or c.taken_by <> p.maker_id)
          when p.state = 'approved' then e.type > ${is.asking} and e.status <> ${is.success}
          else e.type > ${is.cashHold} and e.status <> case p.state when 'expired' then 3 when 'failed' then 0 else 2 end end`,
  },
  {
    rule: 'marks',
    breaches: () => sql`select coalesce(w.top_id, 0) as top_id, 'wallet ' || m.wallet_id || ' at ' || m.seq as what
      from posting_marks m left join wallets w on w.id = m.wallet_id
        left join (select wallet_id, seq, max(created_at) over o as at, sum(greatest(amount, 0)) over o as total_in,
            sum(greatest(-amount, 0)) over o as total_out
          from postings window o as (partition by wallet_id order by seq)) p on p.wallet_id = m.wallet_id and p.seq = m.seq
      where (p.at, p.total_in, p.total_out) is distinct from (m.at, m.total_in::numeric, m.total_out::numeric)`,
  },
  {
    rule: 'sums',
    breaches: reportSumBreaches,
  },
  {
    rule: 'periods',
    breaches:
      () => sql`select p.top_id, 'period ' || p.id || ' of account ' || p.account_id as what from closed_periods p
        left join lateral (select max(n.ends_at) as ends_at, max(n.end_date) as end_date
          from closed_periods n where n.account_id = p.account_id and n.ends_at < p.ends_at) e on true
      where e.ends_at <> p.starts_at or e.end_date + 1 <> p.start_date
      union all select b.top_id, 'account ' || b.account_id || ' in period ' || b.period_id
      from closed_balances b join closed_periods period on period.id = b.period_id
        cross join lateral (select coalesce(sum(o.balance) filter (where w.kind < ${is.escrow}), 0) as opening,
            coalesce(sum(c.total_in - o.total_in) filter (where w.kind < ${is.escrow}), 0) as total_in,
            coalesce(sum(c.balance) filter (where w.kind < ${is.escrow}), 0) as closing,
            coalesce(sum(c.balance) filter (where w.kind = ${is.escrow}), 0) as held
          from wallets w cross join ${sumsBefore(sql`w.id`, sql`period.starts_at`)} o cross join ${sumsBefore(sql`w.id`, sql`period.ends_at`)} c
          where w.account_id = b.account_id) s
      where (b.opening, b.total_in, b.closing, b.held)
        is distinct from (s.opening::bigint, s.total_in::bigint, s.closing::bigint, s.held::bigint)
      union all select period.top_id, 'settlement of account ' || d.id || ' in period ' || period.id
      from closed_periods period
        cross join lateral (select b.account_id as id from closed_balances b join accounts a on a.id = b.account_id
            where b.period_id = period.id and b.parent_id = period.account_id and a.role_id = ${is.agent}
          union select s.downline_id from settlements s where s.period_id = period.id) d
        left join settlements s on s.period_id = period.id and s.downline_id = d.id
        cross join ${owedSum({ downline: sql`d.id`, upline: sql`period.account_id`, starts: sql`period.starts_at`, ends: sql`period.ends_at` })} o
      where coalesce(s.amount, 0) <> coalesce(o.amount, 0) or s.upline_id <> period.account_id`,
  },
  {
    rule: 'audited',
    breaches: () => auditedBreaches,
  },
]

/**
 * Checks every invariant against one snapshot of the database while the server keeps working. Returns at most ten
 * breaches of each rule below each top account, so that those of one do not hide those of another.
 */
export const checkLedger = (db: Database, timeZone: string): Promise<Finding[]> =>
  db.transact(async (tx) => {
    await run(tx, sql`set transaction isolation level repeatable read, read only`)
    const findings: Finding[] = []
    for (const { rule, breaches } of invariants) {
      const found = await many<Breach>(
        tx,
        sql`select what, top_id as "topId" from (select b.*, row_number() over (partition by top_id order by what) as place
            from (${breaches(timeZone)}) b) n where place <= 10 order by top_id, place`,
      )
      findings.push({ rule, breaches: found })
    }
    return findings
  })
