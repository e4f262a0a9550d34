-- Outside a transaction, because envelopes are settled while the index is made. Repeatable: it may be cut off.
-- What SR02 counts, by day and by month, so that a report of a year by person, by member or of bets does not read the
-- year. Only a help: ledger/read/report-sums.ts makes it from the transfers of days that are over, ledger:check compares
-- it with them, and both tables may be emptied.
create table if not exists report_sums (
  -- 1 by person, 2 by member, 3 bets by member, 4 bets of all members below a top account (days only).
  kind smallint not null,
  is_month boolean not null,
  starts date not null,
  -- By whose place in the tree it counts: the paying account; of bets the member. `moves`: how often it had been moved.
  of_id integer not null,
  moves smallint not null,
  id integer not null,
  top_id integer not null,
  total_in bigint not null,
  total_out bigint not null,
  -- Of bets: how much of them counts as turnover.
  valid bigint not null,
  primary key (kind, is_month, starts, of_id, moves, id)
);
-- The days and months that are in it, and in which time zone.
create table if not exists summed_spans (
  is_month boolean not null,
  starts date not null,
  time_zone text not null,
  primary key (is_month, starts)
);
-- Accepted envelopes by the time of their settling: the day that is not over has no sums yet.
drop index concurrently if exists envelopes_accepted;
create index concurrently envelopes_accepted on envelopes (settled_at) where status = 1;
