-- A key that signs webhooks and makes no calls: a public receiver need not hold one that may do everything.
alter table api_keys add column only_webhooks boolean not null default false;
