-- Webhooks name the account by the platform's own id too, as its calls may.
create or replace function webhook_transfers() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, kind, payload)
  select t.top_id, 'transfer.settled', jsonb_build_object('transaction_id', t.transaction_id, 'type', t.op, 'wallet', t.wallet,
      'amount', points_text(t.amount), 'username', a.username, 'third_party_id', a.third_party_id, 'operator', o.username,
      'remark', t.remark, 'status', 1)
    from fresh t join settings s on s.account_id = t.top_id and s.api_url <> ''
      join accounts a on a.id = t.target_id left join accounts o on o.id = t.actor_id
    -- Bets and wins come from the platform itself.
    where t.op not in (8, 9) and not (t.is_envelope and exists (select from envelopes e where e.transfer_id = t.id));
  return null;
end $$;

create or replace function webhook_envelopes() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, kind, payload)
  select t.top_id, case when e.type > 2 then 'transfer.settled' else 'envelope.settled' end,
      jsonb_build_object('transaction_id', t.transaction_id, 'type', t.op, 'wallet', t.wallet, 'amount',
      points_text(t.amount), 'username', a.username, 'third_party_id', a.third_party_id, 'operator', o.username, 'remark',
      t.remark, 'status', e.status)
    from fresh e join transfers t on t.id = e.transfer_id join settings s on s.account_id = e.top_id and s.api_url <> ''
      join accounts a on a.id = t.target_id
      left join accounts o on o.id = case e.type when 3 then e.settled_by else t.actor_id end
    where e.status <> 4 and (e.type < 3 or e.status = 1);
  return null;
end $$;

create or replace function webhook_cash() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, kind, payload)
  select c.top_id, 'request.' || c.state, jsonb_build_object('id', c.id, 'username', a.username, 'third_party_id',
      a.third_party_id, 'direction', c.direction, 'amount', points_text(c.amount), 'state', c.state, 'reason', c.reason,
      'operator', o.username, 'transaction_id', t.transaction_id)
    from fresh c join settings s on s.account_id = c.top_id and s.api_url <> '' join accounts a on a.id = c.member_id
      left join accounts o on o.id = c.ended_by left join transfers t on t.id = c.transfer_id and c.state = 'paid'
    -- Of an open request only its asking is told: leases come and go.
    where tg_op = 'INSERT' or c.state not in ('asked', 'taken');
  return null;
end $$;

create or replace function webhook_members() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, kind, payload)
  select a.top_id, 'member.added', jsonb_build_object('id', a.id, 'username', a.username, 'third_party_id',
      a.third_party_id, 'nickname', a.nickname, 'parent', p.username)
    from fresh a join settings s on s.account_id = a.top_id and s.api_url <> '' left join accounts p on p.id = a.parent_id
    where a.role_id = 4;
  return null;
end $$;
