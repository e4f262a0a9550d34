import { TransferKind } from '@tallyroom/contract/codes'
import type { LedgerRule } from '@tallyroom/contract/calls/points/report'
import { expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { world } from '../../testing/ledger/world.ts'
import { checkLedger } from './check.ts'
import { asSuperuser } from '../../testing/postgres.ts'

/** Damage that the program cannot do, and the invariant that must find it. */
const breaks: [rule: LedgerRule, statement: string][] = [
  ['sum_zero', 'update wallets set balance = balance + 1 where id = (select max(id) from wallets)'],
  [
    'floor',
    'alter table wallets drop constraint wallets_floor; update wallets set floor = balance + 1 where floor = 0',
  ],
  ['balance', 'update wallets set balance = balance + 1 where id = (select max(id) from wallets)'],
  ['numbered', 'update postings set seq = seq + 1 where seq = (select max(seq) from postings)'],
  ['two_sides', 'update postings set amount = amount + 1 where seq = 1 and amount > 0'],
  ['no_strays', 'delete from transfers where id = (select max(id) from transfers)'],
  ['no_strays', 'update transfers set actor_id = 999999'],
  ['state', 'update transfers set amount = amount + 1 where id = (select min(id) from transfers)'],
  ['state', 'update envelopes set status = 2, settled_at = now() where status = 1'],
  ['state', 'update transfers set target_balance = target_balance + 1 where id = (select min(id) from transfers)'],
  ['state', 'update envelopes set target_balance = null where status = 1'],
  ['escrow', 'update envelopes set status = 1, settled_at = now() where status = 4'],
  [
    'requests',
    "insert into requests select actor_id, gen_random_uuid(), call, body_hash, answer from requests where answer ? 'data'",
  ],
  ['requests', 'update envelopes set settled_by = null where status = 1'],
  ['days', 'update day_totals set total_in = total_in + 1'],
  ['in_out', 'update day_totals set total_out = total_out + 1'],
  ['flow', 'update wallets set flow_due = flow_due + 1 where id = (select max(id) from wallets)'],
  ['flow', 'update transfers set audit_amount = audit_amount + 1 where op = 8'],
  ['bets', 'update transfers set audit_amount = amount + 1 where op = 8'],
  ['bets', 'update transfers set bet_id = null where op = 9'],
  ['bets', "update transfers set bet_id = 'other' where op = 9"],
  ['bets', 'update transfers set amount = amount + 1 where op = 11'],
  ['bets', 'update transfers set bet_id = (select bet_id from transfers where op = 9 limit 1) where op = 11'],
  ['house', 'update transfers set op = 1 where op = 9'],
  ['house', 'update accounts set role_id = 2 where role_id = 0'],
  ['corrections', 'update transfers set amount = amount + 1 where op = 10'],
  ['corrections', 'update transfers set corrects = null where op = 10'],
  [
    'periods',
    `insert into closed_periods (top_id, account_id, start_date, end_date, starts_at, ends_at, closed_by)
      select top_id, id, d, d, d::timestamptz, (d + 1)::timestamptz, id from accounts, unnest(array[date '2026-01-01', date '2026-01-09']) d
      where role_id = 2`,
  ],
  ['marks', 'insert into posting_marks select wallet_id, created_at, seq, 1, 2 from postings where seq = 1'],
  [
    'sums',
    "insert into summed_spans select distinct false, (created_at at time zone 'UTC')::date, 'UTC' from transfers",
  ],
  ['sums', "insert into report_sums values (2, false, '2026-01-01', 1, 0, 1, 1, 5, 0, 0)"],
  ['corrections', 'update transfers set op = 9 where corrects is not null'],
]

const w = await world()

test('[TRF-12] the checker finds each kind of damage to the ledger', async () => {
  const { top, agent, cs, member } = await w.family()
  await run(w.db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  await w.ledger.move(w.order(agent, member.id, 20_000n))
  const offer = () => w.ledger.move(w.order(cs, member.id, 10_000n, w.inRoom()))
  await w.ledger.answer(w.reply(member, (await offer()).transaction_id, true))
  await offer()
  await w.meetTurnover(member)
  const slip = await w.ledger.move(w.order(cs, member.id, 5_000n, { transferKind: TransferKind.gift, ...w.inRoom() }))
  await w.ledger.correct({ ...w.order(top, 0, 0n), transactionId: slip.transaction_id, remark: 'a slip' })
  const bet = { topId: top.id, memberId: member.id, betId: 'voided', amount: 1_000n }
  await w.ledger.bet(bet)
  await w.ledger.voidBet(bet)
  await w.isSound()
  for (const [rule, statement] of breaks) {
    const undone = new Error('undo')
    // In a transaction that is rolled back, without the triggers that would refuse it.
    const damaged = asSuperuser(async (tx) => {
      for (const part of statement.split(';')) await tx.query(part, [])
      const findings = await checkLedger(
        { ...w.db, transact: (work) => work({ ...tx, query: withoutIsolation(tx.query) }) },
        'UTC',
      )
      const found = findings.filter(({ breaches }) => breaches.length).map((finding) => finding.rule)
      expect(found, statement).toContain(rule)
      throw undone
    }, w.config)
    await expect(damaged).rejects.toBe(undone)
  }
  await w.isSound()
})

type Query = typeof w.db.query
/** The checker sets its isolation level, which is impossible in a transaction that has already begun. */
const withoutIsolation =
  (query: Query): Query =>
  async (text, values) =>
    text.startsWith('set transaction') ? [] : query(text, values)
