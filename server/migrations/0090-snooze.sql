-- DESK-07: until when the group has put a conversation away, and who did. The member's next message ends it.
alter table rooms
  add column snoozed_until timestamptz,
  add column snoozed_by integer;

-- Not validated: the rows before have fewer kinds.
alter table asides drop constraint asides_kind_check,
  add constraint asides_kind_check check (kind in ('whisper', 'taken', 'taken_over', 'handed', 'released', 'settled',
    'assigned', 'returned', 'snoozed', 'due')) not valid;
