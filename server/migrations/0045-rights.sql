-- What somebody has given to an account or taken from it, beside what its role begins with. Without a row the role
-- decides. The hours are minutes of the day in the time zone of the installation; until before from goes past midnight.
create table account_rights (
  account_id integer not null,
  name text not null check (length(name) <= 60),
  top_id integer not null,
  is_given boolean not null,
  from_minute smallint check (from_minute between 0 and 1439),
  until_minute smallint check (until_minute between 0 and 1439),
  -- Who decided it last; null: the command line.
  by_id integer,
  at timestamptz not null default now(),
  primary key (account_id, name),
  check ((from_minute is null) = (until_minute is null)),
  check (from_minute <> until_minute),
  check (is_given or from_minute is null)
);
