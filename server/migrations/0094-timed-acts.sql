-- DESK-07: texts that are sent later, and private reminders. A text's row goes in the transaction that sends it.
create table timed_acts (
  -- Of a text the id of its message.
  id uuid primary key,
  top_id integer not null,
  room_id integer not null references rooms,
  account_id integer not null references accounts,
  kind text not null check (kind in ('send', 'remind')),
  due_at timestamptz not null,
  content text not null,
  -- The message that a text answers.
  quoted_id uuid,
  -- The newest message of the room when it was written; what the partner writes after it stops the text, unless `anyway`.
  seen_seq integer not null default 0,
  anyway boolean not null default false,
  state text not null default 'waits' check (state in ('waits', 'due', 'refused')),
  -- Why a text was not sent.
  reason text check ((state = 'refused') = (reason is not null)),
  created_at timestamptz not null default now()
);
create index timed_acts_due on timed_acts (due_at) where state = 'waits';
create index timed_acts_room on timed_acts (room_id);
create index timed_acts_account on timed_acts (account_id);

alter table approval_pushes drop constraint approval_pushes_about_check,
  add constraint approval_pushes_about_check check (about in ('transfer', 'change', 'later')) not valid;
