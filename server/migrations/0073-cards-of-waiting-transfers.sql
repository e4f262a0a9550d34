-- A transfer that waits for approval is shown to the group only, by an internal note.
alter table asides add column transfer_id bigint;
