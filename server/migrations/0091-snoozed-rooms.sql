-- Outside a transaction, so that messages can be written meanwhile. Repeatable: it may be cut off.
drop index concurrently if exists rooms_snoozed;
create index concurrently rooms_snoozed on rooms (snoozed_until) where snoozed_until is not null;
