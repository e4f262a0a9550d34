-- API-09: events of a platform have numbers without gaps, and so have those of each of its accounts. They get them after
-- their commit (member-api/events/numbers.ts).
alter table webhooks
  -- Whose points, request or account it is about. Null: nobody's.
  add column account_id integer,
  add column seq bigint,
  add column member_seq bigint;

-- The last number of a platform's events (account 0) and of each account's. They stay when old events go.
create table event_numbers (
  top_id integer not null,
  account_id integer not null,
  last bigint not null,
  primary key (top_id, account_id)
) with (fillfactor = 70);

create or replace function webhook_cash() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select c.top_id, a.id, 'request.' || c.state, jsonb_build_object('id', c.id, 'username', a.username, 'third_party_id',
      a.third_party_id, 'direction', c.direction, 'amount', points_text(c.amount), 'state', c.state, 'reason', c.reason,
      'reason_code', c.reason_code, 'maybe_paid', false, 'operator', null, 'transaction_id', null)
    from fresh c join settings s on s.account_id = c.top_id and s.api_url <> '' join accounts a on a.id = c.member_id;
  return null;
end $$;

create or replace function webhook_cash_changed() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select c.top_id, a.id, 'request.' || case c.state when 'asked' then 'released' else c.state end, jsonb_build_object('id',
      c.id, 'username', a.username, 'third_party_id', a.third_party_id, 'direction', c.direction, 'amount',
      points_text(c.amount), 'state', c.state, 'reason', c.reason, 'reason_code', c.reason_code, 'maybe_paid',
      c.maybe_paid_by is not null, 'operator', o.username, 'transaction_id', t.transaction_id)
    from fresh c join before b on b.id = c.id join settings s on s.account_id = c.top_id and s.api_url <> ''
      join accounts a on a.id = c.member_id
      -- Of a released request: who had taken it.
      left join accounts o on o.id = case c.state when 'asked' then b.taken_by when 'taken' then c.taken_by else c.ended_by end
      left join transfers t on t.id = c.transfer_id and c.state = 'paid'
    -- A renewed lease is no event. After a lease, another colleague may take it without a release between.
    where c.state <> b.state or c.taken_by <> b.taken_by;
  return null;
end $$;

create or replace function webhook_envelopes() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select t.top_id, a.id, case when e.type > 2 then 'transfer.settled' else 'envelope.settled' end,
      jsonb_build_object('transaction_id', t.transaction_id, 'type', t.op, 'wallet', t.wallet, 'amount',
      points_text(t.amount), 'username', a.username, 'third_party_id', a.third_party_id, 'operator', o.username, 'remark',
      t.remark, 'status', e.status)
    from fresh e join transfers t on t.id = e.transfer_id join settings s on s.account_id = e.top_id and s.api_url <> ''
      join accounts a on a.id = t.target_id
      left join accounts o on o.id = case e.type when 3 then e.settled_by else t.actor_id end
    where e.status <> 4 and (e.type < 3 or e.status = 1);
  return null;
end $$;

create or replace function webhook_members() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select a.top_id, a.id, 'member.added', jsonb_build_object('id', a.id, 'username', a.username, 'third_party_id',
      a.third_party_id, 'nickname', a.nickname, 'parent', p.username)
    from fresh a join settings s on s.account_id = a.top_id and s.api_url <> '' left join accounts p on p.id = a.parent_id
    where a.role_id = 4;
  return null;
end $$;

create or replace function webhook_transfers() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select t.top_id, a.id, 'transfer.settled', jsonb_build_object('transaction_id', t.transaction_id, 'type', t.op, 'wallet',
      t.wallet, 'amount', points_text(t.amount), 'username', a.username, 'third_party_id', a.third_party_id, 'operator',
      o.username, 'remark', t.remark, 'status', 1)
    from fresh t join settings s on s.account_id = t.top_id and s.api_url <> ''
      join accounts a on a.id = t.target_id left join accounts o on o.id = t.actor_id
    where t.op not in (8, 9, 11) and not (t.is_envelope and exists (select from envelopes e where e.transfer_id = t.id));
  return null;
end $$;

-- An event of an erased person keeps its number, so that there is no gap, and nothing else.
do $$
declare
  gone text := 'delete from webhooks where top_id = a.top_id and payload->>''username'' = a.username;';
  empties text := 'update webhooks set kind = ''erased'', payload = ''{}'', last_answer = '''' where top_id = a.top_id and account_id = member;';
  before text := pg_get_functiondef('erase_member(integer)'::regprocedure);
begin
  if strpos(before, gone) = 0 then
    raise exception 'erase_member() does not delete events as this migration expects';
  end if;
  execute replace(before, gone, empties);
end $$;
