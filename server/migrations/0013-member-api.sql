-- Keys by which a platform's servers call us. The secret is sealed with the installation's key: to check a signature one
-- needs the secret itself, and a copy of the database alone must not be enough to make one.
create table api_keys (
  id text primary key,
  top_id integer not null references accounts,
  label text not null default '' check (length(label) <= 50),
  secret text not null,
  created_at timestamptz not null default now(),
  -- From then on it opens nothing; in the future when another key takes over from it.
  revoked_at timestamptz,
  used_at timestamptz
);
create index api_keys_top on api_keys (top_id);

-- What was signed once is not taken twice. Kept for longer than a signature is good.
create table api_nonces (
  key_id text not null,
  nonce text not null,
  seen_at timestamptz not null default now(),
  primary key (key_id, nonce)
);
create index api_nonces_seen on api_nonces (seen_at);

-- What the platform is to be told, written with what happened. `due_at` is null once that is over, one way or the other.
create table webhooks (
  id bigint generated always as identity primary key,
  event_id uuid not null default gen_random_uuid(),
  top_id integer not null,
  kind text not null,
  payload jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz default clock_timestamp(),
  tries smallint not null default 0,
  delivered_at timestamptz,
  -- What the last try came to: a number of HTTP, or why there was none.
  last_answer text not null default ''
);
create index webhooks_due on webhooks (due_at) where due_at is not null;
create index webhooks_top on webhooks (top_id, id desc);

create function points_text(points bigint) returns text language sql immutable as $$
  select (case when points < 0 then '-' else '' end) || (abs(points) / 10000)::text || '.' ||
    lpad((abs(points) % 10000)::text, 4, '0')
$$;

-- By statement, not by row: a batch of the ledger pays for one. Nothing is written for a top account without an address.
create function webhook_transfers() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, kind, payload)
  select t.top_id, 'transfer.settled', jsonb_build_object('transaction_id', t.transaction_id, 'type', t.op, 'wallet', t.wallet,
      'amount', points_text(t.amount), 'username', a.username, 'operator', o.username, 'remark', t.remark, 'status', 1)
    from fresh t join settings s on s.account_id = t.top_id and s.api_url <> ''
      join accounts a on a.id = t.target_id left join accounts o on o.id = t.actor_id
    -- Bets and wins come from the platform itself.
    where not t.is_envelope and t.op not in (8, 9);
  return null;
end $$;
create trigger transfers_webhook after insert on transfers referencing new table as fresh
  for each statement execute function webhook_transfers();

create function webhook_envelopes() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, kind, payload)
  select t.top_id, 'envelope.settled', jsonb_build_object('transaction_id', t.transaction_id, 'type', t.op, 'wallet', t.wallet,
      'amount', points_text(t.amount), 'username', a.username, 'operator', o.username, 'remark', t.remark, 'status', e.status)
    from fresh e join transfers t on t.id = e.transfer_id join settings s on s.account_id = e.top_id and s.api_url <> ''
      join accounts a on a.id = t.target_id left join accounts o on o.id = t.actor_id
    where e.status <> 4;
  return null;
end $$;
create trigger envelopes_webhook after update on envelopes referencing new table as fresh
  for each statement execute function webhook_envelopes();

create function webhook_members() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, kind, payload)
  select a.top_id, 'member.added', jsonb_build_object('id', a.id, 'username', a.username, 'nickname', a.nickname, 'parent', p.username)
    from fresh a join settings s on s.account_id = a.top_id and s.api_url <> '' left join accounts p on p.id = a.parent_id
    where a.role_id = 4;
  return null;
end $$;
create trigger accounts_webhook after insert on accounts referencing new table as fresh
  for each statement execute function webhook_members();
