-- What an account has stored in rooms since `since`; a day later it begins again (chat/files/quota.ts).
create table file_quotas (
  account_id integer primary key references accounts,
  since timestamptz not null default now(),
  bytes bigint not null
);
