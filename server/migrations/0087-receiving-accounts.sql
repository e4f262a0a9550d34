-- Where the members of a group pay. Only its head makes and changes them.
create table receiving_accounts (
  id integer generated always as identity primary key,
  top_id integer not null references accounts (id),
  group_id integer not null references accounts (id),
  bank text not null check (length(bank) between 1 and 50),
  account_name text not null check (length(account_name) between 1 and 50),
  account_no text not null check (length(account_no) between 1 and 50),
  -- The address of the picture with the code that a banking app reads; empty without one.
  qr text not null default '',
  -- Minutes of the platform's day in which it is offered; an end before the start is after midnight. Null: all day.
  from_minute smallint check (from_minute between 0 and 1439),
  until_minute smallint check (until_minute between 0 and 1439),
  check ((from_minute is null) = (until_minute is null) and from_minute is distinct from until_minute or from_minute is null),
  -- What may be asked for with it in a day.
  day_limit bigint check (day_limit > 0),
  -- The smallest is offered first.
  position smallint not null default 0,
  status smallint not null default 1 check (status in (0, 1)),
  -- Counts changes of where the money goes: bank, name, number and picture.
  version integer not null default 1,
  changed_at timestamptz,
  changed_by integer
);
create index receiving_accounts_group on receiving_accounts (group_id, position, id);

-- What a member last saw to pay, and where. It keeps the amount for an hour, so that no two members pay the same.
create table payment_offers (
  member_id integer primary key references accounts (id),
  top_id integer not null,
  group_id integer not null,
  receiving_account_id integer not null references receiving_accounts (id),
  version integer not null,
  pay_to text not null,
  -- What the member wanted, and what it is to pay: with other cents, where the group wants them.
  wanted bigint not null,
  amount bigint not null,
  offered_at timestamptz not null
);
create index payment_offers_group on payment_offers (group_id, offered_at);

alter table cash_requests add column receiving_account_id integer, add column receiving_version integer,
  add column pay_to text not null default '';
create index cash_requests_received on cash_requests (receiving_account_id, asked_at) where receiving_account_id is not null;

alter table settings add column odd_cents smallint not null default 0 check (odd_cents in (0, 1));

alter table sensitive_changes drop constraint sensitive_changes_kind_check;
alter table sensitive_changes add constraint sensitive_changes_kind_check check
  (kind in ('api_url', 'api_key', 'credit', 'rights', 'correction', 'export', 'receiving', 'four_eyes', 'erase')) not valid;
