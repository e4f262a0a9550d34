-- Outside a transaction, because transfers must be written while the old ones are filled. Repeatable: it may be cut off.
-- Replaces 4ebb453add6d36754f3bf0d5df43ea4a16e3432dc387f110b36f74ccd26b80b7
-- The balance of the target's wallet after a transfer, for lists of thousands: known when it is made, or when its envelope
-- is settled.
alter table transfers add column if not exists target_balance bigint;
alter table envelopes add column if not exists target_balance bigint;

-- Rows are filled by statements with this setting, and only by those. The platform is not told of an envelope again.
create or replace trigger transfers_append_only before update or delete on transfers for each row
  when (current_setting('tallyroom.fills', true) is distinct from 'on') execute function refuse_change();
create or replace trigger envelopes_settle_once before update or delete on envelopes for each row
  when (current_setting('tallyroom.fills', true) is distinct from 'on') execute function settle_once();
create or replace trigger envelopes_webhook after update on envelopes referencing new table as fresh for each statement
  when (current_setting('tallyroom.fills', true) is distinct from 'on') execute function webhook_envelopes();

-- An older copy, which may serve until the new ones do, does not know the column: its rows are filled at their commit.
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

set tallyroom.fills = 'on';
-- In batches of 5000 by transfers.id
update transfers t set target_balance = p.balance_after from postings p join wallets w on w.id = p.wallet_id
  where t.id > $1 and t.id <= $2 and t.target_balance is null
    and p.transfer_id = t.id and p.leg = 0 and w.account_id = t.target_id and w.kind = t.wallet;
-- In batches of 5000 by envelopes.transfer_id
update envelopes e set target_balance = p.balance_after
  from transfers t join postings p on p.transfer_id = t.id and p.leg = 1 join wallets w on w.id = p.wallet_id
  where e.transfer_id > $1 and e.transfer_id <= $2 and e.target_balance is null
    and t.id = e.transfer_id and w.account_id = t.target_id and w.kind = t.wallet;
reset tallyroom.fills;
-- Envelopes are a list of their own: found without walking over all other transfers.
drop index concurrently if exists transfers_envelopes;
create index concurrently transfers_envelopes on transfers (top_id, created_at desc, id desc) where is_envelope;
