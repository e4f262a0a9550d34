-- DESK-06: the texts that the server writes into a conversation. A row never changes: messages refer to it. A save adds.
create table desk_texts (
  id integer generated always as identity primary key,
  group_id integer not null references accounts,
  top_id integer not null,
  kind text not null check (kind in ('greeting', 'away')),
  -- By language: {"en": "…"}. Without any, nothing is written.
  texts jsonb not null check (jsonb_typeof(texts) = 'object'),
  -- A reader whose language has no text reads this one, else the English one.
  language text not null,
  created_at timestamptz not null default now()
);
create index desk_texts_group on desk_texts (group_id, kind, id);

alter table desk_hours
  -- Grows with each save: a process compares with it what it has read.
  add column version integer not null default 1;
alter table rooms
  -- When the away text was last written into it.
  add column away_told_at timestamptz;
