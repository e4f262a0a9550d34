import { sql } from '../../data/sql.ts'

const isErased = sql`in (select target_id from audit_log where kind = 'account_erased' and target_id is not null)`

/** Entries of the audit log, but those of an erased person, which are empty. `by`: who did it. */
const entries = sql`(select l.top_id, l.kind, l.actor_id as by, l.target_id, l.facts from audit_log l
  where l.kind in ('remark_edited', 'cash_paid', 'cash_refused', 'approval_given', 'approval_refused', 'period_closed', 'settlement_settled')
    and (l.target_id ${isErased}) is not true)`

/**
 * Decisions of people, each with 1, and the entries about them, each with -1. Who changes a row past the program would have
 * to change the entry too, which `audit:verify` finds. `is_unsaid`: entries of an older version had no word of it.
 */
const decisions = sql`
  select e.top_id, 'remark of transaction ' || t.transaction_id as what, jsonb_build_array(e.actor_id, e.remark) as said,
    c.id is not null as is_unsaid, 1 as n
  from remark_edits e join transfers t on t.id = e.transfer_id
    left join cash_requests c on c.transfer_id = e.transfer_id and c.direction = 'out' and c.state = 'paid' and c.ended_by = e.actor_id
  where t.target_id not ${isErased}
  union all select top_id, 'remark of transaction ' || (facts->>'transaction_id'),
    jsonb_build_array(by, case kind when 'cash_paid' then facts->>'remark' else facts->'remark'->>1 end), false, -1
  from ${entries} l where kind = 'remark_edited' or kind = 'cash_paid' and facts ? 'remark'
  union all select top_id, 'request ' || id, jsonb_build_array(ended_by, state), false, 1
  from cash_requests where state in ('paid', 'refused') and ended_by is not null and member_id not ${isErased}
  union all select top_id, 'request ' || (facts->>'request'), jsonb_build_array(by, substr(kind, 6)), false, -1
  from ${entries} l where kind in ('cash_paid', 'cash_refused')
  union all select p.top_id, 'approval of transaction ' || t.transaction_id, jsonb_build_array(p.ended_by, p.state), false, 1
  from approvals p join transfers t on t.id = p.transfer_id
  where p.state in ('approved', 'refused') and p.ended_by is not null and t.target_id not ${isErased}
  union all select top_id, 'approval of transaction ' || (facts->>'transaction_id'),
    jsonb_build_array(by, case kind when 'approval_given' then 'approved' else 'refused' end), false, -1
  from ${entries} l where kind in ('approval_given', 'approval_refused') and not facts ? 'change'
  union all select top_id, 'change of account ' || target_id, jsonb_build_array(ended_by, state, kind, maker_id), false, 1
  from sensitive_changes where state in ('approved', 'refused') and ended_by is not null and target_id not ${isErased}
  union all select top_id, 'change of account ' || target_id, jsonb_build_array(by,
    case kind when 'approval_given' then 'approved' else 'refused' end, facts->'change', facts->'maker'), false, -1
  from ${entries} l where kind in ('approval_given', 'approval_refused') and facts ? 'change'
  union all select top_id, 'period of account ' || account_id, jsonb_build_array(closed_by, start_date::text, end_date::text), false, 1
  from closed_periods
  union all select top_id, 'period of account ' || target_id, jsonb_build_array(by, facts->'start_date', facts->'end_date'), false, -1
  from ${entries} l where kind = 'period_closed'
  union all select top_id, 'settlement of account ' || downline_id,
    jsonb_build_array(settled_by, points_text(amount), remark), false, 1
  from settlements where state = 'settled'
  union all select top_id, 'settlement of account ' || target_id, jsonb_build_array(by, facts->'amount', facts->'remark'), false, -1
  from ${entries} l where kind = 'settlement_settled'`

/** Finds decisions without a movement of their own that differ from the audit log. */
export const auditedBreaches = sql`select distinct top_id, what from (
    select top_id, what from (${decisions}) d group by top_id, what, said having sum(n) <> 0 and not (sum(n) = 1 and bool_or(is_unsaid))
    union all select e.top_id, 'remark of transaction ' || e.transaction_id
    from (select e.*, t.transaction_id, row_number() over o as place, lag(e.remark, 1, t.remark) over o as before
      from remark_edits e join transfers t on t.id = e.transfer_id window o as (partition by e.transfer_id order by e.seq)) e
    where e.seq <> e.place or e.old_remark <> e.before
    union all select p.top_id, 'balances of account ' || p.account_id || ' in period ' || p.id
    from closed_periods p join ${entries} l on l.kind = 'period_closed' and l.target_id = p.account_id
        and l.facts->>'start_date' = p.start_date::text
    where (l.facts->>'accounts')::int <> (select count(*) from closed_balances b where b.period_id = p.id)) f`
