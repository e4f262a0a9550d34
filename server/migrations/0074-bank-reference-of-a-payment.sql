-- The bank's reference of what was paid for a request. At most 64 letters; the contract says so.
alter table cash_requests add column bank_reference text not null default '';

-- Erasing a member empties it with the other words of the request.
do $$
declare
  before text := pg_get_functiondef('erase_member(integer)'::regprocedure);
  after text := replace(before, 'slip = '''', reason = '''' where member_id', 'slip = '''', reason = '''', bank_reference = '''' where member_id');
begin
  if after = before then
    raise exception 'erase_member() does not empty the words of requests as this migration expects';
  end if;
  execute after;
end $$;
