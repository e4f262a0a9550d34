-- Usernames of others are shown masked to this account and, when it is a group's head, to the group's customer service.
alter table accounts add column masks_usernames smallint not null default 0 check (masks_usernames in (0, 1));

-- What people did that must be answered for. Written in the deed's own transaction, never changed, and after a moment
-- linked into a chain of hashes by a worker, in which `npm run audit:verify` finds what was tampered with.
create table audit_log (
  id bigint generated always as identity primary key,
  -- 0: nobody's, such as a sign-in with a name that nobody has.
  top_id integer not null,
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  actor_id integer,
  target_id integer,
  session_id bigint,
  address text not null default '',
  -- Values, or [before, after]. Never a secret, and no usernames: those are joined, so that they can be masked.
  facts jsonb not null default '{}'
);
create index audit_log_top on audit_log (top_id, id desc);
create index audit_log_target on audit_log (target_id, id desc);
create index audit_log_actor on audit_log (actor_id, id desc);

-- Rows that wait for their link. A row that is in neither of the two did not come in through the trigger.
create table audit_pending (
  audit_id bigint primary key
);
create table audit_chain (
  seq bigint primary key,
  audit_id bigint not null unique,
  hash bytea not null,
  chained_at timestamptz not null default clock_timestamp()
);

create function audit_wait() returns trigger language plpgsql as $$
begin
  insert into audit_pending (audit_id) values (new.id);
  return null;
end $$;
create trigger audit_log_wait after insert on audit_log for each row execute function audit_wait();
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function refuse_change();
create trigger audit_chain_append_only before update or delete on audit_chain for each row execute function refuse_change();
create trigger audit_chain_no_truncate before truncate on audit_chain for each statement execute function refuse_change();

-- The ledger also goes by these: a change waits for the batches that were judged by the old value.
drop trigger accounts_hold_wallets on accounts;
create trigger accounts_hold_wallets
  after update of status, event_mode, withdraw_confirm, deduct_point_button_visible, is_multiple_wallet, transaction_all,
    flow_limit_modify_permission, transfer_member_flow_limit_multiple on accounts for each row
  when ((old.status, old.event_mode, old.withdraw_confirm, old.deduct_point_button_visible, old.is_multiple_wallet,
      old.transaction_all, old.flow_limit_modify_permission, old.transfer_member_flow_limit_multiple)
    is distinct from (new.status, new.event_mode, new.withdraw_confirm, new.deduct_point_button_visible, new.is_multiple_wallet,
      new.transaction_all, new.flow_limit_modify_permission, new.transfer_member_flow_limit_multiple))
  execute function hold_wallets();
