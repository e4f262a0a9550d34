import { Role } from '@tallyroom/contract/codes'
import { createHash, randomBytes } from 'node:crypto'
import { createRooms } from '../../server/src/chat/create-room.ts'
import { type Database, many, one, run, sql } from '../../server/src/data/sql.ts'

export type Parent = { id: number; topId: number; groupId: number; path: string }
export type Made = Parent & {
  username: string
  /** Of an open session. */
  token: string
  /** The code of a member's room with its group; only members have one. */
  room: string
}

export const topAccount = async (db: Database): Promise<Parent> => {
  const found = await one<Parent>(
    db,
    sql`select id, top_id as "topId", group_id as "groupId", path from accounts where role_id = 1`,
  )
  if (!found) throw new Error('There is no top account.')
  return found
}

type Wanted = {
  role: 2 | 3 | 4
  /** Each of these accounts gets `each` of them. */
  under: Parent[]
  each: number
  /** The username is this and a number of five digits. */
  prefix: string
  /** How far below zero an agent may go, in 1/10000 points, so that agents can give points without a deposit. */
  credit?: bigint
}

/** Makes many accounts at once with wallets, sessions and rooms, like single sign-ups. */
export const makePeople = async (db: Database, { role, under, each, prefix, credit = 0n }: Wanted): Promise<Made[]> => {
  const people = await many<Omit<Made, 'token' | 'room'>>(
    db,
    sql`with places as (
        select p.*, row_number() over (order by p.at, n) - 1 as number
        from unnest(${under.map(({ id }) => id)}::int[], ${under.map(({ topId }) => topId)}::int[],
            ${under.map(({ groupId }) => groupId)}::int[], ${under.map(({ path }) => path)}::text[])
          with ordinality p (parent_id, top_id, group_id, path, at)
          cross join generate_series(1, ${each}::int) n order by number),
      made as (select nextval(pg_get_serial_sequence('accounts', 'id'))::int as id, places.* from places)
      insert into accounts (id, top_id, parent_id, group_id, path, role_id, username, nickname, password_hash, share_code,
        is_funded, created_at, last_seen_at)
      select id, top_id, parent_id, case when ${role} = 2 then id else group_id end, path || id || '/', ${role}::int,
        ${prefix}::text || lpad(number::text, 5, '0'), 'Nickname ' || number, '!', ${prefix}::text || id, ${role} = 2,
        now() - make_interval(mins => 50000 - number::int), now() - make_interval(secs => number::int * 7)
      from made returning id, top_id as "topId", group_id as "groupId", path, username`,
  )
  const ids = people.map(({ id }) => id)
  // Like ledger/engine/wallets.ts: a main wallet for all, a game wallet for members, an escrow for accounts that give.
  await run(
    db,
    sql`insert into wallets (top_id, account_id, kind, floor)
      select a.top_id, a.id, k.kind, case when k.kind = 1 then ${-credit}::bigint else 0 end
      from accounts a cross join unnest(${role === Role.member ? [1, 2] : [1, 3]}::int[]) k (kind) where a.id = any(${ids}::int[])`,
  )
  const tokens = people.map(() => randomBytes(32).toString('base64url'))
  await run(
    db,
    sql`insert into sessions (account_id, token_hash, face, expires_at)
      select *, ${role === Role.member ? 'member' : 'office'}::text, now() + interval '1 day'
      from unnest(${ids}::int[], ${tokens.map((token) => createHash('sha256').update(token).digest())}::bytea[])`,
  )
  const rooms = role === Role.member ? await makeRooms(db, ids) : new Map<number, string>()
  await run(db, sql`analyze accounts, wallets, sessions, rooms`)
  return people.map((person, at) => ({ ...person, token: tokens[at] ?? '', room: rooms.get(person.id) ?? '' }))
}

const makeRooms = async (db: Database, ids: number[]): Promise<Map<number, string>> => {
  const pairs = sql`select group_id, id from accounts where id = any(${ids}::int[])`
  const rooms = await createRooms(db, pairs, ids.length)
  return new Map(rooms.map(({ partnerId, code }) => [partnerId, code]))
}
