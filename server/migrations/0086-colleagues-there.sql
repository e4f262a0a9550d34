-- DESK-01: what a colleague has chosen to be, and whether a page of theirs is open. A row comes with the first page.
create table desk_people (
  account_id integer primary key references accounts,
  top_id integer not null,
  state text not null default 'on' check (state in ('on', 'busy', 'away')),
  -- When busy or away ends.
  until timestamptz,
  is_here boolean not null default true,
  -- Since when colleagues see the present state.
  since timestamptz not null default now()
);

-- Written every few seconds for everyone with a page open. After a crash it is empty, which means nothing about anybody.
create unlogged table desk_heartbeats (
  account_id integer primary key,
  top_id integer not null,
  seen_at timestamptz not null
);
