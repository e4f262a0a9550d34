-- How the target's wallet stood after a transfer, for lists of thousands: known when it is made, or when its envelope is settled.
alter table transfers add column target_balance bigint;
alter table envelopes add column target_balance bigint;

alter table transfers disable trigger transfers_append_only;
update transfers t set target_balance = p.balance_after from postings p join wallets w on w.id = p.wallet_id
  where p.transfer_id = t.id and p.leg = 0 and w.account_id = t.target_id and w.kind = t.wallet;
alter table transfers enable trigger transfers_append_only;

alter table envelopes disable trigger envelopes_settle_once;
update envelopes e set target_balance = p.balance_after
  from transfers t join postings p on p.transfer_id = t.id and p.leg = 1 join wallets w on w.id = p.wallet_id
  where t.id = e.transfer_id and w.account_id = t.target_id and w.kind = t.wallet;
alter table envelopes enable trigger envelopes_settle_once;
-- Envelopes are a list of their own: found without walking over all other transfers.
create index transfers_envelopes on transfers (top_id, created_at desc, id desc) where is_envelope;
