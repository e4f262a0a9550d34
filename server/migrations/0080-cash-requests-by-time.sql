-- Outside a transaction, because members ask for points while the indexes are made. Repeatable: it may be cut off.
drop index concurrently if exists cash_requests_asked_of_top;
create index concurrently cash_requests_asked_of_top on cash_requests (top_id, asked_at);
drop index concurrently if exists cash_requests_changed_of_top;
create index concurrently cash_requests_changed_of_top on cash_requests (top_id, changed_at);
