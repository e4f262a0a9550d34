-- Outside a transaction, because the ledger writes events meanwhile. Attempts are in webhook_deliveries now.
drop index concurrently if exists webhooks_due_of;
drop index concurrently if exists webhooks_failed;
