import { expect, test } from 'vitest'
import { one, run, sql } from '../db.ts'
import { world } from '../testing/ledger-world.ts'
import { checkLedger } from './check.ts'
import { op } from './rules.ts'

/** What nobody could do through the program, and the invariant that must notice it, whatever else does. */
const breaks: [name: string, statement: string][] = [
  [
    'all wallets together hold nothing',
    'update wallets set balance = balance + 1 where id = (select max(id) from wallets)',
  ],
  [
    'no wallet stands below its floor',
    'alter table wallets drop constraint wallets_floor; update wallets set floor = balance + 1 where floor = 0',
  ],
  ['each balance is', 'update wallets set balance = balance + 1 where id = (select max(id) from wallets)'],
  ['postings are numbered', 'update postings set seq = seq + 1 where seq = (select max(seq) from postings)'],
  ['the postings of each transfer', 'update postings set amount = amount + 1 where seq = 1 and amount > 0'],
  ['no posting without', 'delete from transfers where id = (select max(id) from transfers)'],
  ['no posting without', 'update transfers set actor_id = 999999'],
  ['each transfer has moved', 'update transfers set amount = amount + 1 where id = (select min(id) from transfers)'],
  ['each transfer has moved', 'update envelopes set status = 2, settled_at = now() where status = 1'],
  ['escrow holds', 'update envelopes set status = 1, settled_at = now() where status = 4'],
  [
    'an answered request',
    "insert into requests select actor_id, gen_random_uuid(), call, body_hash, answer from requests where answer ? 'data'",
  ],
  ['an answered request', 'update envelopes set settled_by = null where status = 1'],
  ['day totals', 'update day_totals set total_in = total_in + 1'],
  ['in minus out', 'update day_totals set total_out = total_out + 1'],
  ['what is still to be bet', 'update wallets set flow_due = flow_due + 1 where id = (select max(id) from wallets)'],
  ['what is still to be bet', 'update transfers set audit_amount = audit_amount + 1 where op = 8'],
  ['no bet fills more', 'update transfers set audit_amount = amount + 1 where op = 8'],
  ['no bet fills more', 'update transfers set bet_id = null where op = 9'],
  ['no bet fills more', "update transfers set bet_id = 'other' where op = 9"],
  ['a house stands', 'update transfers set op = 1 where op = 9'],
  ['a house stands', 'update accounts set role_id = 2 where role_id = 0'],
  ['a correction takes back', 'update transfers set amount = amount + 1 where op = 10'],
  ['a correction takes back', 'update transfers set corrects = null where op = 10'],
  ['a correction takes back', 'update transfers set op = 9 where corrects is not null'],
]

const w = await world()

test('[TRF-12] the checker finds each kind of damage to the ledger', async () => {
  const { top, agent, cs, member } = await w.family()
  await run(w.db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  await w.ledger.move(w.order(agent, member.id, 20_000n))
  const offer = () => w.ledger.move(w.order(cs, member.id, 10_000n, w.inRoom()))
  await w.ledger.answer(w.reply(member, (await offer()).transaction_id, true))
  await offer()
  await w.turnOver(member)
  const slip = await w.ledger.move(w.order(cs, member.id, 5_000n, { op: op.gift, ...w.inRoom() }))
  await w.ledger.correct({ ...w.order(top, 0, 0n), transactionId: slip.transaction_id, remark: 'a slip' })
  await w.isSound()
  for (const [name, statement] of breaks) {
    const undone = new Error('undo')
    // In a transaction that is undone afterwards, and without the triggers that would refuse it.
    const damaged = w.db.transact(async (tx) => {
      await one(tx, sql`select set_config('session_replication_role', 'replica', true)`)
      for (const part of statement.split(';')) await tx.query(part, [])
      const findings = await checkLedger(
        { ...w.db, transact: (work) => work({ ...tx, query: withoutIsolation(tx.query) }) },
        'UTC',
      )
      const found = findings.filter(({ breaches }) => breaches.length).map((finding) => finding.name)
      expect(
        found.some((one) => one.startsWith(name)),
        `${statement}: ${found.join(', ')}`,
      ).toBe(true)
      throw undone
    })
    await expect(damaged).rejects.toBe(undone)
  }
  await w.isSound()
})

type Query = typeof w.db.query
/** The checker asks for its own isolation, which a transaction that has begun cannot have any more. */
const withoutIsolation =
  (query: Query): Query =>
  async (text, values) =>
    text.startsWith('set transaction') ? [] : query(text, values)
