-- The message of the same room that this one answers, and since when a message is taken back. Nullable and without a
-- default, so that no table is rewritten.
alter table messages add column quoted_seq integer, add column taken_back_at timestamptz;
alter table media add column taken_back_at timestamptz;

-- What a message said before its sender took it back. The row in `messages` no longer has it, so no list, search, export or
-- prompt can show it.
create table taken_back_messages (
  room_id integer not null,
  seq integer not null,
  top_id integer not null,
  type smallint not null,
  content text not null,
  width integer,
  height integer,
  taken_back_at timestamptz not null,
  primary key (room_id, seq)
);
create trigger taken_back_messages_append_only before update or delete on taken_back_messages
  for each row execute function refuse_change();
create trigger taken_back_messages_no_truncate before truncate on taken_back_messages
  for each statement execute function refuse_change();
