import { Role } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { many, run, sql } from '../../data/sql.ts'
import { limitedFamily, waitingFor } from '../../testing/approvals.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { startPushService } from '../../testing/fakes/push-service.ts'

let server: TestServer
let pushes: Awaited<ReturnType<typeof startPushService>>
beforeAll(async () => {
  server = await startTestServer({ AI_ANSWERS: '0' })
  pushes = await startPushService(server)
  // Only `sent` sends.
  await server.services.push.stop()
})

const calls = { title: 'Approvals', url: '/approvals', tag: 'approvals' }
const ofTransfer = { ...calls, body: 'A transfer waits for your approval' }
const ofSensitiveChange = { ...calls, body: 'A change waits for your approval' }
const give = (cs: Person, member: Person, amount: string) =>
  cs.call('user/transaction', { id: member.id, amount, remark: 'x' })
/** Sends what is queued, as if its time had come. */
const sent = async () => {
  await run(server.services.db, sql`update approval_pushes set due_at = now() - interval '1 second'`)
  return server.services.push.send()
}
const queued = () => many(server.services.db, sql`select item_id from approval_pushes`)

test('[CAPS-02] approvers are called once, with words that name nobody; makers and all others are not', async () => {
  const { top, agent, cs, member } = await limitedFamily(server)
  const other = await server.person({ role: Role.agent, under: top })
  await top.call('user/saveAbilities', { id: other.id, may_approve: 1 })
  const browsers = await Promise.all([agent, top, cs, member, other].map((one) => pushes.subscribed(one)))
  const heard: [name: string, event: object][] = []
  for (const [name, who] of Object.entries({ agent, cs, other }))
    (await who.socket()).on('approval', (event) => heard.push([name, event]))
  await give(cs, member, '150')
  // Pages of those who may decide make a sound; the others load again.
  await expect
    .poll(() => heard.toSorted(([a], [b]) => a.localeCompare(b)))
    .toEqual([
      ['agent', { calls: 1 }],
      ['cs', {}],
      ['other', {}],
    ])
  expect(await sent()).toBe(2)
  expect(await sent()).toBe(0)
  expect(await queued()).toEqual([])
  expect(browsers.map((browser) => browser.read())).toEqual([[ofTransfer], [ofTransfer], [], [], []])
  // Below the limit nobody is called.
  await give(cs, member, '1')
  expect(await sent()).toBe(0)
})

test('[CAPS-02] nothing is sent of what was decided, nor to one who has lost the right or signed out', async () => {
  const { top, agent, cs, member } = await limitedFamily(server)
  const [ofAgent, ofTop] = [await pushes.subscribed(agent), await pushes.subscribed(top)]
  await give(cs, member, '150')
  const { id } = await waitingFor(agent)
  await agent.call('approval/refuse', { id, reason: 'no' })
  expect(await sent()).toBe(2)
  expect([ofAgent.read(), ofTop.read(), await queued()]).toEqual([[], [], []])
  await give(cs, member, '160')
  await top.call('user/saveAbilities', { id: agent.id, may_approve: 0 })
  await sent()
  expect([ofAgent.read(), ofTop.read()]).toEqual([[], [ofTransfer]])
  await give(cs, member, '170')
  await top.call('logout', {})
  expect(await queued()).toEqual([])
})

test('[CAPS-02] a push that the service does not take is tried again, at most five times', async () => {
  const { agent, cs, member } = await limitedFamily(server)
  const browser = await pushes.subscribed(agent)
  await give(cs, member, '150')
  pushes.state.status = 503
  for (let n = 0; n < 2; n++) expect(await sent()).toBe(1)
  pushes.state.status = 201
  expect(await sent()).toBe(1)
  expect([browser.read().at(-1), await queued()]).toEqual([ofTransfer, []])
  await give(cs, member, '160')
  pushes.state.status = 503
  for (let n = 0; n < 5; n++) expect(await sent()).toBe(1)
  pushes.state.status = 201
  expect(await queued()).toEqual([])
})

test('[CAPS-04] a sensitive change calls the other admin, not its maker', async () => {
  const { top, agent } = await server.family()
  const second = await server.person({ role: Role.admin, under: top })
  await top.call('change/saveRules', { kinds: ['credit'] })
  const browsers = [await pushes.subscribed(top), await pushes.subscribed(second)]
  await top.call('user/saveAbilities', { id: agent.id, limit_of_credit: '90000' })
  await sent()
  expect(browsers.map((browser) => browser.read())).toEqual([[], [ofSensitiveChange]])
})
