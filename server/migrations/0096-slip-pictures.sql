-- The pictures of slips of 90 days, small and gray: whether a slip was used before (CASH-09).
create table slip_pictures (
  cash_id integer primary key,
  top_id integer not null,
  member_id integer not null,
  asked_at timestamptz not null,
  -- When it is to be compared. Null: it was, or it cannot be read.
  due_at timestamptz,
  tries smallint not null default 0,
  -- Pictures of one design differ in few bits.
  hash bit(64),
  -- Pictures of one design lie in one frame, so that their pieces can be compared.
  design integer,
  picture bytea,
  -- The requests whose slip was the same when this one was compared.
  same_as integer[] not null default '{}'
);
create index slip_pictures_due on slip_pictures (top_id, cash_id) where due_at is not null;
create index slip_pictures_design on slip_pictures (top_id, design, cash_id desc) where picture is not null;
create index slip_pictures_asked on slip_pictures (asked_at);
create index slip_pictures_member on slip_pictures (member_id);
create index slip_pictures_same on slip_pictures using gin (same_as) where same_as <> '{}';

create function note_slip() returns trigger language plpgsql as $$
begin
  insert into slip_pictures (cash_id, top_id, member_id, asked_at, due_at)
  select id, top_id, member_id, asked_at, asked_at from fresh where direction = 'in' and slip <> '';
  return null;
end $$;
create trigger cash_requests_slip after insert on cash_requests referencing new table as fresh
  for each statement execute function note_slip();

insert into slip_pictures (cash_id, top_id, member_id, asked_at, due_at)
select id, top_id, member_id, asked_at, asked_at from cash_requests
  where direction = 'in' and slip <> '' and asked_at > now() - interval '90 days';
