-- A token that the page around the widget hands to it: it opens no landing page.
alter table one_time_tokens drop constraint one_time_tokens_kind_check,
  add constraint one_time_tokens_kind_check check (kind in ('agent', 'landing', 'widget')) not valid;
