-- What the platform calls an account, said when its servers make it: unique below a top account, and absent for all others. No
-- default: the table is not rewritten.
alter table accounts add column third_party_id text check (length(third_party_id) between 1 and 64);
create unique index accounts_third_party on accounts (top_id, third_party_id) where third_party_id is not null;
