-- The bytes of files and photos that an account, a network or the members of a share code have begun to send in the day
-- since `since`. Keys are hashes (chat/files/quota.ts). The version before this one counts accounts in file_quotas.
create table storage_budgets (
  key bytea primary key,
  since timestamptz not null default now(),
  bytes bigint not null
);

-- Counts bytes against all budgets or, if one does not allow it, against none. It goes in the order of keys, so that two
-- callers never wait for each other. A budget of 0 has no limit.
create function take_storage(keys bytea[], most bigint[], amount bigint) returns boolean language plpgsql as $$
declare
  budget record;
begin
  for budget in select b.key, b.most from unnest(keys, most) as b(key, most) where b.most > 0 order by b.key loop
    insert into storage_budgets as s (key, bytes) select budget.key, amount where amount <= budget.most
      on conflict (key) do update set
        since = case when s.since < now() - interval '1 day' then now() else s.since end,
        bytes = amount + case when s.since < now() - interval '1 day' then 0 else s.bytes end
      where s.since < now() - interval '1 day' or s.bytes + amount <= budget.most;
    if not found then raise exception using errcode = 'TR001'; end if;
  end loop;
  return true;
exception when sqlstate 'TR001' then
  -- What was counted before is rolled back.
  return false;
end $$;

-- The budgets that hold the bytes of an upload until it is sent. Null: it was begun by the version before, or was sent.
alter table uploads add column budgets bytea[];

-- An upload that ends without being sent gives its bytes back, whatever deletes it.
create function give_storage_back() returns trigger language plpgsql as $$
begin
  perform 1 from storage_budgets s where s.key in (select unnest(g.budgets) from gone g) order by s.key for update;
  update storage_budgets s set bytes = greatest(0, s.bytes - back.bytes)
    from (select b.key, sum(g.size) as bytes
        from gone g cross join unnest(g.budgets) as b(key) join storage_budgets o on o.key = b.key
        -- A budget that began again since then does not hold the bytes.
        where o.since <= g.created_at group by b.key) back
    where s.key = back.key;
  return null;
end $$;
create trigger uploads_give_back after delete on uploads
  referencing old table as gone for each statement execute function give_storage_back();
