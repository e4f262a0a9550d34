-- What an account has typed into a room and not sent. Emptied rather than deleted, so that versions go on growing.
create table drafts (
  account_id integer not null references accounts,
  room_id integer not null references rooms,
  top_id integer not null,
  content text not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (account_id, room_id)
);
