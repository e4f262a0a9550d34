-- Images and files whose rows are gone and which have to be deleted: an id of media, or 'uploads/…'. The S3 server may be
-- away when the transaction commits.
create table media_deletions (
  file text primary key,
  at timestamptz not null default now()
);

-- The lengths of the parts that are here, when each is an object of its own (in S3).
alter table uploads add column part_lengths integer[];
