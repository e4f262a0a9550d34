-- The key that signs webhooks: the oldest valid one that has this mark, else the oldest valid one. So a new key changes
-- nothing, and the replacement of the one that signs takes over when that ends. Until now the newest key signed; it goes on.
alter table api_keys add column signs_webhooks boolean not null default false;
update api_keys k set signs_webhooks = true where revoked_at is null and not exists
  (select from api_keys o where o.top_id = k.top_id and o.revoked_at is null and o.created_at > k.created_at);
