import { makeClient, signIn } from '../../e2e/support/client.ts'
import { one, run, sql } from '../../server/src/data/sql.ts'
import { type Made, makePeople, type Parent, topAccount } from '../lib/people.ts'
import type { BenchServer } from '../lib/server.ts'
import type { Key, Pair, People } from './operations.ts'

const CREDIT = 10n ** 16n
/** The use of each ten members; the rest must consent. */
const PLAIN = 4
const PLAYING = 3

/**
 * All accounts of the bench: one agent with all its members, another one with every limit set (far above what it moves),
 * and a thousand agents with a few members each.
 */
export const makeEverybody = async ({ db, url, password }: BenchServer) => {
  const top = await topAccount(db)
  const hot = await crowd(db, top, { agents: 1, members: 1000, prefix: 'h' })
  const limited = await crowd(db, top, { agents: 1, members: 1000, prefix: 'l' })
  const most = CREDIT / 10n
  await run(
    db,
    sql`insert into transfer_limits (account_id, top_id, op, per_transfer, per_hour, per_day, per_member)
      select a.id, a.top_id, k.op, ${most}::bigint, ${most}::bigint, ${most}::bigint, ${most}::bigint
      from accounts a, unnest(array[1, 2]::smallint[]) k (op) where a.username like 'la%' and a.role_id = 2`,
  )
  const many = await crowd(db, top, { agents: 1000, members: 10, prefix: 'm' })
  // Members get several wallets, and agents every right over points.
  await run(
    db,
    sql`update accounts set is_multiple_wallet = (role_id = 4)::int, deduct_point_button_visible = (role_id < 4)::int,
      transaction_all = (role_id = 4)::int where role_id > 1`,
  )
  const asked = [...hot.consenting, ...many.consenting].map(({ id }) => id)
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = any(${asked}::int[])`)
  await run(
    db,
    sql`insert into settings (account_id, top_id, cash_requests) values (${top.id}, ${top.id}, 1)
    on conflict (account_id) do update set cash_requests = 1`,
  )
  await run(db, sql`vacuum analyze accounts`)
  const admin = await signIn(url, await nameOf(db, top), password)
  const key: Key = await makeClient(url, admin.token).call('apiKey/add', {
    label: 'bench',
    rights: ['accounts:read', 'bets'],
    current_password: password,
  })
  return { people: { hot, limited, many }, admin: admin.token ?? '', key }
}

const nameOf = async (db: BenchServer['db'], { id }: Parent) =>
  (await one<{ username: string }>(db, sql`select username from accounts where id = ${id}`))?.username ?? ''

type Size = { agents: number; members: number; prefix: string }
const crowd = async (db: BenchServer['db'], top: Parent, { agents: many, members, prefix }: Size): Promise<People> => {
  const agents = await makePeople(db, { role: 2, under: [top], each: many, prefix: `${prefix}a`, credit: CREDIT })
  const services = await makePeople(db, { role: 3, under: agents, each: 1, prefix: `${prefix}s` })
  const made = await makePeople(db, { role: 4, under: agents, each: members, prefix: `${prefix}m` })
  const tokens = (of: Made[]) => new Map(of.map(({ groupId, token }) => [groupId, token]))
  const [agentOf, serviceOf] = [tokens(agents), tokens(services)]
  const pairs = made.map(({ id, groupId, token, room, username }): Pair => {
    const [agent, service] = [agentOf.get(groupId) ?? '', serviceOf.get(groupId) ?? '']
    return { agent, service, id, token, room, username }
  })
  const share = (from: number, to: number) => pairs.filter((_pair, at) => at % 10 >= from && at % 10 < to)
  return { plain: share(0, PLAIN), playing: share(PLAIN, PLAIN + PLAYING), consenting: share(PLAIN + PLAYING, 10) }
}
