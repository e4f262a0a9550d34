-- Of a top account: the roles of its tree that need a second factor. A constant default: no row is rewritten.
alter table accounts add column factor_roles smallint[] not null default '{}';
