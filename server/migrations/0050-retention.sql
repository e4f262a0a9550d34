-- Outside a transaction, because entries are written while the index is made. Repeatable: it may be cut off.
-- Old messages go with the words of those that were taken back, and old entries about reading leave the audit log.
-- Only functions of the tables' owner can allow it: the serving role may neither update nor delete there.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name in ('taken_back_messages', 'audit_log')
    and current_setting('tallyroom.deletes', true) = tg_table_name then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = '55000';
end $$;

-- Deletes at most `most` messages of a group, and returns what may name a file. The list of rooms forgets their words too.
create or replace function delete_old_messages(of_group integer, until timestamptz, most integer)
returns table (content text) language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('tallyroom.deletes', 'taken_back_messages', true);
  return query with old as (
      select m.room_id, m.seq from messages m where m.group_id = of_group and m.created_at < until
      order by m.created_at limit most for update),
    gone as (delete from messages m using old o where m.room_id = o.room_id and m.seq = o.seq returning m.content),
    taken as (delete from taken_back_messages t using old o where t.room_id = o.room_id and t.seq = o.seq returning t.content)
    select g.content from gone g union all select t.content from taken t;
  perform set_config('tallyroom.deletes', '', true);
end $$;
revoke execute on function delete_old_messages(integer, timestamptz, integer) from public;

-- The hash of a row about reading, so that its link still holds when the row is gone.
alter table audit_chain add column if not exists row_hash bytea;
drop index concurrently if exists audit_log_reads;
create index concurrently audit_log_reads on audit_log (at) where kind in ('masked_shown', 'original_read', 'exported');

create or replace function delete_old_reads(until timestamptz, most integer)
returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare
  deleted integer;
begin
  perform set_config('tallyroom.deletes', 'audit_log', true);
  -- Only those with a link of the new form: the others would break the chain.
  delete from audit_log where id in (
    select l.id from audit_log l join audit_chain c on c.audit_id = l.id
    where l.kind in ('masked_shown', 'original_read', 'exported') and l.at < until and c.row_hash is not null
    order by l.at limit most);
  get diagnostics deleted = row_count;
  perform set_config('tallyroom.deletes', '', true);
  return deleted;
end $$;
revoke execute on function delete_old_reads(timestamptz, integer) from public;
