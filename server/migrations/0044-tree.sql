-- Outside a transaction, so that accounts can be made while the index is. Repeatable: it may be cut off.
-- The tree reads the accounts below one in pages and counts them by role. The wider index also serves the foreign key.
drop index concurrently if exists accounts_children;
create index concurrently accounts_children on accounts (parent_id, role_id, id);
drop index concurrently if exists accounts_parent;
