-- Chooses the zone in which days are counted, while nothing is counted by days yet. Returns false when it is too late, or
-- when TIME_ZONE of the environment has set it. The lock waits for the transfers that have begun and holds back the next
-- ones, which then read the new zone: none is counted in the former one.
create function choose_time_zone(zone text, source text) returns boolean
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '5s' as $$
begin
  lock table wallets in exclusive mode;
  if exists (select from transfers) or exists (select from past_places) or exists (select from closed_periods)
    or (source <> 'environment'
      and exists (select from installation where name = 'time_zone_source' and value = 'environment')) then
    return false;
  end if;
  insert into installation (name, value) values ('time_zone', zone), ('time_zone_source', source)
    on conflict (name) do update set value = excluded.value;
  return true;
end $$;
