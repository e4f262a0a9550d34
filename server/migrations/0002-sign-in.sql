-- Sessions carry their idle limit from the sign-in that opened them: an agent-login session has a shorter one.
alter table sessions add idle_minutes integer not null default 720;
update sessions set idle_minutes = 43200 where face = 'member';

-- What stands beside the password of an account. A pending secret or number counts for nothing until a code confirmed it.
create table second_factors (
  account_id integer primary key references accounts,
  top_id integer not null,
  totp_secret text,
  -- The last step whose code was used: each works once, and no older one after it.
  totp_step bigint not null default 0,
  totp_pending text,
  phone text,
  phone_pending text
);

create table recovery_codes (
  account_id integer not null references accounts,
  top_id integer not null,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

-- Between the right password and the second factor. A browser's challenge needs its cookie; `proof_hash` is that of the
-- auth_done which the right code was answered with.
create table challenges (
  id_hash bytea primary key,
  account_id integer not null references accounts,
  top_id integer not null,
  cookie_hash bytea,
  expires_at timestamptz not null,
  proof_hash bytea,
  proof_expires_at timestamptz
);
create index challenges_cookie on challenges (cookie_hash);
create index challenges_expires on challenges (expires_at);

-- Codes sent by SMS: for a challenge, or (without one) to confirm a new number.
create table sms_codes (
  id uuid primary key,
  account_id integer not null references accounts,
  top_id integer not null,
  challenge_hash bytea,
  code_hash bytea not null,
  tries smallint not null default 0,
  failed boolean not null default false,
  sent_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index sms_codes_account on sms_codes (account_id, sent_at);

-- Made by the platform or the command line, worth one sign-in within a minute.
create table one_time_tokens (
  token_hash bytea primary key,
  kind text not null check (kind in ('agent', 'landing')),
  account_id integer not null references accounts,
  top_id integer not null,
  expires_at timestamptz not null
);

-- Tries are counted before they are judged, so that many at once are worth no more than one after another. The key is a
-- hash: of an account, of a name that there is not, of a device that an account has signed in on, or of an address.
create table sign_in_tries (
  key bytea primary key,
  tries integer not null,
  last_at timestamptz not null,
  blocked_until timestamptz
);
create index sign_in_tries_last on sign_in_tries (last_at);

create table known_devices (
  device_hash bytea not null,
  account_id integer not null references accounts,
  top_id integer not null,
  seen_at timestamptz not null default now(),
  primary key (device_hash, account_id)
);
