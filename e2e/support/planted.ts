import { type Answer, type CallName, callNames, declared, type Input } from '@tallyroom/contract'
import { MessageType, NoteStatus, Role, TransferKind } from '@tallyroom/contract/codes'
import { z } from 'zod'
import { type Client, makeClient, signIn } from './client.ts'
import { makePdf } from '../../server/src/testing/files.ts'
import { databaseOf } from './faults/kills.ts'
import { PASSWORD } from './people.ts'
import type { Server } from './server.ts'

/**
 * Texts that would run, load, break out of their context or act as a formula if they were not treated as text. At most
 * 30 characters each.
 */
const short: readonly string[] = [
  '<script>ran=1</script>',
  '<img src=x onerror=ran=2>',
  '"><svg onload=ran=3>',
  "' autofocus onfocus=ran=4 x='",
  'javascript:ran=5',
  '</title><script>ran=6</script>',
  '<details open ontoggle=ran=7>',
  '<a href=javascript:ran=8>go',
  '</textarea><img src=//e.test>',
  '<iframe src=//e.test/a>',
  '<base href=//e.test/>',
  '<link rel=icon href=//e.test>',
  '<style>*{display:none}',
  '<svg><script>ran=9</script>',
  '<object data=//e.test/o>',
  'url(//e.test/u)',
  '<!--',
  ']]><x>',
  '{{ran=10}}',
  '${ran=11}',
  '<%=ran=12%>',
  '#{ran=13}',
  "{{constructor('ran=14')()}}",
  '{name} {n} {amount} {title}',
  "$& $' $` $1",
  '%s %n %00 %3Cscript%3E',
  '=HYPERLINK("//e.test","x")',
  '@SUM(1+1)*cmd|x!A0',
  '+1-ran',
  '-2+3',
  '../../../index',
  '\\\\e.test\\share',
  '__proto__',
  'constructor',
  'null',
  '&lt;img src=x&gt; &#60;b&#62;',
  "'; drop table accounts--",
  '\u202Egnp.exe\u202C \u2066lro\u202D',
  'a\u200Bb\u200Dc\uFEFF \u00AD',
  '👩‍👩‍👧‍👦🏳️‍🌈 z̷̢̛a̵lg̸o',
]
const every = short.join('\n')
const hostile = (n: number) => short[n % short.length] ?? ''
/** For fields that hold only 20 characters. */
const tiny = '<img onerror=ran=15>'

/** Fields that are not shown, have a fixed format, or are only searched for. A mention is shown with the name of its account. */
const notText =
  /^mentions$|password|code$|username|url$|account_no|amount|limit_of_credit|token|endpoint|^proof$|^challenge$|mobile|^text$|^domain$|^seen$|^time_zone$/

/** The free-text fields of write calls, as `call.field`. */
const freeTexts = (): string[] => {
  const fieldsOf = (name: string, schema: z.core.JSONSchema.BaseSchema): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([field, found]) => {
      if (typeof found !== 'object' || notText.test(field)) return []
      if (found.type === 'object') return fieldsOf(name, found)
      if (found.type === 'array' && typeof found.items === 'object' && !Array.isArray(found.items))
        return fieldsOf(name, found.items)
      const isFree =
        found.type === 'string' &&
        !found.enum &&
        found.const === undefined &&
        !found.format &&
        !found.pattern?.startsWith('^')
      return isFree ? [`${name}.${field}`] : []
    })
  return callNames
    .filter((name) => declared(name).effect === 'write')
    .flatMap((name) => fieldsOf(name, z.toJSONSchema(declared(name).request, { io: 'input', unrepresentable: 'any' })))
}

/** Number of members with a conversation, besides the given one. */
const MEMBERS = 8
const ROUNDS = Math.ceil(short.length / MEMBERS)

/** A member's passkey; nothing signs with it. An office account would need it at its next sign-in. */
const addPasskey = async (server: Server, username: string): Promise<number> => {
  const database = await databaseOf(server)
  const { rows } = await database.query<{ id: number }>(
    `insert into passkeys (account_id, top_id, credential_id, host, public_key, counter, transports, name)
      select id, top_id, 'planted', 'localhost', '', 0, '{}', 'Phone' from accounts where username = $1 returning id`,
    [username],
  )
  await database.end()
  return rows[0]?.id ?? 0
}

/** A settlement between faye and the agent below her: a real one needs a day that is over. */
const addSettlement = async (server: Server): Promise<number> => {
  const database = await databaseOf(server)
  const { rows } = await database.query<{ id: number }>(
    `with period as (insert into closed_periods (top_id, account_id, start_date, end_date, starts_at, ends_at, closed_by)
        select top_id, id, '2026-01-01', '2026-01-01', '2026-01-01Z', '2026-01-02Z', id from accounts where username = 'faye'
        returning id, top_id, account_id)
      insert into settlements (top_id, period_id, upline_id, downline_id, amount)
      select p.top_id, p.id, p.account_id, a.id, 70000 from period p, accounts a where a.username = 'hostagent' returning id`,
  )
  await database.end()
  return rows[0]?.id ?? 0
}

/** A file that waits for approval: for a real one the platform needs two admins. */
const addWaitingFile = async (server: Server): Promise<number> => {
  const database = await databaseOf(server)
  const { rows } = await database.query<{ id: number }>(
    `insert into sensitive_changes (top_id, kind, call, maker_id, target_id, change, facts, expires_at)
      select top_id, 'export', 'user/export', id, id, '{}', '{"what": "user", "rows": 3}', now() + interval '1 day'
      from accounts where username = 'faye' returning id`,
  )
  await database.end()
  return rows[0]?.id ?? 0
}

/** Runs four actions at a time, in any order. */
const inParallel = async (count: number, action: (n: number) => Promise<unknown>) => {
  let next = 0
  const worker = async () => {
    while (next < count) await action(next++)
  }
  await Promise.all([worker(), worker(), worker(), worker()])
}

/**
 * Writes these texts into every free-text field, below the agent `faye` with her customer service `cleo`, and most of
 * them into the room of one member. @returns how many such texts are stored, and the fields that got none
 */
export const plant = async (server: Server, member: string): Promise<{ stored: number; left: string[] }> => {
  const planted = new Set<string>()
  let stored = 0
  const put = async <N extends CallName>(client: Client, name: N, input: Input<N>): Promise<Answer<N>> => {
    const count = (fields: object) => {
      for (const [field, value] of Object.entries(fields)) {
        if (Array.isArray(value)) value.forEach(count)
        if (value === every) stored += short.length
        else if (value === tiny || short.includes(value as string)) stored++
        else continue
        planted.add(`${name}.${field}`)
      }
    }
    count(input)
    return client.call(name, input)
  }
  const [admin, faye, cleo] = await Promise.all([
    signIn(server.url, 'admin', server.password),
    signIn(server.url, 'faye', PASSWORD),
    signIn(server.url, 'cleo', PASSWORD),
  ])
  const known = makeClient(server.url)
  known.token = (await known.call('login', { username: member, password: PASSWORD, face: 'member' })).token
  const { share_code } = await faye.call('user/view', {})
  const password = { password: PASSWORD, password_confirmation: PASSWORD }

  // Fields that exist once: names of the viewers and the platform's settings.
  const [first, second] = [hostile(1), hostile(2)]
  for (const client of [admin, faye, cleo, known]) {
    const { id } = await client.call('user/view', {})
    await put(client, 'user/edit', { id, nickname: first })
  }
  await put(faye, 'user/add', { username: 'hostile', nickname: second, ...password })
  await put(faye, 'user/addAgent', { username: 'hostagent', nickname: second, ...password })
  const { id: parent_id } = await faye.call('user/view', {})
  await put(faye, 'user/addMember', { username: 'hostmember', nickname: second, ...password })
  await put(faye, 'tree/add', {
    parent_id,
    role_id: Role.customerService,
    username: 'hosttree',
    nickname: first,
    ...password,
  })
  for (const client of [admin, faye]) await put(client, 'setting/save', { name: hostile(3), cash_requests: 1 })
  const { changeable: _, ...rules } = await admin.call('bank_setting/view', {})
  await put(admin, 'bank_setting/save', {
    ...rules,
    is_third: 1,
    has_bank_card_setting: 1,
    enable_bsb_code: 1,
    bsb_code_alias: tiny,
  })
  const bank = await put(admin, 'orderType/save', { name: first })
  await put(faye, 'receiving/save', { bank: first, account_name: second, account_no: '12345678' })
  for (const client of [admin, faye])
    await put(client, 'listView/save', { list: 'user', name: hostile(2), filters: { status: '1' }, shared: 1 })
  await inParallel(short.length, (n) => put(admin, 'apiKey/add', { label: hostile(n) }))
  // Failed sign-ins are logged with the typed username.
  const stranger = makeClient(server.url)
  await inParallel(6, (n) => stranger.ask('login', { username: hostile(n), password: first }))

  /** Every text about one member, or sent to it. */
  const plantInMember = async (own: Client, n: number) => {
    const { id: member_id, username } = await own.call('user/view', {})
    const { room_id = 0, code = '' } = (await own.call('room/list', {})).data[0] ?? {}
    await put(own, 'sendMessage', { code, type: MessageType.text, content: every })
    await put(cleo, 'sendMessage', { code, type: MessageType.text, content: hostile(n) })
    const at = new Date(Date.now() + 86_400_000).toISOString()
    await put(cleo, 'message/schedule', { code, content: every, at })
    await put(cleo, 'desk/remind', { code, at, note: hostile(n) })
    await put(cleo, 'desk/whisper', { code, content: every })
    // Who answers owns the conversation, if nobody does.
    await put(cleo, 'desk/handOver', { code, to: parent_id, why: hostile(n) })
    await put(faye, 'draft/save', { code, content: every })
    await put(faye, 'friend/edit', { member_id, nickname: hostile(n + 1) })
    await put(faye, 'user/transaction', { id: member_id, amount: '2', remark: hostile(n + 2) })
    const gift = { member_id, type: TransferKind.gift, amount: '1', audit_amount: '0' } as const
    const { transaction_id } = await put(faye, 'transaction/add', { ...gift, remark: hostile(n + 3) })
    const { data } = await cleo.call('members/bank-card', { username })
    const account = { bank_id: bank.id, account_name: hostile(n), account_no: `062000__1234${100 + n}` }
    if (n === 2 && !data.length) await put(own, 'bank/addOwn', account)
    else if (n % 2 && !data.length) await put(cleo, 'members/bank-card/create', { username, accounts: [account] })
    else if (!data.length) await put(cleo, 'members/bank-account/create', { username, ...account })
    for (let round = 0; round < ROUNDS; round++) {
      const title = hostile(n * ROUNDS + round)
      const { note_id } = await put(cleo, 'note/add', { room_id, title, content: every })
      if (round === 0) await put(cleo, 'note_content/add', { note_id, content: every })
      await put(cleo, 'message-template/create', { title, content: round ? title : every, memo: title })
    }
    await put(own, 'sendMessage', { code, type: MessageType.text, content: hostile(n) })
    return { transaction_id, room_id }
  }
  /** Above a limit a transfer waits for approval, with its reason and then with the answer. */
  const plantInApprovals = async () => {
    const { id } = await faye.call('user/view', {})
    const { id: member_id } = await known.call('user/view', {})
    const limit = (transfer: string | null) =>
      admin.call('limit/save', {
        id,
        limits: [{ type: TransferKind.send, transfer, hour: null, day: null, member: null }],
      })
    const { id: cashId } = await known.call('cash/ask', { direction: 'in', amount: '4' })
    await cleo.call('cash/take', { id: cashId })
    await limit('3')
    await put(faye, 'user/transaction', { id: member_id, amount: '5', reason: first })
    await put(faye, 'transaction/add', {
      member_id,
      type: TransferKind.send,
      amount: '6',
      audit_amount: '0',
      reason: second,
    })
    await put(cleo, 'cash/pay', { id: cashId, amount: '4', reason: first })
    const [approval] = (await admin.call('approval/list', {})).data
    await put(admin, 'approval/refuse', { id: approval?.id ?? 0, reason: second })
    await limit(null)
  }

  const whole = await plantInMember(known, 5)

  // A file's name, and what the desk writes about requests for points.
  const { code = '' } = (await known.call('room/list', {})).data[0] ?? {}
  const pdf = makePdf()
  const { upload } = await put(known, 'upload/begin', { code, name: hostile(1), size: pdf.length })
  await fetch(`${server.url}/upload/${upload}?offset=0`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${known.token}` },
    body: new Uint8Array(pdf),
  })
  await known.call('message/sendFile', { code, upload })
  const ask = async () => {
    const { id } = await known.call('cash/ask', { direction: 'in', amount: '3' })
    await cleo.call('cash/take', { id })
    return id
  }
  await put(cleo, 'cash/refuse', { id: await ask(), reason: second })
  await put(cleo, 'cash/pay', { id: await ask(), amount: '3', remark: first, bank_reference: second })
  await plantInApprovals()
  await put(admin, 'transaction/correct', { transaction_id: whole.transaction_id, remark: second })
  await put(faye, 'transaction/edit', { transaction_id: whole.transaction_id, remark: first })
  const [note] = (await cleo.call('note/list', { room_id: whole.room_id })).data
  const note_id = note?.id ?? 0
  await put(cleo, 'note/edit', { note_id, room_id: whole.room_id, title: second, status: NoteStatus.finished })
  const { content_id } = await cleo.call('note_content/add', { note_id, content: 'before' })
  await put(cleo, 'note_content/edit', { content_id, note_id, content: every })
  const [reply] = (await cleo.call('message-template/list', {})).data
  const texts = { title: first, content: every, memo: second }
  await put(cleo, 'message-template/update', { targetID: reply?.id ?? 0, ...texts })

  await inParallel(MEMBERS, async (n) => {
    const own = makeClient(server.url)
    const who = { share_code, username: `host${n}`, nickname: hostile(n), ...password }
    own.token = (await put(own, 'member/signup', who)).token
    await plantInMember(own, n)
  })
  await put(admin, 'change/refuse', { id: await addWaitingFile(server), reason: second })
  await put(faye, 'settlement/settle', { id: await addSettlement(server), remark: first })
  await put(known, 'passkey/rename', { id: await addPasskey(server, member), name: first })
  await put(faye, 'deskHours/save', {
    hours_on: true,
    time_zone: null,
    week: Array.from({ length: 7 }, () => [[0, 1440]]),
    days: [{ day: '2030-12-25', spans: [], label: tiny }],
    greeting: { en: every },
    away: { en: every },
    default_language: 'en',
  })
  const [own] = (await known.call('room/list', {})).data
  await known.call('sendMessage', { code: own?.code ?? '', type: MessageType.text, content: 'Good morning' })
  await put(cleo, 'desk/endShift', { note: hostile(4) })
  return { stored, left: freeTexts().filter((text) => !planted.has(text)) }
}
