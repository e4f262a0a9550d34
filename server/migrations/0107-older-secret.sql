-- Replaced twice within a day, the secret that a receiver may still have signs as well.
alter table webhook_endpoints add column older_secret text;
