-- The house: one for each top account, it stands against bets and wins. Nobody: it lies outside the tree (its path begins with
-- no '/'), is frozen and has no password.
alter table accounts drop constraint accounts_role_id_check, add constraint accounts_role_id_check check (role_id between 0 and 4);
create unique index accounts_house on accounts (top_id) where role_id = 0;

alter table transfers
  -- Of a bet, and of the win that belongs to it: what the platform calls it.
  add column bet_id text check (length(bet_id) between 1 and 64),
  -- The transfer that this one takes back.
  add column corrects bigint,
  -- Points are taken although turnover is still to be bet, because somebody who may say so said so.
  add column overrides_flow boolean not null default false;
create unique index transfers_bet on transfers (top_id, bet_id, op) where bet_id is not null;
create unique index transfers_corrects on transfers (corrects) where corrects is not null;

-- What an account still has to bet before it is paid out. `audit_amount` of the transfers that reached it raises it, that
-- of its bets (what of them counted) and of corrections (what they lifted) lowers it. Limits are filled in the order in which
-- they were opened, so this one number says how full each of them is.
alter table wallets add column flow_due bigint not null default 0 check (flow_due >= 0);
update wallets w set flow_due = d.due
  from (select t.target_id, sum(t.audit_amount) as due from transfers t left join envelopes e on e.transfer_id = t.id
    where coalesce(e.status, 1) = 1 group by t.target_id) d
  where d.target_id = w.account_id and w.kind = 1;

-- The buttons of the points dialog are rules of the ledger too.
drop trigger accounts_hold_wallets on accounts;
create trigger accounts_hold_wallets
  after update of status, event_mode, withdraw_confirm, deduct_point_button_visible, is_multiple_wallet, transaction_all,
    flow_limit_modify_permission, transfer_member_flow_limit_multiple, red_envelope_button_visible,
    send_red_envelope_button_visible, receive_red_envelope_button_visible, gift_red_envelope_button_visible,
    point_button_visible on accounts for each row
  when ((old.status, old.event_mode, old.withdraw_confirm, old.deduct_point_button_visible, old.is_multiple_wallet,
      old.transaction_all, old.flow_limit_modify_permission, old.transfer_member_flow_limit_multiple,
      old.red_envelope_button_visible, old.send_red_envelope_button_visible, old.receive_red_envelope_button_visible,
      old.gift_red_envelope_button_visible, old.point_button_visible)
    is distinct from (new.status, new.event_mode, new.withdraw_confirm, new.deduct_point_button_visible, new.is_multiple_wallet,
      new.transaction_all, new.flow_limit_modify_permission, new.transfer_member_flow_limit_multiple,
      new.red_envelope_button_visible, new.send_red_envelope_button_visible, new.receive_red_envelope_button_visible,
      new.gift_red_envelope_button_visible, new.point_button_visible))
  execute function hold_wallets();
