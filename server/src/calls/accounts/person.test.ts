import { crc32 } from 'node:zlib'
import { MessageType, Role, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { makeExportLink } from '../../retention/export-link.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/app.ts'
import { asSuperuser } from '../../testing/postgres.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
const db = () => server.services.db
const refusal = async (answer: Promise<{ refusal?: string | undefined }>) => (await answer).refusal
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The family has a second admin, who can approve. */
const platform = async () => {
  const family = await server.family()
  return { ...family, second: await server.person({ role: Role.admin, under: family.top }) }
}
const load = (who: Person, file: string) =>
  fetch(server.address + file, { headers: { authorization: `Bearer ${who.token}` } })

/** The files of an archive, by the list at its end. @throws when one is not as the list says */
const unzip = (archive: Buffer): Map<string, Buffer> => {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  let at = archive.readUInt32LE(end + 16)
  const files = new Map<string, Buffer>()
  for (let n = archive.readUInt16LE(end + 10); n > 0; n--) {
    const [hash, size, path, start] = [16, 20, 28, 42].map((offset) =>
      offset === 28 ? archive.readUInt16LE(at + offset) : archive.readUInt32LE(at + offset),
    ) as [number, number, number, number]
    const name = archive.subarray(at + 46, at + 46 + path).toString()
    const content = archive.subarray(start + 30 + path, start + 30 + path + size)
    if (crc32(content) !== hash) throw new Error(`${name} is damaged`)
    files.set(name, content)
    at += 46 + path
  }
  return files
}

test('[RUN-06] an admin sees what is kept of a member and loads it as one file, which is in the audit log', async () => {
  const { top, cs, agent, member, room } = await platform()
  await cs.call('sendMessage', { code: room, type: MessageType.text, content: 'said to you' })
  await member.call('sendMessage', { code: room, type: MessageType.image, content: PNG })
  await cs.call('desk/whisper', { code: room, content: 'said inside' })
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '5', remark: 'a gift' })
  const row = await one<{ id: number }>(db(), sql`select id from rooms where code = ${room}`)
  // More than a page of them.
  await run(
    db(),
    sql`insert into asides
      select (a).* from (select jsonb_populate_record(a, jsonb_build_object('seq', seq + n, 'aside_id', gen_random_uuid(), 'content', 'note ' || n)) as a
        from asides a, generate_series(1, 1500) n where room_id = ${row?.id ?? 0} order by n) x`,
  )
  expect(await top.call('person/view', { id: member.id })).toMatchObject({
    username: member.username,
    is_erased: false,
    files: 1,
    transfers: 1,
    notes: 1501,
    waits: false,
    open: [{ why: 'person.has_points', count: 1 }],
  })
  const { approval, file } = await top.call('person/export', { id: member.id })
  expect(approval).toBe(0)
  const answer = await load(top, file)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(answer.headers.get('content-disposition')).toContain(`person-${member.id}.zip`)
  const files = unzip(Buffer.from(await answer.arrayBuffer()))
  const text = files.get('person.json')?.toString() ?? ''
  const tables = JSON.parse(text) as Record<string, { file?: string; content?: string }[]>
  for (const word of [member.username, 'said to you', 'said inside', 'a gift', '5.0000']) expect(text).toContain(word)
  expect(tables.internal_notes?.map(({ content }) => content)).toEqual([
    'said inside',
    ...Array.from({ length: 1500 }, (_, n) => `note ${n + 1}`),
  ])
  const picture = tables.files?.[0]?.file ?? ''
  expect(picture).toMatch(/^[0-9a-f]{32}\.webp$/)
  expect(files.get(picture)?.length).toBeGreaterThan(20)
  const [entry] = (await top.call('audit/list', { kind: 'exported' })).data
  expect(entry).toMatchObject({ actor_id: top.id, target_id: member.id })
  expect(entry?.facts).toContainEqual({ field: 'what', before: null, after: 'person' })
})

test('[RUN-06] the address of an export is of no use in another session, later, changed, or to somebody without the right', async () => {
  const { top, second, agent, cs, member } = await platform()
  const { file } = await top.call('person/export', { id: member.id })
  for (const other of [second, agent, cs, member]) expect((await load(other, file)).status).toBe(404)
  expect((await fetch(server.address + file)).status).toBe(404)
  const other = await server.person({ role: Role.member, under: agent })
  for (const bent of [
    file.replace(`-${member.id}-`, `-${other.id}-`),
    file.slice(0, -1),
    `${file}x`,
    '/media/person/x',
  ])
    expect((await load(top, bent)).status).toBe(404)
  const session = await one<{ id: bigint }>(db(), sql`select id from sessions where account_id = ${top.id}`)
  const sessionId = session?.id ?? 0n
  const stranger = await server.family()
  const ofStranger = makeExportLink(server.services.key, { sessionId, memberId: stranger.member.id })
  expect((await load(top, ofStranger)).status).toBe(404)
  const now = Date.now
  try {
    Date.now = () => now() - 6 * 60_000
    const old = makeExportLink(server.services.key, { sessionId, memberId: member.id })
    Date.now = now
    expect((await load(top, old)).status).toBe(404)
  } finally {
    Date.now = now
  }
  expect((await load(top, file)).status).toBe(200)
  await run(db(), sql`update accounts set masks_usernames = 1 where id = ${top.id}`)
  expect((await load(top, file)).status).toBe(404)
  expect(await refusal(top.ask('person/export', { id: member.id }))).toBe('access.denied')
})

test('[RUN-06] [CAPS-04] where files wait for a second account, so does this one, and its approval ends', async () => {
  const { top, second, member } = await platform()
  await top.call('change/saveRules', { kinds: ['export'] })
  expect(await top.call('person/export', { id: member.id })).toEqual({ approval: 1, file: '' })
  const [waiting] = (await second.call('change/list', {})).data
  expect(waiting).toMatchObject({ kind: 'export', target_id: member.id, target_username: member.username })
  await second.call('change/approve', { id: waiting?.id ?? 0 })
  const [own] = (await top.call('change/list', { ended: 1 })).data
  expect(own?.file).toEqual({ call: 'person/export', input: { id: member.id } })
  const { file } = await top.call('person/export', { id: member.id })
  expect((await load(top, file)).status).toBe(200)
  await asSuperuser((tx) =>
    run(tx, sql`update sensitive_changes set used_at = used_at - interval '10 minutes' where id = ${own?.id ?? 0}`),
  )
  expect(await top.call('person/export', { id: member.id })).toEqual({ approval: 1, file: '' })
})

test('[RUN-06] erasing waits for another admin, also where no rule asks for one; then nothing names the member', async () => {
  const { top, second, agent, cs, member, room } = await platform()
  await cs.call('sendMessage', { code: room, type: MessageType.text, content: 'words between us' })
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '5', remark: 'a gift' })
  expect(await refusal(top.ask('person/erase', { id: member.id }))).toBe('person.has_points')
  await server.meetTurnover(member)
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.receive, amount: '5' })
  expect(await top.call('person/erase', { id: member.id })).toEqual({ approval: 1 })
  expect(await top.call('person/view', { id: member.id })).toMatchObject({ waits: true, open: [] })
  expect(await refusal(second.ask('person/erase', { id: member.id }))).toBe('account.not_found')
  const [waiting] = (await second.call('change/list', {})).data
  const id = waiting?.id ?? 0
  expect(waiting).toMatchObject({
    kind: 'erase',
    may_decide: 1,
    target_username: member.username,
    facts: [{ field: 'becomes', before: null, after: `erased-${member.id}` }],
  })
  expect(await refusal(top.ask('change/approve', { id }))).toBe('approval.not_found')
  // Points that came meanwhile: it still waits.
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
  expect(await refusal(second.ask('change/approve', { id }))).toBe('person.has_points')
  await server.meetTurnover(member)
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.receive, amount: '1' })
  const socket = await member.socket()
  const closed = new Promise((resolve) => socket.once('disconnect', resolve))
  expect(await second.call('change/approve', { id })).toEqual({ id, state: 'approved' })
  await closed
  expect(await refusal(member.ask('room/list', {}))).toBe('session.dead')
  expect((await agent.call('room/enter', { code: room })).messages).toEqual([])
  expect(await top.call('person/view', { id: member.id })).toMatchObject({
    username: `erased-${member.id}`,
    is_erased: true,
    messages: 0,
    // The bets between them are in it.
    transfers: 8,
  })
  for (const list of [await second.call('change/list', { ended: 1 }), await top.call('audit/list', {})])
    expect(JSON.stringify(list)).not.toContain(member.username)
  const [approved] = (await top.call('audit/list', { kind: 'approval_given' })).data
  expect(approved).toMatchObject({ actor_id: second.id, target_id: member.id })
  expect((await checkLedger(db(), 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
})

test('[RUN-06] the only admin cannot ask, and accounts of the office look as if they did not exist', async () => {
  const { top, agent, cs, member } = await server.family()
  expect(await top.call('person/view', { id: member.id })).toMatchObject({ is_alone: true })
  expect(await refusal(top.ask('person/erase', { id: member.id }))).toBe('change.needs_two')
  for (const { id } of [agent, cs, top]) {
    expect(await refusal(top.ask('person/view', { id }))).toBe('account.not_found')
    expect(await refusal(top.ask('person/export', { id }))).toBe('account.not_found')
    expect(await refusal(top.ask('person/erase', { id }))).toBe('account.not_found')
  }
})

test('[RUN-06] an open request and a waiting change refuse, also at the approval', async () => {
  const { top, second, agent, member } = await platform()
  await top.call('setting/save', { cash_requests: 1 })
  expect(await top.call('person/erase', { id: member.id })).toEqual({ approval: 1 })
  const { id } = await member.call('cash/ask', { direction: 'in', amount: '1' })
  const waiting = (await second.call('change/list', {})).data[0]?.id ?? 0
  expect(await refusal(second.ask('change/approve', { id: waiting }))).toBe('person.has_requests')
  await member.call('cash/withdraw', { id })
  await top.call('change/withdraw', { id: waiting })
  await run(
    db(),
    sql`insert into sensitive_changes (top_id, kind, call, maker_id, target_id, change, facts, expires_at)
      values (${top.id}, 'export', 'user/export', ${agent.id}, ${member.id}, '{}', '{}', now() + interval '1 day')`,
  )
  expect(await refusal(top.ask('person/erase', { id: member.id }))).toBe('person.has_changes')
})
