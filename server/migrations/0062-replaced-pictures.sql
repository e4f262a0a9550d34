-- Pictures of accounts that were replaced or removed by earlier versions. Erasing a person did not find them. What else
-- belongs to all accounts (backgrounds, posters) is larger than a picture.
with gone as (delete from media m where m.room_id is null and m.group_id is null and m.width <= 192
    and not exists (select from accounts a where a.thumbnail_id = m.id) returning m.id)
insert into media_deletions (file) select id from gone on conflict do nothing;
