-- Outside a transaction, because transfers must be written while the index is made. Repeatable: it may be cut off.
-- Replaces e5479df4cf2b359aad2c377444d43cc5d0c015d6e41df1105858525808a00f76
-- What a transfer writes and nobody reads. Most are moved by whoever funds them: those the index of the actor finds.
drop index concurrently if exists transfers_funder_alone;
create index concurrently transfers_funder_alone on transfers (funder_id, created_at desc, id desc)
  where funder_id <> actor_id;
drop index concurrently if exists transfers_funder;
alter index transfers_funder_alone rename to transfers_funder;
-- Outcomes of requests are found by their key alone.
drop index concurrently if exists requests_created;
-- Wallets change with each batch: with room on their page the new version stays beside the old one, and no index is touched.
alter table wallets set (fillfactor = 70);
alter table day_totals set (fillfactor = 70);
-- What a check came to is told by the rules' own names now, no longer by their English words. Each can be made again.
delete from ledger_checks;
