-- Erasing a person refuses repeats whose stored answers name it. Those of other platforms stay: a name such as "page" would be
-- in all of them. The outcomes of a platform's servers have its negative id.
do $$
declare
  before text := pg_get_functiondef('erase_member(integer)'::regprocedure);
  known text := E'where actor_id = member\n    or request_id = any(said) or ';
  now text := E'where actor_id = any(array(select id from accounts where top_id = a.top_id) || -a.top_id)\n'
    '    and (actor_id = member or request_id = any(said) or ';
  known_end text := 'from unnest(words) w));';
begin
  if strpos(before, known) = 0 or strpos(before, known_end) = 0 then
    raise exception 'erase_member() does not refuse repeats as this migration expects';
  end if;
  execute replace(replace(before, known, now), known_end, 'from unnest(words) w)));');
end $$;
