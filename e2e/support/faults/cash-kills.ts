import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type CallName, type Input, OK } from '@tallyroom/contract'
import { parsePoints } from '@tallyroom/contract/points'
import { type Client, makeClient, type Reply, signIn, signUp } from '../client.ts'
import { databaseOf, type Kill, ledgerCheck } from './kills.ts'
import type { Server } from '../server.ts'

// Members ask for points while colleagues take, pay and refuse, a kill during it, and the checks afterwards (CASH-05).

const MAX_WAIT = 60_000
/** Each member begins with this many points that it may ask out. */
const START = '1000'

type Member = Client & { id: number }
export type CashDesk = { admin: Client; members: Member[] }

/** Members with points and met turnover, below an admin whose group takes requests. */
export const openCashDesk = async (server: Server, count: number): Promise<CashDesk> => {
  const admin = await signIn(server.url, 'admin', server.password)
  await admin.call('setting/save', { name: 'Kills', cash_requests: 1, request_id: randomUUID() })
  const { share_code } = await admin.call('user/view', {})
  const members: Member[] = []
  for (let at = 0; at < count; at++) {
    const member = await signUp(server.url, share_code, `kill${at}`)
    await admin.call('user/transaction', { id: member.id, amount: START, remark: 'x', request_id: randomUUID() })
    members.push(member)
  }
  const database = await databaseOf(server)
  // Without turnover, as after bets of the platform. The points came from lists, so each opened its amount.
  await database.query('set session_replication_role = replica')
  await database.query(`update transfers set audit_amount = 0`)
  await database.query(`update wallets set flow_due = 0`)
  await database.end()
  return { admin, members }
}

/** The same people after the server has started again at another address or the same. */
export const reopen = ({ admin, members }: CashDesk, server: Server): CashDesk => ({
  admin: makeClient(server.url, admin.token),
  members: members.map((member) => Object.assign(makeClient(server.url, member.token), { id: member.id })),
})

type Ask = <N extends CallName>(client: Client, name: N, input: Input<N>) => Promise<Reply | undefined>

/** Every member asks, in and out in turns; the desk takes each and pays, refuses, or leaves it. Until the kill. */
export const workUntil = async (
  { admin, members }: CashDesk,
  { answeredBefore, kill }: { answeredBefore: number; kill: Kill },
): Promise<number> => {
  let answered = 0
  let isKilled = false
  let killing: Promise<unknown> | undefined
  const ask: Ask = async (client, name, input) => {
    const answer = await client.ask(name, { request_id: randomUUID(), ...input }).catch(() => undefined)
    if (answer && ++answered >= answeredBefore) killing ??= kill().finally(() => (isKilled = true))
    return answer
  }
  const work = async (member: Member, at: number) => {
    for (let round = at; !isKilled; round++) {
      const direction = round % 2 ? 'in' : 'out'
      const amount = `${1 + (round % 7)}.5`
      const asked = await ask(member, 'cash/ask', { direction, amount })
      // An earlier one may still be open: then that one is taken.
      const id =
        (asked?.data as { id?: number } | undefined)?.id ??
        (await member.call('cash/view', {}).catch(() => undefined))?.open?.id
      if (id === undefined) continue
      const found = (await admin.call('cash/list', { id }).catch(() => undefined))?.data[0]
      await ask(admin, 'cash/take', { id })
      if (round % 5 === 0) continue
      if (round % 5 === 1) await ask(admin, 'cash/refuse', { id, reason: 'x' })
      // Twice at once, as two tabs would.
      else await Promise.all([1, 2].map(() => ask(admin, 'cash/pay', { id, amount: found?.amount ?? amount })))
    }
  }
  await Promise.all(members.map(work))
  if (!killing) throw new Error(`only ${answered} calls were answered before there was any kill`)
  await killing
  return answered
}

const untilReady = async (client: Client) => {
  for (const end = performance.now() + MAX_WAIT; performance.now() < end; await pause(20))
    if ((await client.ask('cash/open', {}).catch(() => undefined))?.code === OK) return
  throw new Error('the server did not answer again')
}

/** Ends every request that is still open, as the deadline would, and returns what is wrong afterwards. */
export const settleAndCheck = async ({ admin, members }: CashDesk, server: Server): Promise<string[]> => {
  await untilReady(admin)
  const database = await databaseOf(server)
  try {
    await database.query('set session_replication_role = replica')
    await database.query(
      `update cash_requests set expires_at = now() - interval '1 second',
        lease_until = case when taken_by is not null then now() - interval '1 second' end where state in ('asked', 'taken')`,
    )
    // The job that ends requests runs every three seconds.
    for (const end = performance.now() + MAX_WAIT; performance.now() < end; await pause(100))
      if ((await admin.call('cash/open', {})).open === 0) break
    const { rows } = await database.query<{ what: string }>(
      `select 'request ' || id || ' is still ' || state as what from cash_requests where state in ('asked', 'taken')
      union all select 'account ' || account_id || ' still holds ' || balance from wallets where kind = 3 and balance <> 0
      union all select 'request ' || c.id || ' is paid without its transfer' from cash_requests c
        left join transfers t on t.id = c.transfer_id left join envelopes e on e.transfer_id = t.id
        where c.state = 'paid' and coalesce(e.status, 1) is distinct from 1 or c.state = 'paid' and t.id is null
      union all select 'request ' || min(c.id) || ' shares its transfer' from cash_requests c
        where c.transfer_id is not null group by c.transfer_id having count(*) > 1`,
    )
    const balances = await database.query<{ id: number; wrong: string }>(
      `select w.account_id as id, w.balance || ' instead of ' || ($1::bigint + coalesce(p.moved, 0)) as wrong from wallets w
        left join (select member_id, sum(case direction when 'in' then amount else -amount end) as moved from cash_requests
          where state = 'paid' group by member_id) p on p.member_id = w.account_id
        where w.kind = 1 and w.account_id = any($2::int[]) and w.balance <> $1::bigint + coalesce(p.moved, 0)`,
      [String(parsePoints(START)), members.map(({ id }) => id)],
    )
    return [...rows.map(({ what }) => what), ...balances.rows.map(({ id, wrong }) => `member ${id} has ${wrong}`)]
  } finally {
    await database.end()
  }
}

export const checkedLedger = async (server: Server): Promise<string[]> =>
  (await ledgerCheck(server)).split('\n').filter((line) => line.includes('✗'))
