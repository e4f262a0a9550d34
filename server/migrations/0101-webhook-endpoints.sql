-- API-08: up to ten addresses of a platform that events are sent to, and what was sent to each.
create table webhook_endpoints (
  id text primary key,
  top_id integer not null references accounts,
  -- Empty: nothing is sent, and nothing is kept for it.
  url text not null default '' check (length(url) <= 300),
  kinds text[] not null,
  -- standard: Standard Webhooks, with a secret of its own. key: the form from before, signed with a key of the platform.
  form text not null check (form in ('standard', 'key')),
  -- Sealed, both.
  secret text check ((form = 'standard') = (secret is not null)),
  -- Signs beside the new one until then.
  old_secret text,
  old_until timestamptz,
  -- The events of one account go one after the other.
  ordered boolean not null default false,
  -- message.added has the text.
  with_text boolean not null default false,
  state text not null default 'on' check (state in ('on', 'paused', 'off')),
  -- gone: it answered 410. failing: for days.
  why_off text check (why_off in ('gone', 'failing')),
  -- Since when every attempt has failed.
  failing_since timestamptz,
  created_at timestamptz not null default now()
);
create index webhook_endpoints_top on webhook_endpoints (top_id);

-- A row for each event and endpoint, made when the event gets its number.
create table webhook_deliveries (
  event_id bigint not null references webhooks on delete cascade,
  endpoint_id text not null,
  top_id integer not null,
  account_id integer,
  seq bigint not null,
  -- When it is tried next. Null: it was delivered or given up.
  due_at timestamptz default now(),
  -- Until then a process is trying it.
  lease_until timestamptz,
  tries smallint not null default 0,
  -- Tried once, and also while the endpoint is paused: a ping.
  once boolean not null default false,
  -- Since it was made or sent again: an ordered later one does not wait longer.
  waits_since timestamptz not null default now(),
  delivered_at timestamptz,
  tried_at timestamptz,
  -- The status, or why there was none, the first letters of the answer, and how long it took.
  answer text not null default '',
  answer_body text not null default '',
  ms integer,
  primary key (event_id, endpoint_id)
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where due_at is not null;
create index webhook_deliveries_open on webhook_deliveries (endpoint_id, account_id, seq) where due_at is not null;
create index webhook_deliveries_seq on webhook_deliveries (endpoint_id, seq desc);

alter table webhooks
  -- The only endpoint that gets it. Null: each that wants its kind.
  add column endpoint_id text,
  alter column due_at drop default;

-- Events are kept while an endpoint wants their kind, also while that is paused.
create function event_wanted(top integer, wanted text) returns boolean language sql stable
  return exists (select from webhook_endpoints e where e.top_id = top and e.url <> '' and wanted = any(e.kinds));

create or replace function webhook_cash() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select c.top_id, a.id, 'request.' || c.state, jsonb_build_object('id', c.id, 'username', a.username, 'third_party_id',
      a.third_party_id, 'direction', c.direction, 'amount', points_text(c.amount), 'state', c.state, 'reason', c.reason,
      'reason_code', c.reason_code, 'maybe_paid', false, 'operator', null, 'transaction_id', null)
    from fresh c join accounts a on a.id = c.member_id where event_wanted(c.top_id, 'request.' || c.state);
  return null;
end $$;

create or replace function webhook_cash_changed() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select c.top_id, a.id, k.kind, jsonb_build_object('id', c.id, 'username', a.username, 'third_party_id', a.third_party_id,
      'direction', c.direction, 'amount', points_text(c.amount), 'state', c.state, 'reason', c.reason, 'reason_code',
      c.reason_code, 'maybe_paid', c.maybe_paid_by is not null, 'operator', o.username, 'transaction_id', t.transaction_id)
    from fresh c join before b on b.id = c.id join accounts a on a.id = c.member_id
      cross join lateral (select 'request.' || case c.state when 'asked' then 'released' else c.state end as kind) k
      -- Of a released request: who had taken it.
      left join accounts o on o.id = case c.state when 'asked' then b.taken_by when 'taken' then c.taken_by else c.ended_by end
      left join transfers t on t.id = c.transfer_id and c.state = 'paid'
    -- A renewed lease is no event. After a lease, another colleague may take it without a release between.
    where (c.state <> b.state or c.taken_by <> b.taken_by) and event_wanted(c.top_id, k.kind);
  return null;
end $$;

create or replace function webhook_envelopes() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select t.top_id, a.id, k.kind, jsonb_build_object('transaction_id', t.transaction_id, 'type', t.op, 'wallet', t.wallet,
      'amount', points_text(t.amount), 'username', a.username, 'third_party_id', a.third_party_id, 'operator', o.username,
      'remark', t.remark, 'status', e.status)
    from fresh e join transfers t on t.id = e.transfer_id join accounts a on a.id = t.target_id
      cross join lateral (select case when e.type > 2 then 'transfer.settled' else 'envelope.settled' end as kind) k
      left join accounts o on o.id = case e.type when 3 then e.settled_by else t.actor_id end
    where e.status <> 4 and (e.type < 3 or e.status = 1) and event_wanted(e.top_id, k.kind);
  return null;
end $$;

create or replace function webhook_members() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select a.top_id, a.id, 'member.added', jsonb_build_object('id', a.id, 'username', a.username, 'third_party_id',
      a.third_party_id, 'nickname', a.nickname, 'parent', p.username)
    from fresh a left join accounts p on p.id = a.parent_id
    where a.role_id = 4 and event_wanted(a.top_id, 'member.added');
  return null;
end $$;

create or replace function webhook_transfers() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select t.top_id, a.id, 'transfer.settled', jsonb_build_object('transaction_id', t.transaction_id, 'type', t.op, 'wallet',
      t.wallet, 'amount', points_text(t.amount), 'username', a.username, 'third_party_id', a.third_party_id, 'operator',
      o.username, 'remark', t.remark, 'status', 1)
    from fresh t join accounts a on a.id = t.target_id left join accounts o on o.id = t.actor_id
    where t.op not in (8, 9, 11) and not (t.is_envelope and exists (select from envelopes e where e.transfer_id = t.id))
      and event_wanted(t.top_id, 'transfer.settled');
  return null;
end $$;

-- The address of a platform becomes its first endpoint, with the kinds and the form that it had. Copies of the version
-- before write the address where it was; this keeps up with them.
create function keep_api_url() returns trigger language plpgsql as $$
begin
  update webhook_endpoints set url = new.api_url where top_id = new.account_id and form = 'key';
  if not found and new.api_url <> '' then
    insert into webhook_endpoints (id, top_id, url, form, kinds)
      values ('whe_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 24), new.account_id, new.api_url, 'key',
        '{transfer.settled,envelope.settled,request.asked,request.taken,request.released,request.paid,request.refused,request.withdrawn,request.expired,member.added}');
  end if;
  return null;
end $$;
create trigger settings_keep_api_url after insert or update of api_url on settings
  for each row when (new.account_id = new.top_id) execute function keep_api_url();
update settings set api_url = api_url where api_url <> '' and account_id = top_id;

alter table approval_pushes drop constraint approval_pushes_about_check,
  add constraint approval_pushes_about_check check (about in ('transfer', 'change', 'later', 'bell', 'endpoint')) not valid;

-- What waits or was given up goes on. What has no number yet gets its deliveries with that.
insert into webhook_deliveries (event_id, endpoint_id, top_id, account_id, seq, due_at, tries, once, tried_at, answer)
  select w.id, e.id, w.top_id, w.account_id, w.seq, w.due_at, least(w.tries, 8), w.kind = 'ping', now(), w.last_answer
  from webhooks w join webhook_endpoints e on e.top_id = w.top_id where w.seq is not null and w.delivered_at is null;
update webhooks set due_at = null where due_at is not null;

-- Erasing a person also empties what receivers answered to events about it.
do $$
declare
  known text := 'update webhooks set kind = ''erased'', payload = ''{}'', last_answer = '''' where top_id = a.top_id and account_id = member;';
  more text := E'\n  update webhook_deliveries set answer_body = '''' where event_id in (select id from webhooks where top_id = a.top_id and account_id = member);';
  before text := pg_get_functiondef('erase_member(integer)'::regprocedure);
begin
  if strpos(before, known) = 0 then
    raise exception 'erase_member() does not empty events as this migration expects';
  end if;
  execute replace(before, known, known || more);
end $$;
