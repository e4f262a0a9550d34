-- A platform reads the requests that have changed since it last asked. Rows of before count as changed now.
alter table cash_requests add column changed_at timestamptz not null default now();
alter table cash_requests alter column changed_at set default clock_timestamp();
-- A trigger, because an older copy of the program changes requests too.
create function cash_changes() returns trigger language plpgsql as $$
begin
  new.changed_at := clock_timestamp();
  return new;
end $$;
-- A renewed lease is no change that a platform can see.
create trigger cash_requests_changed before update on cash_requests for each row
  when (old.state <> new.state or old.taken_by is distinct from new.taken_by) execute function cash_changes();
