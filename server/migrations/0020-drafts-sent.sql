-- What is typed for colleagues is a draft of its own beside the one for the partner. `sent_version` is the version with which
-- a message took a draft along: what was typed before it, and arrives later, is in the message already.
alter table drafts
  add column inside boolean not null default false,
  add column sent_version integer not null default 0,
  drop constraint drafts_pkey,
  add primary key (account_id, room_id, inside);
