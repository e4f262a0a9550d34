-- Each wallet's sums after some of its postings, so that a statement of a year does not read the year. Only a help: it
-- is made from the postings by ledger/read/posting-marks.ts, checked against them by ledger:check, and may be emptied.
-- `at`: the latest time of the wallet's postings up to `seq`.
create table posting_marks (
  wallet_id integer not null,
  at timestamptz not null,
  seq bigint not null,
  total_in bigint not null,
  total_out bigint not null,
  primary key (wallet_id, at, seq)
);
