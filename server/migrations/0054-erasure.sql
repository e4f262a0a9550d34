-- What a person wrote and what was written about it can be erased, also where nothing can be changed otherwise: remarks
-- of transfers and facts of the audit log. Only erase_member() may do that, as the owner of the tables.
create function is_erasing() returns boolean language sql stable set search_path = public, pg_temp as $$
  select coalesce(current_setting('tallyroom.deletes', true) = 'person', false)
    and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = 'transfers'::regclass)
$$;

create or replace function refuse_change() returns trigger language plpgsql as $$
declare
  erased text[] := case tg_table_name when 'transfers' then '{remark}' when 'remark_edits' then '{old_remark,remark}'
    when 'audit_log' then '{address,facts}' end;
begin
  if tg_op = 'DELETE' and tg_table_name in ('taken_back_messages', 'audit_log')
    and current_setting('tallyroom.deletes', true) = tg_table_name then
    return old;
  end if;
  if tg_op = 'UPDATE' and erased is not null and is_erasing()
    and to_jsonb(new) - erased = to_jsonb(old) - erased then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = '55000';
end $$;

create or replace trigger cash_requests_end_once before update or delete on cash_requests
  for each row when (not is_erasing()) execute function cash_ends_once();
create or replace trigger approvals_end_once before update or delete on approvals
  for each row when (not is_erasing()) execute function approval_ends_once();
create or replace trigger sensitive_changes_end_once before update or delete on sensitive_changes
  for each row when (not is_erasing()) execute function change_ends_once();
-- Erasing the words of an ended request is no event for the platform.
create or replace trigger cash_requests_ended_webhook after update on cash_requests referencing new table as fresh
  for each statement when (not is_erasing()) execute function webhook_cash();

-- Erases what is kept of a member, and returns the files that have to go: of DATA_DIR/media, or 'uploads/…'. The account
-- keeps its number, its place, its wallets and its postings.
create or replace function erase_member(member integer) returns table (file text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  a accounts;
  theirs integer[] := array(select id from rooms where partner_id = member);
  words text[];
  -- Messages and internal notes have the ids of the requests that wrote them.
  said uuid[] := array(select message_id from messages where room_id = any(theirs)
    union all select aside_id from asides where room_id = any(theirs));
begin
  select * into strict a from accounts where id = member and role_id = 4 for update;
  -- Long enough not to be a part of other words by chance.
  words := array(select w from unnest(array[a.username, a.nickname, a.third_party_id] || array(select unnest(array[code, alias])
    from rooms where id = any(theirs))) w where length(w) >= 4);
  perform set_config('tallyroom.deletes', 'person', true);

  return query select id from media where room_id = any(theirs) or id = a.thumbnail_id
    union all select 'uploads/' || id from uploads where account_id = member or room_id = any(theirs);
  delete from media where room_id = any(theirs) or id = a.thumbnail_id;
  delete from uploads where account_id = member or room_id = any(theirs);

  delete from messages where room_id = any(theirs);
  perform set_config('tallyroom.deletes', 'taken_back_messages', true);
  delete from taken_back_messages where room_id = any(theirs);
  perform set_config('tallyroom.deletes', 'person', true);
  delete from asides where room_id = any(theirs);
  delete from note_contents where note_id in (select id from notes where room_id = any(theirs));
  delete from notes where room_id = any(theirs);
  delete from drafts where account_id = member or room_id = any(theirs);
  delete from ai_work where room_id = any(theirs);
  delete from pushes where room_id = any(theirs);
  update rooms set alias = '', last_message_content = '', last_message_type = null, waiting_since = null, unanswered = 0,
    owner_id = null, contact_status = 0, version = version + 1, desk_version = desk_version + 1,
    changed_xid = pg_current_xact_id() where id = any(theirs);

  delete from push_subscriptions where account_id = member;
  -- They stay as ended for a while, because that closes what is still open of them.
  update sessions set ended_at = coalesce(ended_at, now()), end_reason = coalesce(end_reason, 'frozen'), user_agent = '',
    address = '' where account_id = member;
  delete from known_devices where account_id = member;
  delete from second_factors where account_id = member;
  delete from recovery_codes where account_id = member;
  delete from recovery_phones where account_id = member;
  delete from passkeys where account_id = member;
  delete from passkey_challenges where account_id = member;
  delete from challenges where account_id = member;
  delete from sms_codes where account_id = member;
  delete from one_time_tokens where account_id = member;
  delete from failed_sign_ins where account_id = member;
  delete from security_notices where account_id = member;
  delete from bank_accounts where member_id = member;
  delete from list_views where owner_id = member;

  update transfers set remark = '' where remark <> '' and (target_id = member or funder_id = member or actor_id = member);
  update remark_edits set old_remark = '', remark = ''
    where transfer_id in (select id from transfers where target_id = member or funder_id = member or actor_id = member);
  update cash_requests set bank = '', account_no = '', slip = '', reason = '' where member_id = member;
  update approvals p set terms = '{}', reason = '', answer = ''
    from transfers t where t.id = p.transfer_id and (t.target_id = member or t.funder_id = member);
  update sensitive_changes set change = '{}', facts = '{}', answer = '' where target_id = member;
  delete from webhooks where top_id = a.top_id and payload->>'username' = a.username;
  -- The seal of the log: verifyAudit() knows these rows by the entry that follows.
  update audit_log set facts = '{}', address = ''
    where (target_id = member or actor_id = member) and kind <> 'account_erased';

  -- A repeat is refused, not done again. Outcomes of others that name the person stay refused too.
  update requests set answer = '{"refused": "request.too_old"}' where actor_id = member
    or request_id = any(said) or answer::text like any (array(select '%' || replace(replace(replace(w, '\', '\\'), '%', '\%'), '_', '\_') || '%' from unnest(words) w));

  update accounts set username = 'erased-' || member, nickname = '', password_hash = '', payment_password_hash = null,
    thumbnail_id = null, share_code = gen_random_uuid()::text, domain = '', customized_cs_qrcode_pic_url = '',
    third_party_id = null, status = 0, last_seen_at = null where id = member;
  perform set_config('tallyroom.deletes', '', true);
end $$;
revoke execute on function erase_member(integer) from public;
