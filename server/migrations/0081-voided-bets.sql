-- The platform itself voids a bet (11), as it reports bets (8) and wins (9): it needs no event of it.
create or replace function webhook_transfers() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, kind, payload)
  select t.top_id, 'transfer.settled', jsonb_build_object('transaction_id', t.transaction_id, 'type', t.op, 'wallet', t.wallet,
      'amount', points_text(t.amount), 'username', a.username, 'third_party_id', a.third_party_id, 'operator', o.username,
      'remark', t.remark, 'status', 1)
    from fresh t join settings s on s.account_id = t.top_id and s.api_url <> ''
      join accounts a on a.id = t.target_id left join accounts o on o.id = t.actor_id
    where t.op not in (8, 9, 11) and not (t.is_envelope and exists (select from envelopes e where e.transfer_id = t.id));
  return null;
end $$;
