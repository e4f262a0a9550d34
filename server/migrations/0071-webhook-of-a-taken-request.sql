-- A platform learns who has taken a request and when it is free again, so that it does not pay what a colleague pays.
create function webhook_cash_changed() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, kind, payload)
  select c.top_id, 'request.' || case c.state when 'asked' then 'released' else c.state end, jsonb_build_object('id', c.id,
      'username', a.username, 'third_party_id', a.third_party_id, 'direction', c.direction, 'amount', points_text(c.amount),
      'state', c.state, 'reason', c.reason, 'operator', o.username, 'transaction_id', t.transaction_id)
    from fresh c join before b on b.id = c.id join settings s on s.account_id = c.top_id and s.api_url <> ''
      join accounts a on a.id = c.member_id
      -- Of a released request: who had taken it.
      left join accounts o on o.id = case c.state when 'asked' then b.taken_by when 'taken' then c.taken_by else c.ended_by end
      left join transfers t on t.id = c.transfer_id and c.state = 'paid'
    -- A renewed lease is no event. After a lease, another colleague may take it without a release between.
    where c.state <> b.state or c.taken_by <> b.taken_by;
  return null;
end $$;
-- Erasing the words of an ended request is no event.
create trigger cash_requests_changed_webhook after update on cash_requests
  referencing old table as before new table as fresh
  for each statement when (not is_erasing()) execute function webhook_cash_changed();
drop trigger cash_requests_ended_webhook on cash_requests;

-- For a request that is made.
create or replace function webhook_cash() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, kind, payload)
  select c.top_id, 'request.' || c.state, jsonb_build_object('id', c.id, 'username', a.username, 'third_party_id',
      a.third_party_id, 'direction', c.direction, 'amount', points_text(c.amount), 'state', c.state, 'reason', c.reason,
      'operator', null, 'transaction_id', null)
    from fresh c join settings s on s.account_id = c.top_id and s.api_url <> '' join accounts a on a.id = c.member_id;
  return null;
end $$;
