-- The remark of a sealed transfer can be erased with a person. Its hash stays, as the seal has it: the seal still holds, and
-- npm run ledger:verify accepts it only where a person was erased.
create table erased_remarks (
  wallet_id integer not null,
  seq bigint not null,
  hash bytea not null,
  primary key (wallet_id, seq)
);
create trigger erased_remarks_append_only before update or delete on erased_remarks for each row execute function refuse_change();
create trigger erased_remarks_no_truncate before truncate on erased_remarks for each statement execute function refuse_change();

create function keep_remark_hash() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- The sealer's lock: a block that is being made would seal the remark, and not be seen here.
  perform pg_advisory_xact_lock(7460119238);
  -- The same as in ledger/seal/leaf.ts.
  insert into erased_remarks (wallet_id, seq, hash)
    select p.wallet_id, p.seq, sha256(c.salt || convert_to(old.remark, 'UTF8')) from postings p
      cross join lateral (select k.block from seal_parts k where k.wallet_id = p.wallet_id and k.to_seq >= p.seq
        order by k.to_seq limit 1) k
      join seal_blocks c on c.block = k.block
    where p.transfer_id = old.id;
  return null;
end $$;
revoke execute on function keep_remark_hash() from public;
create trigger transfers_keep_remark_hash after update of remark on transfers for each row
  when (old.remark <> new.remark) execute function keep_remark_hash();
