-- Counts the rows of append-only tables that this function lets change: PostgreSQL's statistics count each row that was
-- updated or deleted, so what they have more was changed past the program (server/src/doctor/statistics.ts). Sequences,
-- because they too count what is rolled back, and nobody waits for them. A migration that fills a column of such a table
-- while an older version runs makes the count of that version differ.
create sequence taken_back_messages_allowed_changes;
create sequence audit_log_allowed_changes;
create sequence transfers_allowed_changes;
create sequence remark_edits_allowed_changes;

create or replace function refuse_change() returns trigger language plpgsql as $$
declare
  erased text[] := case tg_table_name when 'transfers' then '{remark}' when 'remark_edits' then '{old_remark,remark}'
    when 'audit_log' then '{address,facts}' end;
begin
  if tg_op = 'DELETE' and tg_table_name in ('taken_back_messages', 'audit_log')
    and current_setting('tallyroom.deletes', true) = tg_table_name then
    perform nextval(format('public.%I', tg_table_name || '_allowed_changes'));
    return old;
  end if;
  if tg_op = 'UPDATE' and erased is not null and is_erasing()
    and to_jsonb(new) - erased = to_jsonb(old) - erased then
    perform nextval(format('public.%I', tg_table_name || '_allowed_changes'));
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = '55000';
end $$;
