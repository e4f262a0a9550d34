-- What is searched of a text: `folded` where it differs from the text itself (fold.ts). Walked by group, the newest first.
alter table messages add group_id integer;
alter table messages add folded text;
update messages m set group_id = r.group_id,
  folded = case when m.type = 1 then nullif(
    regexp_replace(regexp_replace(lower(normalize(m.content, nfkc)), '[\u00AD\u200B-\u200D\u2060\uFEFF]', '', 'g'), '\s+', ' ', 'g'),
    m.content) end
  from rooms r where r.id = m.room_id;
alter table messages alter group_id set not null;
create index messages_group on messages (group_id, created_at, room_id, seq);
