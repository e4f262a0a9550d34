-- Outside a transaction, because transfers must be written while the indexes are made. Repeatable: it may be cut off.
-- Transfers by amount, newest first.
drop index concurrently if exists transfers_amount;
create index concurrently transfers_amount on transfers (top_id, amount, created_at desc, id desc);
-- The rare kinds. Of sends, receives, bets and wins there are always many among the newest, so they need none.
drop index concurrently if exists transfers_rare_kinds;
create index concurrently transfers_rare_kinds on transfers (top_id, op, created_at desc, id desc)
  where op not in (1, 2, 8, 9);
-- Offers that did not come to pass. Pending ones have an index already.
drop index concurrently if exists envelopes_ended;
create index concurrently envelopes_ended on envelopes (top_id, status, transfer_id) where status in (0, 2, 3);
-- Remarks by their words.
drop index concurrently if exists transfers_remark_words;
create index concurrently transfers_remark_words on transfers using gin (remark_words(remark)) where remark <> '';
