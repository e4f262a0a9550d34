import pg from 'pg'
import { PostgresError } from './error.ts'

/** Makes roles and databases, starts and backs up. No client input ever reaches its connections. */
export const SUPERUSER = 'tallyroom'
/** Owns the tables and changes the schema, at a start. */
export const OWNER = 'tallyroom_owner'
/** Serves: may change neither the schema nor append-only tables (server/src/data/grants.ts). */
export const APP = 'tallyroom_app'

/** In databases made by earlier versions, everything belongs to the superuser. */
const TAKE_OVER = `do $$
declare found record;
begin
  for found in select name from unnest(array['${OWNER}', '${APP}']) name where to_regrole(name) is null loop
    execute format('create role %I login nosuperuser nocreatedb nocreaterole noinherit noreplication', found.name);
  end loop;
  -- For the metrics: without it the sessions of other roles do not show what they wait for, nor standbys anything.
  if current_setting('server_version_num')::int >= 160000 then
    execute 'grant pg_read_all_stats to ${APP} with inherit true';
  else
    execute 'alter role ${APP} inherit';
    execute 'grant pg_read_all_stats to ${APP}';
  end if;
  execute format('alter database %I owner to ${OWNER}', current_database());
  execute format('revoke temporary on database %I from public', current_database());
  alter schema public owner to ${OWNER};
  revoke create on schema public from public;
  for found in
    select c.oid::regclass as name,
      case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end as kind
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and c.relowner <> '${OWNER}'::regrole
      -- The sequence of a column goes with its table.
      and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass
        and c.relkind = 'S' and d.deptype in ('a', 'i'))
  loop
    execute format('alter %s %s owner to ${OWNER}', found.kind, found.name);
  end loop;
  for found in select oid::regprocedure as name from pg_proc
    where pronamespace = 'public'::regnamespace and proowner <> '${OWNER}'::regrole
  loop
    execute format('alter routine %s owner to ${OWNER}', found.name);
  end loop;
  for found in select oid::regtype as name from pg_type
    where typnamespace = 'public'::regnamespace and typtype in ('e', 'd') and typowner <> '${OWNER}'::regrole
  loop
    execute format('alter type %s owner to ${OWNER}', found.name);
  end loop;
end $$`

const IS_DONE = `
select count(*) = 2 and bool_and(not rolsuper)
  and bool_or(rolname = '${APP}' and pg_has_role(oid, 'pg_read_all_stats', 'usage'))
  and (select pg_get_userbyid(datdba) = '${OWNER}' from pg_database where datname = current_database())
  and not exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind <> 'i'
    and pg_get_userbyid(relowner) <> '${OWNER}')
  and not exists (select from pg_proc where pronamespace = 'public'::regnamespace
    and pg_get_userbyid(proowner) <> '${OWNER}') as done
from pg_roles where rolname in ('${OWNER}', '${APP}')`

/** Makes the owner and the serving role of a database, and gives the owner everything in it. */
export const prepareRoles = async (superuser: pg.ClientConfig): Promise<void> => {
  const client = new pg.Client(superuser)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ done: boolean }>(IS_DONE)
    if (rows[0]?.done) return
    // Two commands at once would both make the roles.
    await client.query(`begin; select pg_advisory_xact_lock(7460119239); ${TAKE_OVER}; commit`)
  } catch (error) {
    throw new PostgresError(`The database roles could not be made: ${(error as Error).message}.`)
  } finally {
    await client.end()
  }
}
