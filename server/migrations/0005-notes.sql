-- The notebook of a room: what the group writes down for itself about the one it talks with. Nothing of it goes to the partner.
create table notes (
  id integer generated always as identity primary key,
  top_id integer not null,
  room_id integer not null references rooms,
  title text not null,
  -- 0 unfinished, 1 finished.
  status smallint not null default 0 check (status in (0, 1)),
  created_by integer not null references accounts,
  updated_by integer references accounts,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index notes_room on notes (room_id, id desc);

create table note_contents (
  id integer generated always as identity primary key,
  top_id integer not null,
  note_id integer not null references notes,
  content text not null,
  created_by integer not null references accounts,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index note_contents_note on note_contents (note_id, id desc);

-- Quick replies of a group.
create table templates (
  id integer generated always as identity primary key,
  top_id integer not null,
  group_id integer not null references accounts,
  owner_id integer not null references accounts,
  -- Who sees it: 1 the whole group, 2 its agent, 3 its customer service, 9 the owner alone.
  type smallint not null check (type in (1, 2, 3, 9)),
  title text not null,
  content text not null,
  memo text not null default '',
  image_id text references media,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index templates_group on templates (group_id, id desc);

-- How often and how lately an account chose a quick reply: the logarithm of its uses, each of which counts half as much
-- every two weeks. Written so that it only changes with a use, and is compared without knowing the time.
create table template_uses (
  account_id integer not null references accounts,
  template_id integer not null references templates on delete cascade,
  top_id integer not null,
  heat double precision not null,
  primary key (account_id, template_id)
);
create index template_uses_template on template_uses (template_id);

-- An image of a group is for those who work in it; what a member gets is a copy in the room.
alter table media add column group_id integer;
