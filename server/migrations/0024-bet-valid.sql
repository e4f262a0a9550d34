-- How much of a bet counts as turnover, as it was reported. With it the same bet_id with another `valid` is refused. Bets from
-- before have none and are compared by member and amount alone. No default: the table is not rewritten.
alter table transfers add column bet_valid bigint;
