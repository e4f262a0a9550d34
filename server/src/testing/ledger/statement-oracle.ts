import { randomUUID } from 'node:crypto'
import type { StatementScope } from '@tallyroom/contract/statement'
import { TransferKind, TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import { many, run, sql } from '../../data/sql.ts'
import { type Actor, actorOfAccount } from '../../identity/actor.ts'
import { ensure } from '../../lib/refusal.ts'
import { markPostings } from '../../ledger/read/posting-marks.ts'
import { heldAtEnd } from '../../ledger/read/statement-held.ts'
import { statementLines } from '../../ledger/read/statement-lines.ts'
import { type StatementInput, statementOf, statementSums } from '../../ledger/read/statement.ts'
import { dice } from './dice.ts'
import { type Someone, world } from './world.ts'
import { asSuperuser } from '../postgres.ts'

/** Ahead of UTC by 13:45 or 12:45: days counted in UTC would be wrong for more than half of them. */
const TIME_ZONE = 'Pacific/Chatham'
const DAYS = 400

type World = Awaited<ReturnType<typeof world>>
type Posting = {
  account: number
  kind: 1 | 2 | 3
  day: string
  amount: bigint
  actor: number
  transfer: bigint
}
type Account = { id: number; parent: number | null; username: string }

/** A tree whose transfers of all kinds are spread over 400 days that end yesterday, with a ledger that is sound. */
export const ledgerOfAYear = async (orders: number, seed = 17) => {
  const w = await world({ timeZone: TIME_ZONE })
  const random = dice(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const top = await w.someone(1, { unlimited: true })
  const agents: Someone[] = []
  for (let i = 0; i < 6; i++)
    agents.push(await w.someone(2, { under: i < 3 ? top : pick(agents), credit: 90_000_000n }))
  const members: Someone[] = []
  const staff: Someone[] = []
  for (const agent of agents) {
    staff.push(await w.someone(3, { under: agent }))
    for (let i = 0; i < 3; i++) members.push(await w.someone(4, { under: agent }))
  }
  await run(w.db, sql`update accounts set withdraw_confirm = (id % 2)::smallint where role_id = 4`)
  await anyOrders(w, orders, { random, pick, top, agents, staff, members })
  await overAYear(w)
  return w
}

type Cast = {
  random: () => number
  pick: <T>(items: readonly T[]) => T
  top: Someone
  agents: Someone[]
  staff: Someone[]
  members: Someone[]
}

/** Refused ones are part of it. Some of the envelopes stay open. */
const anyOrders = async (w: World, orders: number, { random, pick, top, agents, staff, members }: Cast) => {
  const ignore = () => undefined
  for (let i = 0; i < orders; i++) {
    const member = pick(members)
    const ours = [...agents, ...staff].filter(({ groupPath }) => member.path.startsWith(groupPath))
    const actor = random() < 0.1 ? top : pick(ours)
    const amount = BigInt(Math.floor(random() * 90_000) + 1)
    const dice = random()
    if (dice < 0.1) {
      await w.ledger.move(w.order(top, pick(agents).id, amount * 10n)).catch(ignore)
    } else if (dice < 0.5) {
      const transferKind = pick([TransferKind.send, TransferKind.send, TransferKind.gift, TransferKind.receive])
      const made = await w.ledger.move(w.order(actor, member.id, amount, w.inRoom({ transferKind }))).catch(ignore)
      if (made?.status === TransferStatus.pending && random() < 0.8)
        await w.ledger.answer(w.reply(member, made.transaction_id, random() < 0.7)).catch(ignore)
    } else if (dice < 0.8) {
      await w.ledger.move(w.order(actor, member.id, amount)).catch(ignore)
    } else {
      const bet = { topId: member.topId, memberId: member.id, betId: randomUUID(), amount }
      await w.ledger.bet(bet).catch(ignore)
      if (random() < 0.5) await w.ledger.win({ ...bet, amount: amount * 2n }).catch(ignore)
    }
  }
}

/** Gives the postings new dates, in their order. Bursts: many fall into the same second. */
const overAYear = (w: World) =>
  asSuperuser(async (tx) => {
    await run(
      tx,
      sql`with placed as (select wallet_id, seq, dense_rank() over (order by created_at, transfer_id, leg) as place
          from postings), all_of as (select max(place) as n from placed)
        update postings p set created_at = date_trunc('hour', now() - interval '1 day' * ${DAYS}::int
            + interval '1 day' * (${DAYS}::int - 1) * (x.place::float8 / n)) + interval '1 second' * (x.place % 3)
        from placed x, all_of where x.wallet_id = p.wallet_id and x.seq = p.seq`,
    )
    // In each wallet time goes forward, and all postings of a leg have the same time, as the ledger writes them.
    for (let later: unknown[] | undefined; later?.length !== 0; )
      later = await many(
        tx,
        sql`with forward as (select wallet_id, seq, transfer_id, leg, max(created_at) over (partition by wallet_id order by seq) as at
            from postings),
          together as (select wallet_id, seq, max(at) over (partition by transfer_id, leg) as at from forward)
          update postings p set created_at = t.at from together t
          where t.wallet_id = p.wallet_id and t.seq = p.seq and p.created_at < t.at returning 1 as one`,
      )
    await run(
      tx,
      sql`update transfers t set created_at = p.at from (select transfer_id, min(created_at) as at from postings group by 1) p
        where p.transfer_id = t.id`,
    )
  }, w.config)

/** The sums of a statement, added up from the postings one by one. */
const addedUp = (postings: Posting[], accounts: Account[], { id, scope, wallet, start_date, end_date, by }: Cut) => {
  const parentOf = new Map(accounts.map((account) => [account.id, account.parent]))
  const isBelow = (account: number | null | undefined): boolean =>
    account === id || (account !== null && account !== undefined && isBelow(parentOf.get(account)))
  const isIn = (account: number) =>
    scope === 'own' ? account === id : scope === 'direct' ? parentOf.get(account) === id : isBelow(account)
  const byId = accounts.find(({ username }) => username === by)?.id
  const sums = { opening: 0n, in: 0n, out: 0n, others: 0n, closing: 0n, held: 0n, lines: 0 }
  for (const posting of postings) {
    if (!isIn(posting.account) || posting.day > end_date) continue
    const isListed = wallet === 0 ? posting.kind < WalletKind.escrow : posting.kind === wallet
    if (posting.kind === WalletKind.escrow && wallet < WalletKind.game) sums.held += posting.amount
    if (!isListed) continue
    sums.closing += posting.amount
    if (posting.day < start_date) sums.opening += posting.amount
    else if (byId !== undefined && posting.actor !== byId) sums.others += posting.amount
    else {
      sums.lines++
      if (posting.amount > 0n) sums.in += posting.amount
      else sums.out -= posting.amount
    }
  }
  return sums
}
type Cut = Required<Pick<StatementInput, 'scope' | 'wallet' | 'start_date' | 'end_date' | 'by'>> & { id: number }

/**
 * Draws up statements of random accounts, scopes, wallets, periods and people, and compares each with the postings added
 * up by hand: its sums, its lines (read in pages of random length) and what is held. Returns the differences.
 */
export const compareCuts = async (w: World, cuts: number, seed = 42) => {
  const random = dice(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const postings = await many<Posting>(
    w.db,
    sql`select w.account_id as account, w.kind, (p.created_at at time zone ${TIME_ZONE}::text)::date::text as day, p.amount,
        t.actor_id as actor, p.transfer_id as transfer
      from postings p join wallets w on w.id = p.wallet_id join transfers t on t.id = p.transfer_id`,
  )
  const accounts = await many<Account>(
    w.db,
    sql`select id, parent_id as parent, username from accounts where role_id between 1 and 4 order by id`,
  )
  const top = ensure(accounts[0], 'account.not_found')
  const actor: Actor = ensure(await actorOfAccount(w.db, top.id, TIME_ZONE), 'account.not_found')
  const days = [...new Set(postings.map(({ day }) => day))].toSorted()
  const different: string[] = []
  for (let i = 0; i < cuts; i++) {
    // Half of the marks are there for half of the time.
    if (i === Math.floor(cuts / 4)) await markPostings(w.db)
    if (i === Math.floor(cuts / 2)) while (await markPostings(w.db));
    const [from, length] = [Math.floor(random() * days.length), Math.floor(random() ** 2 * 365)]
    const start_date = pick(days.slice(from, from + 1))
    const end_date = days[Math.min(days.length - 1, from + length)] ?? start_date
    const cut: Cut = {
      id: pick(accounts).id,
      scope: pick<StatementScope>(['own', 'direct', 'branch', 'branch']),
      wallet: pick([0, 0, 1, 2, 3] as const),
      start_date,
      end_date: Date.parse(end_date) - Date.parse(start_date) > 365 * 86_400_000 ? start_date : end_date,
      by: random() < 0.2 ? pick(accounts).username : '',
    }
    const expected = addedUp(postings, accounts, cut)
    const statement = await statementOf(w.db, { actor, timeZone: TIME_ZONE }, { ...cut, username: '' })
    const sums = await statementSums(w.db, statement)
    const limit = Math.floor(random() * 60) + 1
    let [moved, count, balance] = [0n, 0, sums.opening]
    for (let after: string | null | undefined; after !== null; ) {
      const page = await statementLines(w.db, statement, { limit, after })
      after = page.next
      for (const line of page.lines) {
        moved += line.amount
        count++
        balance = line.balance ?? 0n
      }
    }
    const { held } = await heldAtEnd(w.db, statement, 1000)
    const found = {
      opening: sums.opening,
      in: sums.in,
      out: sums.out,
      others: sums.others,
      closing: sums.closing,
      held: sums.held,
      lines: sums.lines,
    }
    const text = (value: object) =>
      JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one))
    const isSame =
      Object.entries(expected).every(([key, value]) => found[key as keyof typeof found] === value) &&
      moved === expected.in - expected.out &&
      count === expected.lines &&
      (cut.by !== '' || balance === expected.closing) &&
      held.reduce((sum, { amount }) => sum + amount, 0n) === expected.held
    if (!isSame)
      different.push(
        `${JSON.stringify(cut)}: ${text(found)}, lines ${count} ${moved} ${balance}, not ${text(expected)}`,
      )
  }
  return { different, postings: postings.length }
}
