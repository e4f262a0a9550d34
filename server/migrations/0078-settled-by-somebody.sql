-- Outside a transaction, so that settlements can be written while the rows are read. Repeatable: it may be cut off.
-- Whoever may write rows cannot mark a settlement as settled by nobody.
alter table settlements drop constraint if exists settlements_settled_by_somebody,
  add constraint settlements_settled_by_somebody check ((state = 'open') = (settled_by is null)) not valid;
alter table settlements validate constraint settlements_settled_by_somebody;
