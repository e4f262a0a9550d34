-- API-08: more kinds of events. Triggers for each row with a condition cost nothing where nothing of the kind happens, and
-- no message that the ledger writes is among them.
create or replace function webhook_members() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select a.top_id, a.id, k.kind, jsonb_build_object('id', a.id, 'username', a.username, 'third_party_id', a.third_party_id,
      'nickname', a.nickname, 'parent', p.username)
    from fresh a cross join lateral (select case a.role_id when 2 then 'agent.added' else 'member.added' end as kind) k
      left join accounts p on p.id = a.parent_id
    where a.role_id in (2, 4) and event_wanted(a.top_id, k.kind);
  return null;
end $$;

create function webhook_member_changed() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select new.top_id, new.id, 'member.changed', jsonb_build_object('id', new.id, 'username', new.username, 'third_party_id',
      new.third_party_id, 'nickname', new.nickname, 'status', new.status, 'withdraw_confirm', new.withdraw_confirm,
      'event_mode', new.event_mode)
    where event_wanted(new.top_id, 'member.changed');
  return null;
end $$;
create trigger accounts_webhook_changed after update of nickname, status, third_party_id, withdraw_confirm, event_mode on accounts
  for each row when (new.role_id = 4 and (old.nickname, old.status, old.third_party_id, old.withdraw_confirm, old.event_mode)
    is distinct from (new.nickname, new.status, new.third_party_id, new.withdraw_confirm, new.event_mode) and not is_erasing())
  execute function webhook_member_changed();

create function webhook_member_moved() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select new.top_id, new.id, 'member.moved', jsonb_build_object('id', new.id, 'username', new.username, 'third_party_id',
      new.third_party_id, 'parent', p.username, 'from', b.username)
    from accounts p, accounts b where p.id = new.parent_id and b.id = old.parent_id and event_wanted(new.top_id, 'member.moved');
  return null;
end $$;
create trigger accounts_webhook_moved after update of parent_id on accounts
  for each row when (new.role_id = 4 and old.parent_id <> new.parent_id) execute function webhook_member_moved();

-- Bets and wins come from the platform itself. A void may come from another of its servers.
create or replace function webhook_transfers() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select t.top_id, a.id, k.kind, jsonb_build_object('transaction_id', t.transaction_id, 'type', t.op, 'wallet', t.wallet,
      'amount', points_text(t.amount), 'username', a.username, 'third_party_id', a.third_party_id, 'operator', o.username,
      'remark', t.remark, 'status', 1) || case t.op when 11 then jsonb_build_object('bet_id', t.bet_id) else '{}' end
    from fresh t join accounts a on a.id = t.target_id left join accounts o on o.id = t.actor_id
      cross join lateral (select case t.op when 11 then 'bet.voided' else 'transfer.settled' end as kind) k
    where t.op not in (8, 9) and not (t.is_envelope and exists (select from envelopes e where e.transfer_id = t.id))
      and event_wanted(t.top_id, k.kind);
  return null;
end $$;

create function webhook_approvals() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select new.top_id, a.id, k.kind, jsonb_build_object('transaction_id', t.transaction_id, 'amount', points_text(t.amount),
      'username', a.username, 'third_party_id', a.third_party_id, 'operator', m.username, 'state', new.state,
      'decided_by', d.username, 'answer', new.answer)
    from transfers t join accounts a on a.id = t.target_id join accounts m on m.id = new.maker_id
      left join accounts d on d.id = new.ended_by
      cross join lateral (select case new.state when 'waiting' then 'approval.asked' else 'approval.ended' end as kind) k
    where t.id = new.transfer_id and event_wanted(new.top_id, k.kind);
  return null;
end $$;
-- At the commit: the ledger writes the transfer after its approval.
create constraint trigger approvals_webhook after insert on approvals deferrable initially deferred
  for each row execute function webhook_approvals();
create trigger approvals_webhook_ended after update of state on approvals
  for each row when (old.state <> new.state and not is_erasing()) execute function webhook_approvals();

create function webhook_periods() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select new.top_id, a.id, 'period.closed', jsonb_build_object('id', new.id, 'username', a.username, 'third_party_id',
      a.third_party_id, 'start_date', new.start_date, 'end_date', new.end_date, 'operator', c.username)
    from accounts a, accounts c
    where a.id = new.account_id and c.id = new.closed_by and event_wanted(new.top_id, 'period.closed');
  return null;
end $$;
create trigger closed_periods_webhook after insert on closed_periods for each row execute function webhook_periods();

-- Without words, which are in the list of messages. They are looked up when an event with text is sent.
create function webhook_messages() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select new.top_id, a.id, 'message.added', jsonb_build_object('id', new.message_id, 'room', r.code, 'seq', new.seq, 'type',
      new.type, 'username', a.username, 'third_party_id', a.third_party_id, 'from', case when new.from_partner then 'member' else 'office' end)
    from rooms r join accounts a on a.id = r.partner_id and a.role_id = 4
    where r.id = new.room_id and event_wanted(new.top_id, 'message.added');
  return null;
end $$;
create trigger messages_webhook after insert on messages
  for each row when (new.transfer_id is null and new.type in (1, 2, 14, 15, 16)) execute function webhook_messages();

create function webhook_waiting() returns trigger language plpgsql as $$
begin
  insert into webhooks (top_id, account_id, kind, payload)
  select new.top_id, a.id, 'room.waiting', jsonb_build_object('room', new.code, 'username', a.username, 'third_party_id',
      a.third_party_id, 'since', to_char(new.waiting_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from accounts a where a.id = new.partner_id and a.role_id = 4 and event_wanted(new.top_id, 'room.waiting');
  return null;
end $$;
create trigger rooms_webhook_waiting after update of waiting_since on rooms
  for each row when (old.waiting_since is null and new.waiting_since is not null) execute function webhook_waiting();
