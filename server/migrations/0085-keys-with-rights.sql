-- A key of the member API acts as an account of its own: customer service of the top account that nobody signs in to.
alter table accounts add column is_key boolean not null default false;

-- `actor_id` is null until a key from before makes its first call. No addresses: from everywhere.
alter table api_keys add column actor_id integer references accounts,
  add column rights text[] not null default '{}',
  add column addresses cidr[] not null default '{}',
  add column expires_at timestamptz,
  add column per_second integer check (per_second between 1 and 1000000);
-- Keys from before keep what they could do, and nothing that comes later. `only_webhooks` goes a version later.
update api_keys set rights = case when only_webhooks then '{webhooks}'::text[]
  else '{accounts:read,accounts:write,signin,bets,cash:read,cash:ask,statements,settings,webhooks}'::text[] end;

-- What a key has asked and how often it was refused, by the days of UTC. Each process adds what it has counted.
create table api_key_days (
  key_id text not null,
  day date not null,
  calls bigint not null,
  refused bigint not null,
  primary key (key_id, day)
);

-- A platform can require that a second admin approves what widens a key.
alter table sensitive_changes drop constraint sensitive_changes_kind_check;
alter table sensitive_changes add constraint sensitive_changes_kind_check
  check (kind in ('api_url', 'api_key', 'credit', 'rights', 'correction', 'export', 'four_eyes', 'erase')) not valid;
