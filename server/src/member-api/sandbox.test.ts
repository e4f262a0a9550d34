import { randomUUID } from 'node:crypto'
import { OK } from '@tallyroom/contract'
import { apiRights } from '@tallyroom/contract/api/rights'
import { Role, TransferStatus } from '@tallyroom/contract/codes'
import { beforeAll, expect, test, vi } from 'vitest'
import { many, one, run, sql } from '../data/sql.ts'
import { readNumbers } from '../doctor/numbers.ts'
import { chainPending, verifyAudit } from '../identity/audit-chain.ts'
import { sendCode } from '../identity/sign-in/sms-codes.ts'
import { networkOf } from '../lib/address.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { tendSandboxes } from '../retention/sandboxes.ts'
import { type Person, startTestServer, type TestServer } from '../testing/app.ts'
import { type Platform, platform } from '../testing/fakes/platform.ts'
import { startPushService } from '../testing/fakes/push-service.ts'
import { outcomeOf } from '../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ AI_ANSWERS: '0' })
})
const db = () => server.services.db
const id = () => ({ request_id: randomUUID() })
const outcome = async (answer: ReturnType<Platform['post']>) => {
  const { reply } = await answer
  return reply.code === OK ? 'ok' : outcomeOf(reply)
}
/** A platform with a sandbox, in which there is a member with the platform's id `ann`. */
const prepared = async () => {
  const family = await server.family()
  const live = await platform(server, family.top)
  const sandbox = await platform(server, family.top, apiRights, { ofSandbox: true })
  const ann = (await sandbox.call('member/add', { third_party_id: 'ann' })) as { id: number; username: string }
  return { ...family, live, sandbox, ann }
}
const topOf = async ({ id: owner }: Person) =>
  (await one<{ id: number }>(
    db(),
    sql`select top_id as id from sandboxes where owner_id = ${owner} and emptied_at is null`,
  ))!.id
const whole = async () => {
  const found = await checkLedger(db(), server.services.settings.timeZone)
  expect(found.filter(({ breaches }) => breaches.length > 0)).toEqual([])
}
const messages = async (of: Platform) =>
  ((await of.call('message/list', { third_party_id: 'ann' })) as { data: { kind: string; by: string; text: string }[] })
    .data
const who = { third_party_id: 'ann' }
const day = (by: number) => new Date(Date.now() + by * 86_400_000).toISOString().slice(0, 10)

test('[API-11] keys of a sandbox and of the platform reach nothing of each other, and both make the same calls', async () => {
  const { top, agent, member, live, sandbox, ann } = await prepared()
  expect(sandbox.id).toMatch(/^tks_[0-9a-f]{24}$/)
  await live.call('member/add', { third_party_id: 'ann', username: `l${randomUUID().slice(0, 8)}` })
  await sandbox.call('points/give', { ...who, amount: '50' })
  const { data } = (await live.call('balance/list', { third_party_ids: ['ann'], usernames: [ann.username] })) as {
    data: { balance: string }[]
  }
  expect(data.map(({ balance }) => balance)).toEqual(['0.0000'])
  for (const [key, username] of [
    [sandbox, member.username],
    [sandbox, agent.username],
    [live, ann.username],
  ] as const)
    for (const [name, body] of [
      ['account/view', {}],
      ['points/give', { ...id(), amount: '1' }],
      ['member/set', { ...id(), set: { status: 0 } }],
      ['message/send', { ...id(), as: 'notice', text: 'a' }],
      ['sign-in/token', { kind: 'landing' }],
      ['bet/report', { bet_id: 'x', amount: '1' }],
    ] as const)
      expect([name, await outcome(key.post(name, { username, ...body }))]).toEqual([name, 'account.not_found'])
  expect(await outcome(sandbox.post('sandbox/act', { ...id(), username: member.username, says: 'a' }))).toBe(
    'account.not_found',
  )
  for (const list of [
    await top.call('user/list', { menu_id: 13 }),
    await top.call('search/accounts', { text: ann.username }),
    await top.call('audit/list', {}),
    await top.call('transaction/list', {
      start_time: `${day(-1)} 00:00:00`,
      end_time: `${day(1)} 00:00:00`,
    }),
  ])
    expect(JSON.stringify(list)).not.toContain(ann.username)
  expect(await outcome(live.post('sandbox/act', { ...id(), ...who, says: 'a' }))).toBe('api.only_in_sandbox')
  expect(await outcome(live.post('sandbox/passTime', { ...id(), hours: 25 }))).toBe('api.only_in_sandbox')
  await run(db(), sql`update accounts set status = 0 where id = ${top.id}`)
  expect(await outcome(sandbox.post('platform/view', {}))).toBe('api.not_signed')
  await run(db(), sql`update accounts set status = 1 where id = ${top.id}`)
  await whole()
})

test('[API-11] a member of the sandbox writes, sends a photo, and accepts and rejects offers, once for each request', async () => {
  const { sandbox } = await prepared()
  const acts = (act: object) => sandbox.call('sandbox/act', { ...who, ...act })
  const says = { ...id(), says: 'Where are my points?' }
  const said = await acts(says)
  expect(await acts(says)).toEqual(said)
  await acts({ photo: true })
  expect((await messages(sandbox)).map(({ kind, by, text }) => [kind, by, text])).toEqual([
    ['text', 'member', 'Where are my points?'],
    ['image', 'member', null],
  ])
  expect(await sandbox.call('room/view', who)).toMatchObject({ unanswered: 2, why: 'queue' })
  await sandbox.call('member/set', { ...who, set: { withdraw_confirm: 1 } })
  const offer = async () =>
    (await sandbox.call('points/offer', { ...who, amount: '5' })) as { transaction_id: string; status: number }
  const [first, second] = [await offer(), await offer()]
  const accepts = { ...id(), accepts: first.transaction_id }
  for (const _ of [1, 2]) expect(await acts(accepts)).toEqual({ message_id: null, status: TransferStatus.success })
  expect(await acts({ rejects: second.transaction_id })).toMatchObject({ status: TransferStatus.rejected })
  expect(await sandbox.call('account/view', who)).toMatchObject({ balance: '5.0000' })
  expect(await sandbox.call('cash/ask', { ...who, direction: 'in', amount: '2' })).toMatchObject({ state: 'asked' })
  for (const [act, refusal] of [
    [{ says: ' ' }, 'message.blank'],
    [{ says: 'a', photo: true }, 'request.invalid'],
    [{}, 'request.invalid'],
    [{ accepts: randomUUID() }, 'envelope.not_found'],
    [{ accepts: first.transaction_id }, 'envelope.already_settled'],
  ] as const)
    expect([act, await outcome(sandbox.post('sandbox/act', { ...id(), ...who, ...act }))]).toEqual([act, refusal])
  await sandbox.call('member/set', { ...who, set: { status: 0 } })
  expect(await outcome(sandbox.post('sandbox/act', { ...id(), ...who, says: 'a' }))).toBe('transfer.frozen')
  await whole()
})

test('[API-11] time passes in the sandbox for what lapses, and nowhere else', async () => {
  const { top, member, live, sandbox } = await prepared()
  await live.call('member/set', { username: member.username, set: { withdraw_confirm: 1 } })
  const ours = (await live.call('points/offer', { username: member.username, amount: '5' })) as {
    transaction_id: string
  }
  await sandbox.call('member/set', { ...who, set: { withdraw_confirm: 1 } })
  const offered = (await sandbox.call('points/offer', { ...who, amount: '5' })) as { transaction_id: string }
  const asked = (await sandbox.call('cash/ask', { ...who, direction: 'in', amount: '2' })) as { id: number }
  const view = () => sandbox.call('points/view', { transaction_id: offered.transaction_id })
  const pass = { ...id(), hours: 1 }
  for (const _ of [1, 2]) expect(await sandbox.call('sandbox/passTime', pass)).toEqual({ moved: 2 })
  expect(await view()).toMatchObject({ status: TransferStatus.pending })
  await sandbox.call('sandbox/passTime', { hours: 200 })
  expect(await view()).toMatchObject({ status: TransferStatus.expired })
  expect(await sandbox.call('cash/view', { id: asked.id })).toMatchObject({ state: 'expired' })
  expect(await outcome(sandbox.post('sandbox/act', { ...id(), ...who, accepts: offered.transaction_id }))).toBe(
    'envelope.expired',
  )
  expect(await live.call('points/view', { transaction_id: ours.transaction_id })).toMatchObject({
    status: TransferStatus.pending,
  })
  // The database lets nobody else do it.
  await expect(run(db(), sql`select pass_time(${top.id}, 25)`)).rejects.toThrow('time passes in a sandbox alone')
  const earlier = sql`update envelopes set expires_at = expires_at - interval '1 hour' where target_id = ${member.id}`
  await expect(run(db(), earlier)).rejects.toThrow()
  await whole()
})

test('[API-11] one button empties the sandbox: keys and endpoints go on, the ledger and the log stay whole', async () => {
  const { top, live, sandbox, ann } = await prepared()
  const second = await server.person({ role: Role.admin, under: top })
  const endpoint = (await sandbox.call('endpoint/add', {
    url: 'https://platform.example/hook',
    kinds: ['member.added'],
  })) as { id: string }
  const bob = { username: `b${randomUUID().slice(0, 8)}`, third_party_id: 'bob' }
  await sandbox.call('member/add', bob)
  await sandbox.call('points/give', { ...who, amount: '50' })
  await sandbox.call('bet/report', { ...who, bet_id: 'one', amount: '20' })
  await sandbox.call('sandbox/act', { ...who, says: 'a secret of ann' })
  // A word that is in the stored answers of every platform.
  await sandbox.call('member/set', { ...who, set: { nickname: 'username' } })
  const kept = { ...id(), username: `k${randomUUID().slice(0, 8)}` }
  const answered = await live.call('member/add', kept)
  const before = await topOf(top)
  await vi.waitFor(async () => expect(await lastSeq(before)).toBe(1n), { timeout: 10_000 })
  for (const person of [second, await server.person({ role: Role.admin, unlimited: true })])
    expect(await person.ask('apiKey/emptySandbox', {})).not.toBeRefusal('server.failed')
  expect(await topOf(top)).toBe(before)
  await top.call('apiKey/emptySandbox', {})
  expect(await topOf(top)).not.toBe(before)
  expect(await sandbox.call('account/list', {})).toMatchObject({ data: [] })
  expect(await sandbox.call('endpoint/list', {})).toMatchObject({ data: [{ id: endpoint.id }] })
  expect(await lastSeq(await topOf(top))).toBe(1n)
  // Names and ids are free again, and nothing that was done before is.
  await sandbox.call('member/add', bob)
  await sandbox.call('member/add', who)
  expect(await messages(sandbox)).toEqual([])
  expect(await sandbox.call('bet/report', { ...(await given(sandbox)), bet_id: 'one', amount: '1' })).toBeTruthy()
  const left = await many<{ row: string }>(
    db(),
    sql`select a::text as row from accounts a where a.top_id = ${before}
      union all select m::text from messages m where m.top_id = ${before} union all select r::text from rooms r where r.top_id = ${before}`,
  )
  for (const word of [ann.username, bob.username, 'a secret of ann']) expect(JSON.stringify(left)).not.toContain(word)
  expect((await top.call('audit/list', { kind: 'sandbox_emptied' })).total).toBe(1)
  expect(await live.call('member/add', kept)).toEqual(answered)
  await whole()
  while ((await chainPending(db())) > 0);
  expect(await verifyAudit(db())).toMatchObject({ breaches: [] })
})
const lastSeq = async (topId: number) =>
  (await one<{ last: bigint }>(db(), sql`select last from event_numbers where top_id = ${topId} and account_id = 0`))
    ?.last
const given = async (of: Platform) => {
  await of.call('points/give', { ...who, amount: '9' })
  return who
}

test('[API-11] a sandbox whose keys rest for thirty days is emptied, one that is used is not', async () => {
  const [resting, used] = [await prepared(), await prepared()]
  const age = (person: Person) =>
    run(db(), sql`update sandboxes set made_at = now() - interval '31 days' where owner_id = ${person.id}`)
  for (const { top } of [resting, used]) await age(top)
  await run(
    db(),
    sql`update api_keys set used_at = now() - interval '31 days', created_at = now() - interval '40 days' where id = ${resting.sandbox.id}`,
  )
  await tendSandboxes(server.services)
  const listed = async (of: Platform) => ((await of.call('account/list', {})) as { data: unknown[] }).data.length
  expect([await listed(resting.sandbox), await listed(used.sandbox)]).toEqual([0, 1])
})

test('[API-11] nothing of a sandbox is pushed, sent by SMS or counted', async () => {
  const pushes = await startPushService(server)
  const numbers = async () => (await readNumbers(server.services)).database
  const before = await numbers()
  const calls = vi.spyOn(server.services.measures, 'call')
  const { top, sandbox, ann } = await prepared()
  await sandbox.call('sandbox/act', { ...who, says: 'a' })
  await sandbox.call('member/set', { ...who, set: { withdraw_confirm: 1 } })
  await sandbox.call('points/offer', { ...who, amount: '5' })
  await sandbox.call('cash/ask', { ...who, direction: 'in', amount: '2' })
  expect(calls.mock.calls.filter(([name]) => name.startsWith('member-api/'))).toEqual([])
  const after = await numbers()
  for (const name of ['waiting_members', 'open_requests', 'open_envelopes', 'ledger_uneven_tops'] as const)
    expect([name, after?.[name]]).toEqual([name, before?.[name]])
  const topId = await topOf(top)
  const bob = await server.person({ role: Role.member, under: { ...top, id: topId } })
  const browser = await pushes.subscribed(bob)
  await sandbox.call('message/send', { username: bob.username, as: 'answer', text: 'Hello' })
  const open = async () => (await many(db(), sql`select 1 from push_subscriptions where account_id = ${bob.id}`)).length
  await vi.waitFor(async () => {
    await run(db(), sql`update pushes set due_at = now() where top_id = ${topId}`)
    await server.services.push.send()
    expect(await open()).toBe(0)
  })
  expect(browser.delivered()).toEqual([])
  const sms = vi.spyOn(server.services.sms, 'send')
  const caller = { network: networkOf('192.0.2.1'), language: 'en' as const }
  const code = sendCode(server.services, { accountId: ann.id, topId, challenge: null }, '+6512345678', caller)
  await expect(code).rejects.toThrow('code.not_sent')
  expect(sms).not.toHaveBeenCalled()
})

test('[API-11] a key of a sandbox makes at most twenty calls in a second', async () => {
  const strict = await startTestServer({ CALL_LIMITS: 'on' })
  const { top } = await strict.family()
  const key = await platform(strict, top, ['settings'], { ofSandbox: true })
  // A second that does not end: a slow machine gives each call its own.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  for (let n = 0; n < 20; n++) expect((await key.post('platform/view', {})).status).toBe(200)
  const { status, reply } = await key.post('platform/view', {})
  vi.restoreAllMocks()
  expect(status).toBe(429)
  expect(reply).toMatchObject({ refusal: 'api.over_rate', data: { per_second: 20 } })
})
