-- Days of SR02 by customer service and of bets without reading the days of each payer and member. Two more kinds of
-- report_sums: 5 what customer service moved below an account, 6 bets of members below an account.
-- How many kinds of sums a day has. A copy of the version before writes 4 of them; this one sums such a day once more.
alter table summed_spans add column kinds smallint not null default 4;

-- Where a member was before its first move. Kind 6 counts it there for good, and a report adds and subtracts members that
-- were moved. Written by a trigger, because copies of the version before move members too.
create table first_places (
  account_id integer primary key references accounts,
  path text collate "C" not null
);
create trigger first_places_append_only before update or delete on first_places for each row execute function refuse_change();
create trigger first_places_no_truncate before truncate on first_places for each statement execute function refuse_change();
create function keep_first_place() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into first_places (account_id, path) values (old.id, old.path) on conflict do nothing;
  return null;
end $$;
revoke execute on function keep_first_place() from public;
create trigger accounts_keep_first_place after update of path on accounts for each row
  when (old.role_id = 4 and old.path <> new.path) execute function keep_first_place();
