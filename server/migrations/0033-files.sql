-- Of a voice note its length and waveform, of a file its name, size and pages. Nullable and without a default, so that no
-- table is rewritten.
alter table messages add column attachment jsonb;
alter table taken_back_messages add column attachment jsonb;
alter table media add column attachment jsonb;

-- Files that are on their way. The bytes are in DATA_DIR/uploads.
create table uploads (
  id text primary key,
  account_id integer not null,
  room_id integer not null,
  name text not null,
  size integer not null,
  received integer not null default 0,
  created_at timestamptz not null default now()
);
create index uploads_account on uploads (account_id, created_at);
create index uploads_age on uploads (created_at);
