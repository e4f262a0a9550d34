-- DESK-02: how a group shares out the members who wait. Without a row nothing is assigned.
create table desk_settings (
  group_id integer primary key references accounts,
  top_id integer not null,
  assign text not null check (assign in ('off', 'least', 'round')),
  -- A colleague with so many conversations gets no more.
  capacity smallint not null check (capacity between 1 and 50),
  -- For so many hours a member comes back to who answered last.
  sticky_hours smallint not null check (sticky_hours between 0 and 720),
  -- An assigned conversation goes back after so many seconds without an answer; 0: never.
  answer_s smallint not null check (answer_s = 0 or answer_s between 30 and 3600),
  -- Without an open page a colleague is away after so many seconds.
  gone_s smallint not null check (gone_s between 30 and 600)
);

alter table desk_people
  add column assigned_at timestamptz,
  -- How often in a row it has not answered what was assigned, and when last.
  add column passes smallint not null default 0,
  add column passed_at timestamptz;

alter table rooms
  -- When a colleague last answered or got the room.
  add column attended_at timestamptz,
  -- When the server assigned it to its owner; null when a person did.
  add column assigned_at timestamptz,
  -- The owner until it was given back.
  add column last_owner_id integer;

-- Not validated: the rows before have fewer kinds.
alter table asides drop constraint asides_kind_check,
  add constraint asides_kind_check check (kind in ('whisper', 'taken', 'taken_over', 'handed', 'released', 'settled',
    'assigned', 'returned')) not valid;
