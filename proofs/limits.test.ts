import { randomUUID } from 'node:crypto'
import { Role, TransferKind } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { expect, test } from 'vitest'
import { run, sql } from '../server/src/data/sql.ts'
import { checkLedger } from '../server/src/ledger/check/check.ts'
import { type Person, startTestServer } from '../server/src/testing/app.ts'
import { approvalRow, approve, balanceOf, limit, limitedFamily, waitingFor } from '../server/src/testing/approvals.ts'

const server = await startTestServer()
/** A second process on the same database. */
const other = await startTestServer()
const { db } = server.services
const isSound = async () => expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
const TRIES = 200

test('[CAPS-05] one person alone moves more than its limit in 0 of 200 tries', { timeout: 600_000 }, async () => {
  const { top, agent, cs, member } = await limitedFamily(server)
  await top.call('user/transaction', { id: agent.id, amount: '100000', remark: 'x' })
  await limit(top, agent, 1, { hour: '500', day: '500' })
  await limit(top, agent, 3, { hour: '500', day: '500' })
  await run(db, sql`update accounts set may_approve = 1 where id = ${cs.id}`)
  // The agent has all passwords below it, so it acts as everyone there, and adds more.
  const staff = [
    cs,
    ...(await Promise.all([1, 2, 3].map(() => server.person({ role: Role.customerService, under: agent })))),
  ]
  const below = await server.person({ role: Role.agent, under: agent, points: '100' })
  for (const { id } of [...staff, below]) await run(db, sql`update accounts set may_approve = 1 where id = ${id}`)
  const one = [agent, ...staff]
  const head = `Nick ${agent.username}`
  let moved = 0
  for (let n = 0; n < TRIES; n++) {
    const who = one[n % one.length] as Person
    const via = n % 2 === 0 ? server : other
    const me = via.here(who)
    const amount = String(101 + (n % 7) * 50)
    const reply =
      n % 3 === 0
        ? await me.ask('transaction/add', {
            member_id: member.id,
            type: TransferKind.gift,
            amount,
            request_id: randomUUID(),
          })
        : await me.ask('user/transaction', { id: member.id, amount, remark: 'x', request_id: randomUUID() })
    if ((reply.data as { approval?: 1 } | undefined)?.approval !== 1) moved += Number(amount)
    // What is above the agent's own limit, none of these accounts may decide, even if they know its number.
    const theirs = (await top.call('approval/list', {})).data.filter(({ holder_name }) => holder_name === head)
    for (const { id, seen } of n % 20 === 0 ? theirs.slice(-2) : []) {
      for (const approver of [...one, below])
        if ((await approver.ask('approval/approve', { id, seen })).code === OK) moved += 1_000_000
    }
    for (const approver of [...one, below]) {
      const { data } = await approver.call('approval/list', {})
      for (const { id, may_decide, over, holder_name } of data)
        if (may_decide === 1 && holder_name === head)
          throw new Error(`try ${n}: ${approver.username} may decide ${id}, above the agent's limit ${over}`)
    }
  }
  // Two kinds, each at most 500 an hour; customer service in one transfer at most 100 of kind 1.
  expect(moved).toBeLessThanOrEqual(1000)
  await isSound()
})

test('[CAPS-05] nobody approves its own, by any road: 0 of 200', { timeout: 600_000 }, async () => {
  const { agent, cs, member } = await limitedFamily(server)
  await run(db, sql`update accounts set may_approve = 1 where id = ${cs.id}`)
  const roads: ((id: number, seen: string) => Promise<{ code: number }>)[] = [
    (id, seen) => cs.ask('approval/approve', { id, seen }),
    (id, seen) => other.here(cs).ask('approval/approve', { id, seen }),
    (id, seen) => cs.ask('approval/approve', { id, seen, request_id: randomUUID() }),
    (id) => cs.ask('approval/approve', { id, seen: 'x' }),
    (id, seen) => cs.ask('approval/approve', { id: String(id) as never, seen }),
    (id, seen) => member.ask('approval/approve', { id, seen }),
  ]
  let approved = 0
  for (let n = 0; n < TRIES; n++) {
    await cs.call('user/transaction', { id: member.id, amount: '101', remark: 'x' })
    const mine = await waitingFor(cs)
    const { seen } = await approvalRow(agent, mine.id)
    const reply = await (roads[n % roads.length] as (typeof roads)[number])(mine.id, seen)
    if (reply.code === OK) approved++
    await cs.call('approval/withdraw', { id: mine.id })
  }
  expect(approved).toBe(0)
  expect(await balanceOf(server, member)).toBe(0)
  await cs.call('user/transaction', { id: member.id, amount: '101', remark: 'x' })
  await approve(agent)
  await isSound()
})

test('[CAPS-05] 50 threads in two processes against one hourly limit: overshoot 0', { timeout: 600_000 }, async () => {
  for (let round = 0; round < 10; round++) {
    const { top, agent } = await limitedFamily(server)
    await top.call('user/transaction', { id: agent.id, amount: '5000', remark: 'x' })
    // Each spends a wallet of its own, so that only the limit's row makes them wait for each other.
    const heads = await Promise.all(
      [1, 2, 3, 4].map(() => server.person({ role: Role.agent, under: agent, points: '500' })),
    )
    const members = await Promise.all(heads.map((under) => server.person({ role: Role.member, under })))
    await limit(top, agent, 1, { hour: '2100' })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        (n % 2 ? server : other)
          .here(heads[n % 4] as Person)
          .call('user/transaction', { id: (members[n % 4] as Person).id, amount: '7', remark: 'x' }),
      ),
    )
    // What was given to the heads before does not count: the limit is newer.
    expect(answers.filter(({ approval }) => approval !== 1)).toHaveLength(50)
    await limit(top, agent, 1, { hour: '450' })
    const more = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        (n % 2 ? server : other)
          .here(heads[n % 4] as Person)
          .call('user/transaction', { id: (members[n % 4] as Person).id, amount: '7', remark: 'x' }),
      ),
    )
    // 350 of 450 are used: 14 more.
    expect(more.filter(({ approval }) => approval !== 1)).toHaveLength(14)
  }
  await isSound()
})
