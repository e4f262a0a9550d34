import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageType, Role, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { given } from '../testing/given.ts'
import { person as command } from './commands/person.ts'
import { many, run, sql } from '../data/sql.ts'
import { verifyAudit } from '../identity/audit-chain.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { sealAll } from '../ledger/seal/sealer.ts'
import { decided } from '../retention/person-tables.ts'
import { verifySeal } from '../ledger/seal/verify.ts'
import { type Person, startTestServer, type TestServer } from '../testing/app.ts'
import { limitedFamily, waitingFor } from '../testing/approvals.ts'
import { linkAll } from '../testing/audit.ts'
import { canaries, plantWords, PNG, type World, word } from '../testing/planted-words.ts'
import { asSuperuser } from '../testing/postgres.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
const db = () => server.services.db
/** Runs `npm run person` and returns what it prints. */
const say = async (...words: string[]) => {
  const lines: string[] = []
  await command(given('person', ...words), {
    db: db(),
    settings: server.services.settings,
    print: (line) => lines.push(line),
    readSecret: () => Promise.resolve(''),
  })
  return lines.join('\n')
}

/** Each row of each table as text, and each file of DATA_DIR. */
const everything = async (): Promise<string> => {
  const tables = await many<{ name: string }>(
    db(),
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const parts: string[] = []
  for (const { name } of tables) {
    const rows = await many<{ row: string }>(db(), { text: `select t::text as row from "${name}" t`, values: [] })
    parts.push(...rows.map(({ row }) => `${name}: ${row}`))
  }
  const { dataDir } = server.services.settings
  for (const file of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }))
    if (statSync(join(dataDir, file)).isFile()) parts.push(file, readFileSync(join(dataDir, file), 'latin1'))
  return parts.join('\n')
}

/** Tables whose rows of a member stay, and the column that says whose they are. */
const staying = { accounts: 'id', cash_requests: 'member_id', sensitive_changes: 'target_id' } as const
/** The values, by `table.column`, of their columns that go (person-tables.ts). */
const goingOf = async ({ id }: Person) => {
  const found = new Map<string, string[]>()
  for (const [table, whose] of Object.entries(staying)) {
    const text = `select row_to_json(t) as row from ${table} t where ${whose} = $1 order by id`
    const rows = await many<{ row: Record<string, unknown> }>(db(), { text, values: [id] })
    for (const column of decided[table]?.goes?.split(' ') ?? []) {
      const told = rows.map(({ row }) => row[column]).filter((value) => value !== null && value !== '')
      found.set(
        `${table}.${column}`,
        told.map((value) => JSON.stringify(value)),
      )
    }
  }
  return found
}

/** The two ways: the command, and an admin's call that a second admin approves. */
const ways = {
  command: async (_: World, name: string) => {
    await expect(say('erase', name)).rejects.toThrow('cannot be undone')
    await expect(say('erase', name, '--again', 'somebody')).rejects.toThrow('cannot be undone')
    return say('erase', name, '--again', name)
  },
  call: async ({ top, member }: World) => {
    const second = await server.person({ role: Role.admin, under: top })
    await top.call('person/export', { id: member.id })
    await top.call('person/erase', { id: member.id })
    const [waiting] = (await second.call('change/list', {})).data
    await second.call('change/approve', { id: waiting?.id ?? 0 })
    const media = join(server.services.settings.dataDir, 'media')
    await expect
      .poll(() => readdirSync(media, { recursive: true, encoding: 'utf8' }).filter((file) => file.includes('/')))
      .toEqual([])
    return (await top.call('person/view', { id: member.id })).username
  },
}

test.each([
  ['command', `is "erased-`],
  ['call', 'erased-'],
] as const)(
  '[RUN-06] of 50 planted words none is left after the %s, in any table or file; postings stay and still check',
  async (way, answer) => {
    const world = await server.family()
    const other = await server.family()
    await other.cs.call('sendMessage', { code: other.room, type: MessageType.text, content: 'stays where it is' })
    await plantWords(server, world)
    const name = `x${word(21)}`
    const planted = await everything()
    expect(canaries.filter((one) => !planted.includes(one))).toEqual([])
    const going = await goingOf(world.member)
    const unplanted = [...going].flatMap(([column, values]) => (values.length ? [] : [column]))
    expect(unplanted.map((column) => `${column}: plant a word, and empty the column in erase_member()`)).toEqual([])
    const head = (await verifyAudit(db())).head
    await sealAll(db())
    const postings = () => many(db(), sql`select * from postings order by wallet_id, seq`)
    const before = await postings()
    const files = () => readdirSync(join(server.services.settings.dataDir, 'media'), { recursive: true }).length
    expect(files()).toBeGreaterThan(0)

    expect(await ways[way](world, name)).toContain(`${answer}${world.member.id}`)
    const left = await everything()
    expect(canaries.filter((one) => left.includes(one))).toEqual([])
    const still = [...(await goingOf(world.member))].flatMap(([column, values]) =>
      values.some((value) => going.get(column)?.includes(value)) ? [column] : [],
    )
    expect(still.map((column) => `${column}: erase_member() leaves it as it was`)).toEqual([])
    expect(left).toContain('stays where it is')
    expect(await postings()).toEqual(before)
    expect((await checkLedger(db(), 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
    expect((await db().transact((tx) => verifySeal(tx))).breaches).toEqual([])
    await linkAll(db())
    expect((await verifyAudit(db(), head)).breaches).toEqual([])
    // The office sees an account without a name; nobody signs in as it.
    expect((await world.agent.call('user/view', { id: world.member.id })).status).toBe(0)
    expect((await world.member.ask('room/list', {})).refusal).toBe('session.dead')
    expect((await world.agent.call('room/enter', { code: world.room })).messages).toEqual([])
    // Once more, after a crash in between perhaps.
    await say('erase', `erased-${world.member.id}`, '--again', `erased-${world.member.id}`)
    await linkAll(db())
    expect((await verifyAudit(db(), head)).breaches).toEqual([])
  },
)

test('[RUN-06] another row that is emptied, or an erased one that is changed, is found in the log', async () => {
  const { agent, member } = await server.family()
  const other = await server.person({ role: Role.member, under: agent })
  for (const { id } of [member, other]) await agent.call('user/edit', { id, nickname: 'Somebody' })
  await say('erase', member.username, '--again', member.username)
  await linkAll(db())
  expect((await verifyAudit(db())).breaches).toEqual([])
  const undone = new Error('undo')
  for (const statement of [
    sql`update audit_log set facts = '{}', address = '' where target_id = ${other.id} and kind = 'account_edited'`,
    sql`update audit_log set kind = 'signed_out' where target_id = ${member.id} and kind = 'account_edited'`,
    sql`update audit_log set facts = '{"nickname": "x"}' where target_id = ${member.id} and kind = 'account_edited'`,
    sql`delete from audit_log where target_id = ${member.id} and kind = 'account_edited'`,
  ])
    await expect(
      asSuperuser(async (tx) => {
        await run(tx, statement)
        const query: typeof tx.query = async (text, values) =>
          text.startsWith('set transaction') ? [] : tx.query(text, values)
        const { breaches } = await verifyAudit({ ...db(), transact: (work) => work({ ...tx, query }) })
        expect(breaches.length).toBeGreaterThan(0)
        throw undone
      }),
    ).rejects.toBe(undone)
})

test('[RUN-06] points, an open envelope and an open request refuse, and so does an account of the office', async () => {
  const { agent, member, top } = await server.family()
  const erase = () => say('erase', member.username, '--again', member.username)
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '5' })
  await expect(erase()).rejects.toThrow('still has points')
  await server.meetTurnover(member)
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.receive, amount: '5' })
  await top.call('setting/save', { cash_requests: 1 })
  const { id } = await member.call('cash/ask', { direction: 'in', amount: '1' })
  await expect(erase()).rejects.toThrow('open request')
  await member.call('cash/withdraw', { id })
  await expect(say('erase', agent.username, '--again', agent.username)).rejects.toThrow('works in the office')
  await expect(say('erase', 'nobody')).rejects.toThrow('There is no account')
  await erase()
})

test('[RUN-06] an envelope, a transfer in approval and its request refuse by themselves, without any points', async () => {
  const { agent, cs, member, top } = await limitedFamily(server)
  const erase = () => say('erase', member.username, '--again', member.username)
  await agent.call('user/edit', { id: member.id, withdraw_confirm: 1 })
  const offer = { member_id: member.id, type: TransferKind.send, amount: '5' } as const
  const { transaction_id } = await agent.call('transaction/add', offer)
  await expect(erase()).rejects.toThrow('1 open envelopes or approvals')
  await member.call('envelope/answer', { transaction_id, accept: false })
  await cs.call('user/transaction', { id: member.id, amount: '300', remark: 'x' })
  await expect(erase()).rejects.toThrow('1 open envelopes or approvals')
  await agent.call('approval/refuse', { id: (await waitingFor(agent)).id, reason: 'x' })
  await top.call('setting/save', { cash_requests: 1 })
  const { id } = await member.call('cash/ask', { direction: 'in', amount: '300' })
  await cs.call('cash/take', { id })
  expect(await cs.call('cash/pay', { id, amount: '300' })).toMatchObject({ approval: 1 })
  await expect(erase()).rejects.toThrow('1 open envelopes or approvals')
  await cs.call('approval/withdraw', { id: (await waitingFor(cs)).id })
  await expect(erase()).rejects.toThrow('open request')
  await cs.call('cash/refuse', { id, reason: 'x' })
  await erase()
})

test('[RUN-06] a change of the member that waits for a second account refuses', async () => {
  const { agent, member, top } = await server.family()
  await server.person({ role: Role.admin, under: top })
  await top.call('change/saveRules', { kinds: ['correction'] })
  const { transaction_id } = await agent.call('user/transaction', { id: member.id, amount: '5', remark: 'x' })
  await server.meetTurnover(member)
  await agent.call('user/transaction', { id: member.id, amount: '-5', remark: 'x' })
  expect(await top.call('transaction/correct', { transaction_id, remark: 'mistake' })).toMatchObject({ approval: 1 })
  const erase = () => say('erase', member.username, '--again', member.username)
  await expect(erase()).rejects.toThrow('A change of')
  const [waiting] = (await top.call('change/list', {})).data
  await top.call('change/withdraw', { id: waiting?.id ?? 0 })
  await erase()
})

test('[RUN-06] an export holds what was said, moved and noted about a member, with the files', async () => {
  const { agent, cs, member, room } = await server.family()
  await cs.call('sendMessage', { code: room, type: MessageType.text, content: 'said to you' })
  await member.call('sendMessage', { code: room, type: MessageType.image, content: PNG })
  await cs.call('desk/whisper', { code: room, content: 'said inside' })
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '5', remark: 'a gift' })
  const directory = join(mkdtempSync(join(tmpdir(), 'tallyroom-person-')), 'new/export')
  await say('export', member.username, directory)
  const found = JSON.parse(readFileSync(join(directory, 'person.json'), 'utf8')) as Record<string, { file?: string }[]>
  const text = JSON.stringify(found)
  for (const one of [member.username, 'said to you', 'said inside', 'a gift', '5.0000']) expect(text).toContain(one)
  expect(existsSync(join(directory, found.files?.[0]?.file ?? ''))).toBe(true)
  await expect(say('export', member.username, directory)).rejects.toThrow('exists already')
  const below = join(directory, 'person.json/deeper')
  await expect(say('export', member.username, below)).rejects.toThrow(/person\.json.* cannot be made \(ENOTDIR\)/)
})
