-- The desk of a room: what only the group's side knows of it. `version`, `seq` and `changed_xid` are seen by the partner
-- and do not move with it; `desk_version` grows with every change of either kind, `desk_xid` with those of the desk alone.
alter table rooms
  add column desk_version bigint not null default 0,
  add column desk_xid xid8,
  -- Since the partner's first message that nobody of the group has answered.
  add column waiting_since timestamptz,
  add column owner_id integer references accounts,
  add column aside_seq integer not null default 0,
  add column group_delivered_seq integer not null default 0,
  add column partner_delivered_seq integer not null default 0;
update rooms r set desk_version = version, waiting_since = (
  select min(m.created_at) from messages m where m.room_id = r.id and m.from_partner
    and m.seq > coalesce((select max(a.seq) from messages a where a.room_id = r.id and not a.from_partner), 0));
create index rooms_desk on rooms (group_id, desk_xid) where desk_xid is not null;

-- Said among the group, in the room but not to its partner: `after_seq` is the message behind which it stands.
create table asides (
  room_id integer not null references rooms,
  seq integer not null,
  top_id integer not null,
  aside_id uuid not null,
  after_seq integer not null,
  kind text not null check (kind in ('whisper', 'taken', 'taken_over', 'handed', 'released', 'settled')),
  content text not null default '',
  sender_id integer not null references accounts,
  -- Whom the room was taken from, or handed to.
  target_id integer references accounts,
  created_at timestamptz not null default clock_timestamp(),
  primary key (room_id, seq),
  unique (room_id, aside_id)
);
create index asides_after on asides (room_id, after_seq);

-- A room marked as unread stays so until its next reading. `mark_version` tells an older word from a newer one.
alter table room_reads
  add column marked_unread smallint not null default 0,
  add column mark_version integer not null default 0,
  add column marked_xid xid8;
create index room_reads_marked on room_reads (account_id, marked_xid) where marked_xid is not null;
