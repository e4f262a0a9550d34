-- Rooms in which a bot answers (status 3). A group's head says whether the rooms of its new members begin so.
alter table accounts add ai_rooms smallint not null default 0 check (ai_rooms in (0, 1));

-- Grows whenever a room goes to the bot or to people: an answer that was begun under another number is not written.
alter table rooms add ai_epoch integer not null default 0;

-- What the bot has still to answer: of a room, its partner's messages from one seq to another. Whoever answers holds the
-- row by a lease, and only the holder writes; a lease whose holder died runs out.
create table ai_work (
  room_id integer primary key references rooms,
  top_id integer not null,
  from_seq integer not null,
  to_seq integer not null,
  lease uuid,
  lease_until timestamptz,
  tries smallint not null default 0,
  created_at timestamptz not null default clock_timestamp()
);
create index ai_work_due on ai_work (created_at);
