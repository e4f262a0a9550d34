-- DESK-05: when the desk of a group is open. Without a row, or while they are off, nothing says so anywhere.
create table desk_hours (
  group_id integer primary key references accounts,
  top_id integer not null,
  is_on boolean not null,
  -- An IANA name; null: the installation's.
  time_zone text,
  -- The spans of the seven days, Sunday first: [[[540, 1080]], …] in minutes of the day. One that ends before it begins
  -- ends on the next day.
  week jsonb not null check (jsonb_array_length(week) = 7),
  -- The days that differ: [{"day": "2026-12-25", "spans": [], "label": "Christmas"}, …].
  days jsonb not null check (jsonb_typeof(days) = 'array')
);
