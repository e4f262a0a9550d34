-- The ledger's seal, written beside the transfers by ledger/seal/sealer.ts (docs/seal.md). A block seals what has been
-- posted since the block before it, wallet by wallet.
create table seal_blocks (
  block bigint primary key,
  sealed_at timestamptz not null,
  rows integer not null,
  -- Hides what a statement does not show from those who hold its seal: short remarks could be guessed.
  salt bytea not null,
  root bytea not null,
  head bytea not null
);
-- The postings of one wallet in one block. `hash` goes on from the wallet's part before; `marks` are the first 8 bytes
-- of the hash of each posting, so that a changed one is named.
create table seal_parts (
  wallet_id integer not null,
  to_seq bigint not null,
  from_seq bigint not null,
  block bigint not null,
  hash bytea not null,
  marks bytea not null,
  primary key (wallet_id, to_seq)
);
create index seal_parts_block on seal_parts (block, wallet_id);
create trigger seal_blocks_append_only before update or delete on seal_blocks for each row execute function refuse_change();
create trigger seal_blocks_no_truncate before truncate on seal_blocks for each statement execute function refuse_change();
create trigger seal_parts_append_only before update or delete on seal_parts for each row execute function refuse_change();
create trigger seal_parts_no_truncate before truncate on seal_parts for each statement execute function refuse_change();

-- How far each wallet is sealed. A table of its own: a column of `wallets` would make the sealer wait for transfers, and
-- transfers for the sealer.
create table sealed_wallets (
  wallet_id integer primary key,
  seq bigint not null
) with (fillfactor = 70);

-- When everything was last found sealed. One row.
create table seal_state (
  id integer primary key default 1 check (id = 1),
  whole_at timestamptz not null
);
