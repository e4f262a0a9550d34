-- What a transfer writes and nobody reads. Most are moved by whoever funds them: those the index of the actor finds.
drop index transfers_funder;
create index transfers_funder on transfers (funder_id, created_at desc, id desc) where funder_id <> actor_id;
-- Outcomes of requests are found by their key alone.
drop index requests_created;
-- Wallets change with each batch: with room on their page the new version stays beside the old one, and no index is touched.
alter table wallets set (fillfactor = 70);
alter table day_totals set (fillfactor = 70);
-- What a check came to is told by the rules' own names now, no longer by their English words. Each can be made again.
delete from ledger_checks;
