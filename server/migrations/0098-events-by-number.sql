-- Outside a transaction, because the ledger writes events while the indexes are made. Repeatable: it may be cut off.
-- The ledger writes as many indexes of an event as before: its numbers are not there yet.
drop index concurrently if exists webhooks_unnumbered;
create index concurrently webhooks_unnumbered on webhooks (id) where seq is null;
drop index concurrently if exists webhooks_seq;
create unique index concurrently webhooks_seq on webhooks (top_id, seq) where seq is not null;
drop index concurrently if exists webhooks_member_seq;
create unique index concurrently webhooks_member_seq on webhooks (top_id, account_id, member_seq) where member_seq is not null;
drop index concurrently if exists webhooks_top;
-- In batches of 5000 by webhooks.id
update webhooks w set account_id = a.id from accounts a
  where w.id > $1 and w.id <= $2 and w.account_id is null and a.top_id = w.top_id and a.username = w.payload->>'username';
