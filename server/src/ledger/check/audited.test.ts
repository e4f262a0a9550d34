import { Role } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { startTestServer } from '../../testing/app.ts'
import { approve, limit, waitingFor } from '../../testing/approvals.ts'
import { cashFamily } from '../../testing/cash.ts'
import { asSuperuser } from '../../testing/postgres.ts'
import { checkLedger } from './check.ts'

const server = await startTestServer()
const { db } = server.services
const dayOf = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** One of each thing that has no movement of its own; everything happened yesterday, and its books are closed. */
beforeAll(async () => {
  const { top, agent, cs, member, taken, out } = await cashFamily(server)
  const second = await server.person({ role: Role.admin, under: top })
  const sub = await server.person({ role: Role.agent, under: agent, points: '100' })
  await top.call('user/saveAbilities', { id: agent.id, may_approve: 1 })
  await limit(agent, cs, 2, { transfer: '15' })
  await cs.call('cash/pay', { id: await taken(cs), amount: '30', remark: 'paid' })
  await agent.call('approval/refuse', { id: (await waitingFor(agent)).id, reason: 'no' })
  const open = (await cs.call('cash/list', {})).data[0]?.id ?? 0
  await cs.call('cash/pay', { id: open, amount: '30', remark: 'paid' })
  await approve(agent)
  for (const ends of ['refuse', 'pay'] as const) {
    const { id } = await member.call('cash/ask', ends === 'pay' ? { direction: 'in', amount: '10' } : out('10'))
    await cs.call('cash/take', { id })
    if (ends === 'pay') await cs.call('cash/pay', { id, amount: '10' })
    else await cs.call('cash/refuse', { id, reason: 'no' })
  }
  const { transaction_id } = await agent.call('user/transaction', { id: member.id, amount: '5', remark: 'first' })
  for (const remark of ['second', 'third']) await agent.call('transaction/edit', { transaction_id, remark })
  await top.call('change/saveRules', { kinds: ['credit'] })
  await top.call('user/saveAbilities', { id: agent.id, limit_of_credit: '90000' })
  const sensitiveChangeId = (await second.call('change/list', {})).data[0]?.id ?? 0
  await second.call('change/approve', { id: sensitiveChangeId })
  await asSuperuser(async (tx) => {
    await run(tx, sql`update postings set created_at = created_at - interval '1 day'`)
    await run(tx, sql`update transfers set created_at = created_at - interval '1 day'`)
    await run(tx, sql`update envelopes set settled_at = settled_at - interval '1 day'`)
    await run(tx, sql`delete from posting_marks`)
  })
  await agent.call('period/close', { start_date: dayOf(-1), end_date: dayOf(-1) })
  const [settlement] = (await agent.call('settlement/list', {})).data
  expect(settlement?.downline.username).toBe(sub.username)
  await agent.call('settlement/settle', { id: settlement?.id ?? 0, remark: 'cash' })
})

/** The breaches of the two rules, in a transaction that is rolled back, after a change past the triggers. */
const found = async (statement: string): Promise<string[]> => {
  const undone = new Error('undo')
  let what: string[] = []
  await asSuperuser(async (tx) => {
    expect(await tx.query(`${statement} returning 1`, [])).not.toEqual([])
    const query: typeof tx.query = async (text, values) =>
      text.startsWith('set transaction') ? [] : tx.query(text, values)
    const findings = await checkLedger({ ...db, transact: (work) => work({ ...tx, query }) }, 'UTC')
    what = findings.flatMap(({ rule, breaches }) =>
      rule === 'audited' || rule === 'periods' ? breaches.map((breach) => breach.what) : [],
    )
    throw undone
  }).catch((error: unknown) => expect(error).toBe(undone))
  return what
}

const other = '(select id from accounts where role_id = 1 limit 1)'
test('[TRF-12] the check finds no fault in them as they are', async () => {
  const findings = await checkLedger(db, 'UTC')
  for (const rule of ['audited', 'periods'] as const)
    expect(findings.find((finding) => finding.rule === rule)?.breaches).toEqual([])
})

test.each([
  ['a remark edit is changed', "update remark_edits set remark = 'x' where remark = 'third'", /^remark of transaction/],
  [
    'an earlier edit is changed',
    "update remark_edits set remark = 'x' where remark = 'second'",
    /^remark of transaction/,
  ],
  [
    'what stood there before is changed',
    "update remark_edits set old_remark = 'x' where seq = 1",
    /^remark of transaction/,
  ],
  ['the last edit is removed', "delete from remark_edits where remark = 'third'", /^remark of transaction/],
  ['an edit is removed in between', "delete from remark_edits where remark = 'second'", /^remark of transaction/],
  [
    'the editor is another',
    `update remark_edits set actor_id = ${other} where remark = 'third'`,
    /^remark of transaction/,
  ],
  [
    'the remark of a payment is changed',
    "update remark_edits set remark = 'x' where remark = 'paid'",
    /^remark of transaction/,
  ],
  ['the remark of a payment is removed', "delete from remark_edits where remark = 'paid'", /^remark of transaction/],
  [
    'an edit is added',
    "insert into remark_edits select transfer_id, seq + 1, top_id, actor_id, remark, 'x', now() from remark_edits where remark = 'third'",
    /^remark of transaction/,
  ],
  [
    'a balance is removed',
    'delete from closed_balances where account_id = (select max(account_id) from closed_balances)',
    /^balances of account/,
  ],
  [
    'the sums of a balance are changed',
    'update closed_balances set total_in = total_in + 1, total_out = total_out + 1',
    /^account \d+ in period/,
  ],
  ['the last day of a period is changed', 'update closed_periods set end_date = end_date + 1', /^period of account/],
  ['who closed a period is changed', `update closed_periods set closed_by = ${other}`, /^period of account/],
  [
    'a settlement has another amount',
    'update settlements set amount = amount + 1',
    /^settlement of account \d+ in period/,
  ],
  ['a settlement is removed', 'delete from settlements', /^settlement of account \d+ in period/],
  [
    'a settlement is open again',
    "update settlements set state = 'open', settled_at = null, settled_by = null",
    /^settlement of account \d+$/,
  ],
  ['somebody else settled', `update settlements set settled_by = ${other}`, /^settlement of account \d+$/],
  ['a settlement has other words', "update settlements set remark = 'x'", /^settlement of account \d+$/],
  [
    'who approved is another',
    `update approvals set ended_by = ${other} where state = 'approved'`,
    /^approval of transaction/,
  ],
  ['who refused is nobody', "update approvals set ended_by = null where state = 'refused'", /^approval of transaction/],
  [
    'a refused approval becomes an approved one',
    "update approvals set state = 'approved' where state = 'refused'",
    /^approval of transaction/,
  ],
  ['who approved a change is another', 'update sensitive_changes set ended_by = ended_by + 1', /^change of account/],
  [
    'an approved change becomes a withdrawn one',
    "update sensitive_changes set state = 'withdrawn'",
    /^change of account/,
  ],
  [
    'a paid request becomes a refused one',
    "update cash_requests set state = 'refused', transfer_id = null where state = 'paid' and direction = 'in'",
    /^request \d+/,
  ],
  ['who paid is another', `update cash_requests set ended_by = ${other} where state = 'paid'`, /^request \d+/],
  [
    'a refused request becomes a withdrawn one',
    "update cash_requests set state = 'withdrawn' where state = 'refused'",
    /^request \d+/,
  ],
])('[TRF-12] the check names what is no longer as the audit log has it: %s', async (_, statement, expected) => {
  expect(await found(statement)).toContainEqual(expect.stringMatching(expected))
})
