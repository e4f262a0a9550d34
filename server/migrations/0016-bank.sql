-- What a top account has decided about the bank accounts of its members. No row: members have none.
create table bank_settings (
  top_id integer primary key references accounts,
  -- Members have bank accounts: their rooms are `is_third`.
  is_third smallint not null default 0 check (is_third in (0, 1)),
  has_bank_card_setting smallint not null default 0 check (has_bank_card_setting in (0, 1)),
  bank_card_amount smallint not null default 1 check (bank_card_amount between 1 and 20),
  enable_bsb_code smallint not null default 0 check (enable_bsb_code in (0, 1)),
  bsb_code_alias text not null default '' check (length(bsb_code_alias) <= 20),
  account_name_modify smallint not null default 0 check (account_name_modify in (0, 1)),
  cj7 smallint not null default 0 check (cj7 in (0, 1)),
  updated_at timestamptz not null default now()
);

-- The banks to choose from. One that is no longer offered stays for the accounts that are kept with it.
create table banks (
  id integer generated always as identity primary key,
  top_id integer not null references accounts,
  name text not null check (length(name) between 1 and 50),
  status smallint not null default 1 check (status in (0, 1))
);
create unique index banks_name on banks (top_id, lower(name));

-- The bank accounts of a member; the oldest is its first. With a BSB code `account_no` is the code, two underscores, the number.
create table bank_accounts (
  id integer generated always as identity primary key,
  top_id integer not null,
  member_id integer not null references accounts,
  bank_id integer not null references banks,
  account_name text not null check (length(account_name) between 1 and 50),
  account_no text not null check (length(account_no) between 1 and 102),
  created_at timestamptz not null default now(),
  -- When the bank or the number last became another one; a new account has changed nothing.
  changed_at timestamptz
);
create index bank_accounts_member on bank_accounts (member_id, id);

-- Rooms are made in several places; each new one begins as the top account has decided.
create function room_is_third() returns trigger language plpgsql as $$
begin
  new.is_third := coalesce((select s.is_third from bank_settings s join accounts a on a.id = new.partner_id and a.role_id = 4
    where s.top_id = new.top_id), 0);
  return new;
end $$;
create trigger rooms_third before insert on rooms for each row execute function room_is_third();
