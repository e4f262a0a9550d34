-- The account of a key whose lease for points out ended without a word: the platform may have paid at the bank. A person
-- has to look before the request is paid or refused. Nothing ends such a request by itself.
alter table cash_requests add column maybe_paid_by integer;

create or replace function webhook_cash_changed() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, kind, payload)
  select c.top_id, 'request.' || case c.state when 'asked' then 'released' else c.state end, jsonb_build_object('id', c.id,
      'username', a.username, 'third_party_id', a.third_party_id, 'direction', c.direction, 'amount', points_text(c.amount),
      'state', c.state, 'reason', c.reason, 'reason_code', c.reason_code, 'maybe_paid', c.maybe_paid_by is not null,
      'operator', o.username, 'transaction_id', t.transaction_id)
    from fresh c join before b on b.id = c.id join settings s on s.account_id = c.top_id and s.api_url <> ''
      join accounts a on a.id = c.member_id
      -- Of a released request: who had taken it.
      left join accounts o on o.id = case c.state when 'asked' then b.taken_by when 'taken' then c.taken_by else c.ended_by end
      left join transfers t on t.id = c.transfer_id and c.state = 'paid'
    -- A renewed lease is no event. After a lease, another colleague may take it without a release between.
    where c.state <> b.state or c.taken_by <> b.taken_by;
  return null;
end $$;

create or replace function webhook_cash() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, kind, payload)
  select c.top_id, 'request.' || c.state, jsonb_build_object('id', c.id, 'username', a.username, 'third_party_id',
      a.third_party_id, 'direction', c.direction, 'amount', points_text(c.amount), 'state', c.state, 'reason', c.reason,
      'reason_code', c.reason_code, 'maybe_paid', false, 'operator', null, 'transaction_id', null)
    from fresh c join settings s on s.account_id = c.top_id and s.api_url <> '' join accounts a on a.id = c.member_id;
  return null;
end $$;
