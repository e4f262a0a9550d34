-- What each check of the ledger came to, whoever asked for it.
create table ledger_checks (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- Nobody: the command line.
  actor_id integer references accounts,
  took_ms integer not null,
  findings jsonb not null
);
