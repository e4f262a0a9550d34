-- The same as in 0023, whose former text left it out: rows that a copy from before 0023 writes are filled at their commit.
-- May go when a new version need no longer start beside a copy from before 0023.
create or replace trigger transfers_append_only before update or delete on transfers for each row
  when (current_setting('tallyroom.fills', true) is distinct from 'on') execute function refuse_change();
create or replace trigger envelopes_settle_once before update or delete on envelopes for each row
  when (current_setting('tallyroom.fills', true) is distinct from 'on') execute function settle_once();
create or replace trigger envelopes_webhook after update on envelopes referencing new table as fresh for each statement
  when (current_setting('tallyroom.fills', true) is distinct from 'on') execute function webhook_envelopes();

create or replace function fill_transfer() returns trigger language plpgsql security definer set search_path = public
as $$
begin
  perform set_config('tallyroom.fills', 'on', true);
  update transfers t set target_balance = p.balance_after from postings p join wallets w on w.id = p.wallet_id
    where t.id = new.id and p.transfer_id = t.id and p.leg = 0 and w.account_id = t.target_id and w.kind = t.wallet;
  perform set_config('tallyroom.fills', 'off', true);
  return null;
end $$;
create or replace function fill_envelope() returns trigger language plpgsql security definer set search_path = public
as $$
begin
  perform set_config('tallyroom.fills', 'on', true);
  update envelopes e set target_balance = p.balance_after
    from transfers t join postings p on p.transfer_id = t.id and p.leg = 1 join wallets w on w.id = p.wallet_id
    where e.transfer_id = new.transfer_id and t.id = e.transfer_id and w.account_id = t.target_id and w.kind = t.wallet;
  perform set_config('tallyroom.fills', 'off', true);
  return null;
end $$;
drop trigger if exists transfers_fill on transfers;
create constraint trigger transfers_fill after insert on transfers deferrable initially deferred for each row
  when (new.target_balance is null and current_setting('application_name') <> 'tallyroom')
  execute function fill_transfer();
drop trigger if exists envelopes_fill on envelopes;
create constraint trigger envelopes_fill after update on envelopes deferrable initially deferred for each row
  when (new.status = 1 and new.target_balance is null and current_setting('application_name') <> 'tallyroom')
  execute function fill_envelope();
