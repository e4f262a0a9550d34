-- A top account of its own on which a platform tries its calls. One that was emptied is frozen, and another one takes its place.
create table sandboxes (
  top_id integer primary key references accounts,
  owner_id integer not null references accounts,
  made_at timestamptz not null default now(),
  emptied_at timestamptz
);
create unique index sandboxes_of_owner on sandboxes (owner_id) where emptied_at is null;

-- The date of the form in which a key's calls are answered; null: the form without a date.
alter table api_keys add column version text;

-- In a sandbox a platform lets time pass: what is open there may end earlier.
create or replace function settle_once() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.status <> 4 or new.transfer_id <> old.transfer_id
    or not (new.status <> 4 and new.type = old.type
      or new.status = 4 and (old.type = 4 and new.type = 1 or old.type = 6 and new.type = 2)
      or new.status = 4 and new.type = old.type and new.expires_at < old.expires_at
        and exists (select from sandboxes s where s.top_id = old.top_id))
  then
    raise exception 'an envelope settles once' using errcode = '55000';
  end if;
  return new;
end $$;

-- The role that serves may not move the end of what is open; this may, in a sandbox. Returns how much was open.
create function pass_time(top integer, hours integer) returns integer language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  passed interval := make_interval(hours => pass_time.hours);
  moved integer;
  others integer;
begin
  if not exists (select from sandboxes s where s.top_id = top and s.emptied_at is null) then
    raise exception 'time passes in a sandbox alone' using errcode = '55000';
  end if;
  update envelopes set expires_at = expires_at - passed where top_id = top and status = 4;
  get diagnostics moved = row_count;
  update cash_requests set expires_at = expires_at - passed, lease_until = lease_until - passed
    where top_id = top and state in ('asked', 'taken');
  get diagnostics others = row_count;
  moved := moved + others;
  update approvals set expires_at = expires_at - passed where top_id = top and state = 'waiting';
  get diagnostics others = row_count;
  return moved + others;
end $$;
