-- How many messages of the partner nobody of the group has answered: "unread" is the group's. Only rooms that wait are
-- updated, and each reads backward from its last message to the last answer.
alter table rooms add column unanswered integer not null default 0;
update rooms r set unanswered = (
  select count(*) from messages m where m.room_id = r.id and m.from_partner and m.type <> 12 and m.taken_back_at is null
    and m.seq > coalesce((select a.seq from messages a where a.room_id = r.id and not a.from_partner and a.type <> 12
      order by a.seq desc limit 1), 0))
  where r.waiting_since is not null;
