-- The report of work (DESK-09). A wait lasts from the first message that waits for an answer until it is answered.

-- The first message that waits. Written with waiting_since, so it costs nothing more.
alter table rooms add column asked_seq integer;
-- When the room last came to another group: its people could not answer before.
alter table rooms add column moved_at timestamptz;
-- The message with which the wait began that this one ends. On the card of a request for points: that its end ends.
alter table messages add column answers_seq integer;
alter table asides add column answers_seq integer;

-- An older copy knows no asked_seq: what it begins or ends is not counted, instead of wrongly.
create function forget_asked() returns trigger language plpgsql as $$
begin
  new.asked_seq := null;
  return new;
end $$;
create trigger rooms_asked before update of waiting_since on rooms for each row
  when (new.asked_seq is not null and new.asked_seq is not distinct from old.asked_seq
    and date_trunc('milliseconds', new.waiting_since) is distinct from date_trunc('milliseconds', old.waiting_since))
  execute function forget_asked();

-- Written beside the messages (chat/desk/waits.ts).
create table desk_waits (
  room_id integer not null,
  asked_seq integer not null,
  top_id integer not null,
  -- The group of the room when the wait ended.
  group_id integer not null,
  asked_at timestamptz not null,
  -- When it began to wait for people: later than asked_at if the bot handed it over, or if the room came from another group.
  from_at timestamptz not null,
  is_first boolean not null,
  -- Null while it waits.
  outcome text,
  ended_seq integer,
  ended_at timestamptz,
  -- Who ended it; while it waits, who has the room.
  person_id integer,
  -- When that person got the room, if that was while it waited.
  assigned_at timestamptz,
  -- Who had the room and gave no answer in time.
  passed_by integer[] not null default '{}',
  -- An answer after this moment is late; null: the desk never opens.
  late_at timestamptz,
  clock_s integer,
  open_s integer,
  -- The same from the moment on at which that person had the room.
  own_late_at timestamptz,
  own_clock_s integer,
  own_open_s integer,
  constraint desk_waits_pkey primary key (room_id, asked_seq),
  constraint desk_waits_outcome_check check (outcome in ('answer', 'settled', 'bot', 'missed')),
  constraint desk_waits_ended_check check ((outcome is null) = (ended_at is null))
);
create index desk_waits_group on desk_waits (group_id, from_at);

-- The rooms that have changed since this transaction are looked at next. Waits are counted from `since` on.
create table desk_waits_mark (
  is_it boolean primary key default true check (is_it),
  xid xid8 not null default pg_current_xact_id(),
  since timestamptz not null default now()
);
insert into desk_waits_mark default values;

-- How long each colleague was on. `until_at` is when it was last seen, so a server that stops adds no hours.
create table desk_spells (
  id bigint generated always as identity primary key,
  top_id integer not null,
  group_id integer not null,
  account_id integer not null,
  started_at timestamptz not null,
  until_at timestamptz not null,
  is_over boolean not null default false
);
create index desk_spells_group on desk_spells (group_id, until_at);
create unique index desk_spells_open on desk_spells (account_id) where not is_over;

create function note_spell() returns trigger language plpgsql as $$
declare
  seen timestamptz;
begin
  if tg_op = 'UPDATE' and old.is_here and old.state = 'on' then
    -- Who is gone was there until a page was last open.
    select h.seen_at into seen from desk_heartbeats h where h.account_id = new.account_id;
    update desk_spells set is_over = true, until_at = greatest(until_at, case when new.is_here then clock_timestamp()
        when seen <= until_at + interval '20 minutes' then seen end)
      where account_id = new.account_id and not is_over;
  end if;
  if new.is_here and new.state = 'on' then
    insert into desk_spells (top_id, group_id, account_id, started_at, until_at)
      select a.top_id, a.group_id, a.id, clock_timestamp(), clock_timestamp() from accounts a where a.id = new.account_id
      on conflict do nothing;
  end if;
  return null;
end $$;
create trigger desk_people_first_spell after insert on desk_people for each row
  when (new.is_here and new.state = 'on') execute function note_spell();
create trigger desk_people_spell after update of state, is_here on desk_people for each row
  when ((new.is_here and new.state = 'on') is distinct from (old.is_here and old.state = 'on')) execute function note_spell();
insert into desk_spells (top_id, group_id, account_id, started_at, until_at)
  select a.top_id, a.group_id, a.id, now(), now() from desk_people p join accounts a on a.id = p.account_id
  where p.is_here and p.state = 'on';
