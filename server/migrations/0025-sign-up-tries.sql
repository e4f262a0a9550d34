-- Sign-ups that were tried within an hour, by a hash of the network or of the share code. `ends_at`: when the hour is over.
create table sign_up_tries (
  key bytea primary key,
  tries integer not null,
  ends_at timestamptz not null
);
create index sign_up_tries_ends on sign_up_tries (ends_at);
