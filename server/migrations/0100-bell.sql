-- BELL-01, BELL-02. A mention is `<@ID>` in the stored text, of an account that the row names: its name is shown as it is now.
alter table asides add column mentions integer[] not null default '{}';
alter table note_contents add column mentions integer[] not null default '{}';

-- What a person of the office has to know. It refers to what happened, and has no words of its own.
create table bell_items (
  id integer generated always as identity primary key,
  account_id integer not null references accounts,
  top_id integer not null,
  kind text not null check (kind in ('mention', 'handed', 'decision', 'refused')),
  -- Who did it; null: the server.
  by_id integer references accounts,
  room_id integer references rooms,
  aside_id uuid,
  content_id integer,
  approval_id integer,
  change_id integer,
  cash_id integer,
  -- How many conversations were handed over at once; `room_id` is null when there are several.
  rooms integer not null default 1,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  unique nulls not distinct (account_id, aside_id, content_id, approval_id, change_id, cash_id)
);
create index bell_items_account on bell_items (account_id, id desc);
create index bell_items_unread on bell_items (account_id, id desc) where read_at is null;
create index bell_items_by on bell_items (by_id, created_at) where kind = 'mention';

-- The kinds of which an account wants no push.
alter table accounts add column bell_quiet text[] not null default '{}';

alter table approval_pushes drop constraint approval_pushes_about_check,
  add constraint approval_pushes_about_check check (about in ('transfer', 'change', 'later', 'bell')) not valid;
