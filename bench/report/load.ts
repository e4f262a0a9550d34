import { TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { makePeople, type Parent, topAccount } from '../lib/people.ts'
import {
  officeTakingKinds,
  platformKinds,
  reducingKinds,
  takingKinds,
  unreportedKinds,
} from '../../server/src/domain/kind-sets.ts'
import { type Database, many, run, type Sql, sql, withConnection } from '../../server/src/data/sql.ts'
import { gameAccountFinder } from '../../server/src/ledger/engine/game-account.ts'
import type { Connection } from '../lib/server.ts'

/**
 * Fills the ledger's tables with a year of transfers, by single statements: every member repeats the same twelve
 * transfers, each operator has some of the members, and one member has a twentieth of all. What is moved in a room,
 * customer service moves. Some of the heads are below a region.
 */
const HEADS = 10
const HEADS_OF_REGION = 4
const AGENTS_EACH = 99
const MEMBERS_EACH = 10
/** Unanswered envelopes among this many last transfers are still open. */
const STILL_OPEN = 1000
/** One of this many transfers has an amount and a remark of its own. */
const RARE = { text: '9973', values: [] }
const CREDIT = 10n ** 18n

/** Codes as numbers in the text of a statement. */
const literals = <K extends string>(codes: Record<K, number>) =>
  Object.fromEntries<Sql>(
    Object.entries<number>(codes).map(([name, code]) => [name, { text: String(code), values: [] }]),
  ) as Record<K, Sql>
const kinds = literals(TransferKind)
const states = literals(TransferStatus)

export type Loaded = {
  top: Parent
  region: Parent
  head: Parent
  agent: Parent
  quiet: Parent
  busy: Parent
  member: Parent
}

export const load = async (config: Connection, transfers: number): Promise<Loaded> => {
  const options = '-c session_replication_role=replica -c work_mem=512MB -c maintenance_work_mem=1GB'
  return withConnection({ ...config, max: 1, options }, async (db) => {
    const people = await peopleOf(db)
    const gameAccountId = await gameAccountFinder(db)(people.top.topId)
    await moves(db, transfers, gameAccountId)
    await withoutIndexes(db, () => rows(db))
    await sums(db)
    return people
  })
}

const peopleOf = async (db: Database): Promise<Loaded> => {
  const top = await topAccount(db)
  const agentOf = { role: 2, credit: CREDIT } as const
  const regions = await makePeople(db, { ...agentOf, under: [top], each: 1, prefix: 'region' })
  const heads = [
    ...(await makePeople(db, { ...agentOf, under: regions, each: HEADS_OF_REGION, prefix: 'head' })),
    ...(await makePeople(db, { ...agentOf, under: [top], each: HEADS - HEADS_OF_REGION, prefix: 'other' })),
  ]
  const agents = await makePeople(db, { ...agentOf, under: heads, each: AGENTS_EACH, prefix: 'agent' })
  await makePeople(db, { role: 3, under: agents, each: 1, prefix: 'service' })
  const members = await makePeople(db, { role: 4, under: agents, each: MEMBERS_EACH, prefix: 'member' })
  const [region, head, agent, quiet] = [regions[0], heads[0], agents[5], agents.at(-1)]
  const [busy, member] = [members[0], members[55]]
  if (!region || !head || !agent || !quiet || !busy || !member)
    throw new Error('makePeople made too few accounts: check MEMBERS_EACH and the numbers of heads and agents')
  return { top, region, head, agent, quiet, busy, member }
}

/** Actor, target, kind and time of each transfer. The members of the last operator stopped after a hundredth of the year. */
const moves = async (db: Database, transfers: number, gameAccountId: number) => {
  await run(
    db,
    sql`create unlogged table load_members as select m.id, m.group_id, m.top_id, c.id as service, row_number() over (order by m.id) - 1 as at
      from accounts m join accounts c on c.group_id = m.group_id and c.role_id = 3 where m.role_id = 4`,
  )
  await run(db, sql`create index on load_members (at)`)
  await run(db, sql`analyze load_members`)
  const many = HEADS * AGENTS_EACH * MEMBERS_EACH
  await run(
    db,
    sql`create unlogged table load_moves as
      with numbered as (
          select p.i, m.id as target, m.group_id as agent, m.service, m.top_id, row_number() over (partition by m.id order by p.i) - 1 as j
          from (select i, case when i % 20 = 0 then 0 else i::bigint * 7919 % ${many}::int end as at
              from generate_series(1, ${transfers}::int) i) p
            join load_members m on m.at = case when p.at >= ${many - MEMBERS_EACH}::int and p.i > ${transfers}::int / 100 then 1 else p.at end)
      select n.i::bigint as id, n.target, case when k.op in ${platformKinds} then ${gameAccountId}::int else n.agent end as funder,
        case when k.is_envelope then n.service when k.op in ${platformKinds} then ${gameAccountId}::int else n.agent end as actor,
        n.top_id, n.j,
        k.op, case when n.j % 12 = 0 and n.i % ${RARE} = 0 then 777 else k.amount end * 10000 as amount, k.audit * 10000 as audit, k.is_envelope,
        case when k.state = ${states.rejected} and n.i > ${transfers - STILL_OPEN}::int then ${states.pending} else k.state end as state, k.is_offer,
        now() - interval '365 days' * (1 - n.i / ${transfers}::float8) - interval '1 minute' as created_at
      from numbered n join (values (0, ${kinds.send}, 100, 100, false, false, ${states.success}), (1, ${kinds.bet}, 100, 100, false, false, ${states.success}), (2, ${kinds.win}, 90, 0, false, false, ${states.success}),
          (3, ${kinds.send}, 50, 50, true, true, ${states.success}), (4, ${kinds.bet}, 50, 50, false, false, ${states.success}), (5, ${kinds.win}, 60, 0, false, false, ${states.success}),
          (6, ${kinds.receive}, 40, 0, true, false, ${states.success}), (7, ${kinds.gift}, 5, 5, true, false, ${states.success}), (8, ${kinds.bet}, 5, 5, false, false, ${states.success}),
          (9, ${kinds.send}, 10, 10, true, true, ${states.rejected}), (10, ${kinds.send}, 10, 10, true, true, ${states.expired}), (11, ${kinds.receive}, 20, 0, false, false, ${states.success}))
        k (at, op, amount, audit, is_envelope, is_offer, state) on k.at = n.j % 12`,
  )
  await run(db, sql`analyze load_moves`)
}

/** Inserting millions of rows is many times faster without indexes. Indexes of foreign keys stay. */
const withoutIndexes = async (db: Database, work: () => Promise<void>) => {
  const found = await many<{ drop: string; make: string }>(
    db,
    sql`select case when c.oid is null then format('drop index %s', i.indexrelid::regclass)
          else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as drop,
        case when c.oid is null then pg_get_indexdef(i.indexrelid)
          else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as make
      from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
      where i.indrelid in ('transfers'::regclass, 'postings'::regclass, 'envelopes'::regclass)
        and not exists (select from pg_constraint f where f.conindid = i.indexrelid and f.contype = 'f')`,
  )
  for (const { drop } of found) await db.query(drop, [])
  await work()
  for (const { make } of found) await db.query(make, [])
}

const rows = async (db: Database) => {
  // The funder's main wallet pays; an offer goes through its escrow. A taking is paid by the member.
  await run(
    db,
    sql`insert into postings (wallet_id, seq, top_id, transfer_id, leg, amount, balance_after, created_at)
      select p.wallet, row_number() over w, m.top_id, m.id, p.leg, p.amount, (sum(p.amount) over w)::bigint,
        m.created_at + p.leg * interval '3 seconds'
      from load_moves m join wallets f on f.account_id = m.funder and f.kind = 1
        join wallets t on t.account_id = m.target and t.kind = 1
        left join wallets e on e.account_id = m.funder and e.kind = 3
        cross join lateral (values
          (0, f.id, case when op in ${takingKinds} then amount else -amount end),
          (0, case when is_offer then e.id else t.id end, case when op in ${takingKinds} then -amount else amount end),
          (1, case when is_offer and state <> ${states.pending} then e.id end, -amount),
          (1, case when is_offer and state = ${states.success} then t.id when is_offer and state <> ${states.pending} then f.id end, amount)
        ) p (leg, wallet, amount)
      where p.wallet is not null window w as (partition by p.wallet order by m.id, p.leg) order by m.id, p.leg`,
  )
  // The target's balance after each posting, found by its leg.
  await run(
    db,
    sql`create unlogged table load_balances as select p.transfer_id, p.leg, p.balance_after
      from load_moves m join wallets t on t.account_id = m.target and t.kind = 1
        join postings p on p.transfer_id = m.id and p.wallet_id = t.id`,
  )
  await run(db, sql`analyze load_balances`)
  await run(
    db,
    sql`insert into transfers (id, transaction_id, top_id, op, actor_id, funder_id, target_id, wallet, amount, audit_amount,
        is_envelope, room_id, bet_id, target_balance, remark, created_at)
      select m.id, gen_random_uuid(), m.top_id, op, actor, funder, target, 1, amount, audit, is_envelope, r.id,
        case op when ${kinds.bet} then target || '/' || j when ${kinds.win} then target || '/' || j - 1 end, b.balance_after,
        case when m.id % ${RARE} = 1 then 'Lost the slip' when op = ${kinds.gift} then 'weekly bonus ' || m.id % 1000
          when op = ${kinds.receive} then 'to the bank' else '' end, m.created_at
      from load_moves m left join rooms r on m.is_envelope and r.partner_id = m.target
        left join load_balances b on b.transfer_id = m.id and b.leg = 0 order by m.id`,
  )
  await run(
    db,
    sql`insert into envelopes (transfer_id, top_id, target_id, type, status, expires_at, settled_at, settled_by, target_balance)
      select id, top_id, target, 1, state, created_at + interval '1 day',
        case when state <> ${states.pending} then created_at + interval '3 seconds' end, case when state in (${states.success}, ${states.rejected}) then target end, b.balance_after
      from load_moves left join load_balances b on b.transfer_id = id and b.leg = 1 where is_offer order by id`,
  )
  await run(db, sql`drop table load_balances`)
}

/** The balances of the wallets, and each operator's sums by day. */
const sums = async (db: Database) => {
  await run(
    db,
    sql`update wallets w set balance = p.balance, seq = p.seq
      from (select wallet_id, sum(amount)::bigint as balance, max(seq) as seq from postings group by 1) p where p.wallet_id = w.id`,
  )
  await run(
    db,
    sql`update wallets w set flow_due = d.due
      from (select target, sum(case when op in ${reducingKinds} then -audit else audit end)::bigint as due from load_moves where state = ${states.success} group by 1) d
      where d.target = w.account_id and w.kind = 1`,
  )
  await run(
    db,
    sql`insert into day_totals (account_id, day, top_id, total_in, total_out)
      select funder, ((created_at + case when is_offer then interval '3 seconds' else '0' end) at time zone 'UTC')::date, top_id,
        coalesce(sum(amount) filter (where op not in ${officeTakingKinds}), 0), coalesce(sum(amount) filter (where op in ${officeTakingKinds}), 0)
      from load_moves where state = ${states.success} and op not in ${unreportedKinds} group by 1, 2, 3`,
  )
  await run(db, sql`drop table load_moves, load_members`)
  await run(db, sql`select setval('transfers_id_seq', (select max(id) from transfers))`)
  // Autovacuum would collect these statistics.
  for (const table of ['transfers', 'postings', 'envelopes', 'wallets', 'day_totals', 'accounts', 'rooms'])
    await db.query(`vacuum analyze ${table}`, [])
}
