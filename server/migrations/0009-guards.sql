-- What a sent code is counted by besides its account: the network that asked for it, hashed.
alter table sms_codes add address_key bytea;
create index sms_codes_sent on sms_codes (sent_at);

-- Sign-ins that failed, counted by the hour: the audit log gets the first ones of each account, and then one row that says
-- how many more there were. Account 0 is all names that nobody has.
create table failed_sign_ins (
  account_id integer not null,
  top_id integer not null,
  hour timestamptz not null,
  tries integer not null default 1,
  primary key (account_id, hour)
);
