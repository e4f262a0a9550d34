-- Where accounts were before they were moved in the tree, for reports of the time before (docs/decisions/0032). `first_day`
-- is the day of the arrival there, and `first_in` and `first_out` what the day had counted until then; `last_day` and the
-- others are the same of the day on which it left. Only accounts with day totals have rows.
create table past_places (
  id bigint generated always as identity primary key,
  top_id integer not null,
  account_id integer not null references accounts,
  path text collate "C" not null,
  first_day date not null,
  first_in bigint not null,
  first_out bigint not null,
  last_day date not null,
  last_in bigint not null,
  last_out bigint not null,
  moved_at timestamptz not null default now()
);
create index past_places_account on past_places (account_id, id desc);
create index past_places_top on past_places (top_id);
create trigger past_places_append_only before update or delete on past_places for each row execute function refuse_change();
create trigger past_places_no_truncate before truncate on past_places for each statement execute function refuse_change();
