-- Erasing a person in the office waits for a second admin, always.
alter table sensitive_changes drop constraint sensitive_changes_kind_check;
alter table sensitive_changes add constraint sensitive_changes_kind_check
  check (kind in ('api_url', 'credit', 'rights', 'correction', 'export', 'four_eyes', 'erase')) not valid;
