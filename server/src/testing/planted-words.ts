import { MessageType, TransferKind } from '@tallyroom/contract/codes'
import { one, run, sql } from '../data/sql.ts'
import type { Person, TestServer } from './app.ts'
import { linkAll } from './audit.ts'
import { asSuperuser } from './postgres.ts'

/** Words that stand nowhere else. */
export const canaries = Array.from({ length: 51 }, (_, n) => `cnry${String(n + 1).padStart(2, '0')}`)
/** One of them, from 1 on. */
export const word = (n: number) => canaries[n - 1] ?? ''
export const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export type World = { top: Person; agent: Person; cs: Person; member: Person; room: string }
/** Leaves the canaries wherever something of a member is kept. */
export const plantWords = async (server: TestServer, { top, agent, cs, member, room }: World) => {
  const { db } = server.services
  const asText = { code: room, type: MessageType.text }
  for (const n of [1, 2, 3]) await member.call('sendMessage', { ...asText, content: `mine ${word(n)}` })
  for (const n of [4, 5, 6]) await cs.call('sendMessage', { ...asText, content: `yours ${word(n)}` })
  for (const [who, n] of [
    [member, 7],
    [cs, 8],
  ] as const) {
    const sent = await who.call('sendMessage', { ...asText, content: `taken back ${word(n)}` })
    await who.call('message/takeBack', { code: room, message_id: sent.message_id })
  }
  await member.call('sendMessage', { code: room, type: MessageType.image, content: PNG })
  for (const n of [9, 10]) await cs.call('desk/whisper', { code: room, content: `inside ${word(n)}` })
  await member.call('draft/save', { code: room, content: word(11) })
  await agent.call('draft/save', { code: room, content: word(12) })
  await cs.call('draft/save', { code: room, content: word(13), inside: true })
  const row = await one<{ id: number }>(db, sql`select id from rooms where code = ${room}`)
  const roomId = row?.id ?? 0
  await cs.call('note/add', { room_id: roomId, title: word(14), content: word(15) })
  await agent.call('user/edit', { id: member.id, nickname: word(16) })
  await agent.call('user/edit', { id: member.id, nickname: word(17), thumbnail: PNG })
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '5', remark: word(18) })
  await server.meetTurnover(member)
  await agent.call('transaction/add', {
    member_id: member.id,
    type: TransferKind.receive,
    amount: '5',
    remark: word(19),
  })
  const view = { list: 'user', name: 'Look at', shared: 1 } as const
  await agent.call('listView/save', { ...view, filters: { username: `x${word(21)}` } })
  const upload = await member.call('upload/begin', { code: room, name: `${word(20)}.pdf`, size: 6 })
  if (!upload) throw new Error('the upload did not begin')
  // What takes many calls to make, or a phone, a browser, a platform.
  const { id } = member
  const topId = top.id
  await asSuperuser(async (tx) => {
    const put = (text: string) => run(tx, { text, values: [] })
    await put(
      `update accounts set username = 'x${word(21)}', third_party_id = '${word(22)}', domain = '${word(23)}',
        payment_password_hash = 'of a password', customized_cs_qrcode_pic_url = '/media/of-a-code' where id = ${id}`,
    )
    await put(`update rooms set alias = '${word(24)}' where id = ${roomId}`)
    await put(`update sessions set user_agent = '${word(25)}', address = '${word(26)}' where account_id = ${id}`)
    await put(`insert into push_subscriptions (session_id, account_id, top_id, sealed, endpoint_hash, language)
      select id, ${id}, ${topId}, '${word(27)}', 'x', 'en' from sessions where account_id = ${id} limit 1`)
    await put(
      `insert into second_factors (account_id, top_id, phone, phone_pending) values (${id}, ${topId}, '${word(28)}', '${word(29)}')`,
    )
    await put(`insert into recovery_phones values (${id}, ${topId}, '${word(30)}', '${word(31)}')`)
    await put(`insert into passkeys (account_id, top_id, credential_id, host, public_key, counter, transports, name)
      values (${id}, ${topId}, '${word(32)}', 'h', 'x', 0, '{}', '${word(33)}')`)
    await put(
      `insert into security_notices (account_id, top_id, kind, user_agent, address) values (${id}, ${topId}, 'new_device', '${word(34)}', '${word(35)}')`,
    )
    await put(`insert into banks (top_id, name) values (${topId}, 'A bank')`)
    await put(`insert into bank_accounts (top_id, member_id, bank_id, account_name, account_no)
      select ${topId}, ${id}, id, '${word(36)}', '${word(37)}' from banks where top_id = ${topId}`)
    await put(`insert into cash_requests (top_id, group_id, room_id, member_id, message_id, direction, amount, state, bank, account_no, slip, reason,
        bank_reference, asked_at, expires_at, ended_at) values (${topId}, ${agent.id}, ${roomId}, ${id}, gen_random_uuid(), 'in', 10000, 'refused',
        '${word(38)}', '${word(39)}', '/media/${word(40)}', '${word(41)}', '${word(51)}', now(), now(), now())`)
    await put(
      `insert into webhooks (top_id, account_id, kind, payload) values (${topId}, ${id}, 'member.added', '{"username": "x${word(21)}", "remark": "${word(42)}"}')`,
    )
    // Only these: the server links others meanwhile, and an entry that waits twice can never be linked.
    await put(`with planted as (insert into audit_log (top_id, kind, actor_id, target_id, address, facts) values
      (${topId}, 'account_edited', ${agent.id}, ${id}, '${word(43)}', '{"nickname": ["${word(44)}", ""]}'),
      (${topId}, 'signed_in', ${id}, ${id}, '${word(45)}', '{}'), (${topId}, 'exported', ${id}, null, '', '{"what": "${word(46)}"}')
      returning id) insert into audit_pending select id from planted`)
    await put(`insert into sensitive_changes (top_id, kind, call, maker_id, target_id, change, facts, state, expires_at, ended_at, answer)
      values (${topId}, 'credit', 'user/edit', ${agent.id}, ${id}, '{"nickname": "${word(47)}"}', '{"x": "${word(48)}"}', 'refused', now(), now(), '${word(49)}')`)
    await put(`insert into remark_edits (transfer_id, seq, top_id, actor_id, old_remark, remark)
      select max(id), 1, ${topId}, ${agent.id}, '${word(19)}', '${word(50)}' from transfers where target_id = ${id}`)
  })
  await linkAll(db)
}
