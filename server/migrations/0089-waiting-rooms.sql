-- Outside a transaction, so that messages can be written meanwhile. Repeatable: it may be cut off.
drop index concurrently if exists rooms_waiting;
create index concurrently rooms_waiting on rooms (group_id, waiting_since) where waiting_since is not null and status = 1;
