-- The first page looks at the office below an account, and at the last session of each.
create index accounts_office on accounts (path) where role_id <= 3;
create index sessions_latest on sessions (account_id, id desc);
