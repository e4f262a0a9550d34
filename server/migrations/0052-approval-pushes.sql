-- Which browsers are to be called for what waits for approval: one row each, deleted once it was sent or is not needed.
create table approval_pushes (
  subscription_id bigint not null references push_subscriptions on delete cascade,
  -- 'transfer': `item_id` is of approvals; 'change': of sensitive_changes.
  about text not null check (about in ('transfer', 'change')),
  item_id integer not null,
  top_id integer not null,
  due_at timestamptz not null,
  tries smallint not null default 0,
  primary key (subscription_id, about, item_id)
);
create index approval_pushes_due on approval_pushes (due_at);
