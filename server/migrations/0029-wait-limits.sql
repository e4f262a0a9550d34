-- After how many minutes a member who waits for an answer is shown as late, and as overdue.
alter table settings
  add column late_after smallint not null default 2,
  add column overdue_after smallint not null default 5,
  add constraint settings_wait_limits check (late_after >= 1 and overdue_after > late_after and overdue_after <= 1440);
