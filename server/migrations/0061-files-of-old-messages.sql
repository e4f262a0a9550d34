-- Only of messages that have a file: the address of a file, sent as a text, deleted the file of another room.
create or replace function delete_old_messages(of_group integer, until timestamptz, most integer)
returns table (content text) language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('tallyroom.deletes', 'taken_back_messages', true);
  return query with old as (
      select m.room_id, m.seq from messages m where m.group_id = of_group and m.created_at < until
      order by m.created_at limit most for update),
    gone as (delete from messages m using old o where m.room_id = o.room_id and m.seq = o.seq returning m.type, m.content),
    taken as (delete from taken_back_messages t using old o where t.room_id = o.room_id and t.seq = o.seq
      returning t.type, t.content)
    -- Empty for those without a file: the rows are counted.
    select case when g.type in (2, 14, 15) then g.content else '' end from gone g
    union all select case when t.type in (2, 14, 15) then t.content else '' end from taken t;
  perform set_config('tallyroom.deletes', '', true);
end $$;
revoke execute on function delete_old_messages(integer, timestamptz, integer) from public;
