-- Where a browser is told of new messages while no page of ours looks. It belongs to a session and ends with it.
create table push_subscriptions (
  id bigint generated always as identity primary key,
  session_id bigint not null unique references sessions on delete cascade,
  account_id integer not null references accounts,
  -- Whose rooms it hears of besides its own; null for members.
  group_id integer,
  top_id integer not null,
  -- The address and the keys that the browser gave, sealed with the installation's key.
  sealed text not null,
  endpoint_hash bytea not null unique,
  language text not null,
  created_at timestamptz not null default now()
);
create index push_subscriptions_account on push_subscriptions (account_id);
create index push_subscriptions_group on push_subscriptions (group_id) where group_id is not null;

-- What a browser is to be told, one row for a room however many messages. `due_at` is null when nothing waits.
create table pushes (
  subscription_id bigint not null references push_subscriptions on delete cascade,
  room_id integer not null references rooms,
  top_id integer not null,
  due_at timestamptz,
  tries smallint not null default 0,
  -- Grows with everything that happens in the room: whoever has sent sees whether something came meanwhile.
  noted integer not null default 1,
  told_seq integer not null default 0,
  sent_at timestamptz,
  primary key (subscription_id, room_id)
);
create index pushes_due on pushes (due_at) where due_at is not null;

-- However a session ends: by a call, a freeze, a new password or the command line.
create function push_ends() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions where session_id = new.id;
  return null;
end $$;
create trigger sessions_push after update of ended_at on sessions
  for each row when (new.ended_at is not null) execute function push_ends();
