-- Outside a transaction, because the ledger writes webhooks while the index is made. Repeatable: it may be cut off.
drop index concurrently if exists webhooks_due_of;
create index concurrently webhooks_due_of on webhooks (top_id, due_at) where due_at is not null;
drop index concurrently if exists webhooks_due;
-- What was given up: few rows, so that nothing is written here when all is well.
drop index concurrently if exists webhooks_failed;
create index concurrently webhooks_failed on webhooks (top_id, id) where due_at is null and delivered_at is null;
