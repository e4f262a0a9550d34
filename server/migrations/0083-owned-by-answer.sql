-- Whether who answers owns a conversation that nobody has. Groups that assign them by hand switch it off.
alter table settings add column owned_by_answer smallint not null default 1 check (owned_by_answer in (0, 1));
-- Read with every message: as long as no group has switched it off this index is empty.
create index settings_by_hand on settings (account_id) where owned_by_answer = 0;
