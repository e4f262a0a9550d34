-- Opened with a sign-in token, which an API key makes. A constant default: no row is rewritten.
alter table sessions add column by_token boolean not null default false;
