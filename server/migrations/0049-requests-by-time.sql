-- Outside a transaction, because a check of the largest table must not hold up others. Repeatable: it may be cut off.
-- Outcomes of requests in parts by time, which are dropped as a whole. The table so far becomes the first part. Its end
-- is so far away that it is attached long before: until then a later row would be refused.
do $$
declare
  ends timestamptz := to_timestamp((floor(extract(epoch from now()) / 864000) + 3) * 864000);
begin
  if (select relkind from pg_class where oid = 'requests'::regclass) = 'r' then
    execute format('alter table requests drop constraint if exists requests_end,
      add constraint requests_end check (created_at < %L) not valid', ends);
  end if;
end $$;

do $$
begin
  if (select relkind from pg_class where oid = 'requests'::regclass) = 'r' then
    alter table requests validate constraint requests_end;
  end if;
end $$;

-- Older copies go on writing: they see a table of the same name, columns and rights.
do $$
declare
  ends timestamptz;
  held record;
begin
  if (select relkind from pg_class where oid = 'requests'::regclass) = 'p' then
    return;
  end if;
  select substring(pg_get_constraintdef(oid) from $re$'([^']+)'$re$)::timestamptz into ends from pg_constraint
    where conrelid = 'requests'::regclass and conname = 'requests_end';
  alter table requests rename to requests_first;
  create table requests (like requests_first including defaults) partition by range (created_at);
  execute format('alter table requests attach partition requests_first for values from (minvalue) to (%L)', ends);
  alter table requests_first drop constraint requests_end;
  for held in select r.rolname, x.privilege_type from pg_class c, aclexplode(c.relacl) x join pg_roles r on r.oid = x.grantee
      where c.oid = 'requests_first'::regclass loop
    execute format('grant %s on requests to %I', held.privilege_type, held.rolname);
  end loop;
end $$;

-- The transfer that a signature was made for. Found by the outcome of its request until that is dropped.
create table if not exists confirmed_transfers (
  confirmation_id bigint primary key,
  transaction_id uuid not null
);
create or replace trigger confirmed_transfers_append_only before update or delete on confirmed_transfers
  for each row execute function refuse_change();
create or replace trigger confirmed_transfers_no_truncate before truncate on confirmed_transfers
  for each statement execute function refuse_change();

create or replace function request_parts() returns table (name text, starts timestamptz, ends timestamptz)
language sql stable set search_path = public, pg_temp as $$
  select c.relname, coalesce(substring(b.bound from $re$FROM \('([^']+)'\)$re$)::timestamptz, '-infinity'),
    substring(b.bound from $re$TO \('([^']+)'\)$re$)::timestamptz
  from pg_inherits i join pg_class c on c.oid = i.inhrelid, lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
  where i.inhparent = 'requests'::regclass
$$;

-- Makes parts of ten days for the next twenty, and drops those that ended `days` ago. By the owner of the tables, because
-- the serving role may not make or drop any. A part that is in use is dropped by a later run.
create or replace function tend_requests(days integer, moment timestamptz default now())
returns table (made integer, dropped integer)
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '200ms' as $$
declare
  last timestamptz;
  part record;
begin
  made := 0;
  dropped := 0;
  -- Of several copies one works.
  if not pg_try_advisory_xact_lock(7460119240) then
    return next;
    return;
  end if;
  loop
    select max(p.ends) into last from request_parts() p;
    exit when last > moment + interval '480 hours';
    declare
      fresh text := 'requests_' || to_char(last at time zone 'UTC', 'YYYYMMDD');
    begin
      -- Without statistics of a nearly empty table PostgreSQL plans with the index, which stays right while it grows.
      execute format('create table %I (like requests including defaults, primary key (actor_id, request_id))
        with (autovacuum_analyze_threshold = 20000, autovacuum_vacuum_threshold = 20000,
          autovacuum_vacuum_insert_threshold = 20000)', fresh);
      execute format('alter table requests attach partition %I for values from (%L) to (%L)', fresh, last,
        last + interval '240 hours');
    end;
    made := made + 1;
  end loop;
  for part in select * from request_parts() p where p.ends <= moment - make_interval(hours => 24 * greatest(days, 1)) loop
    execute format('insert into confirmed_transfers (confirmation_id, transaction_id)
      select c.id, (r.answer->''data''->>''transaction_id'')::uuid
      from point_confirmations c join %I r on r.actor_id = c.actor_id and r.request_id = c.request_id
      where r.answer->''data'' ? ''transaction_id'' on conflict do nothing', part.name);
    begin
      execute format('drop table %I', part.name);
      dropped := dropped + 1;
    exception when lock_not_available then
      null;
    end;
  end loop;
  return next;
end $$;
-- The serving role is granted it with its tables (grants.ts).
revoke execute on function tend_requests(integer, timestamptz) from public;
select tend_requests(30);
