-- An approved file may be fetched again for some minutes, so the search for it needs those that were made too.
drop index sensitive_changes_unused;
create index sensitive_changes_files on sensitive_changes (maker_id, subject) where kind = 'export' and state = 'approved';
