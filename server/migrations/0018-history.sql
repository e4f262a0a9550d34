-- History by who moved points, and what the report counts for an operator, however long ago it was.
create index transfers_actor on transfers (actor_id, created_at desc, id desc);
create index transfers_funder on transfers (funder_id, created_at desc, id desc);
