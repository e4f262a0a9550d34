import { Role, TransferKind } from '@tallyroom/contract/codes'
import { makeAccount } from '../accounts/accounts.ts'
import { createRoom } from '../chat/create-room.ts'
import { one, run, sql } from '../data/sql.ts'
import { hashPassword, ofThisProcess } from '../identity/passwords.ts'
import type { Running } from '../start/serve.ts'
import { type DemoClient, demoClient } from './client.ts'
import { slip, voiceNote } from './files.ts'
import { type DemoGroup, writeHistory } from './history.ts'
import {
  adminMembers,
  danaMembers,
  type DemoMember,
  noraMembers,
  notes,
  PASSWORD,
  pavelMembers,
  deskHours,
  quickReplies,
} from './people.ts'
import { closeWeeks } from './periods.ts'
import { limitDana, raiseCredit } from './limits.ts'
import { makeKeys } from './keys.ts'
import { decideRights } from './rights.ts'
import { addReceivingAccounts, makeCashRequests } from './cash-requests.ts'

type Parent = { id: number; topId: number; path: string; groupId: number }

/** The tree of sample accounts with a month behind it, and conversations in all states. */
export const makeFamily = async (running: Running): Promise<void> => {
  const { db, settings } = running.services
  const passwordHash = await hashPassword(PASSWORD, ofThisProcess)
  const find = async (username: string) => {
    const row = await one<Parent>(
      db,
      sql`select id, top_id as "topId", path, group_id as "groupId" from accounts where username = ${username}`,
    )
    if (!row) throw new Error(`the demo needs the account ${username}`)
    return row
  }
  const add = async (role: Role, username: string, nickname: string, parent: Parent): Promise<Parent> => {
    await db.transact(async (tx) => {
      const made = await makeAccount(tx, { parent, role, username, nickname, passwordHash })
      if (role === Role.member) await createRoom(tx, made)
    })
    return find(username)
  }

  const top = await find('admin')
  const dana = await add(Role.agent, 'dana', 'Dana', top)
  const mika = await add(Role.customerService, 'mika', 'Mika', dana)
  const omar = await add(Role.customerService, 'omar', 'Omar', dana)
  const nora = await add(Role.agent, 'nora', 'Nora', dana)
  const siti = await add(Role.customerService, 'siti', 'Siti', nora)
  const pavel = await add(Role.agent, 'pavel', 'Pavel', top)
  const erin = await add(Role.admin, 'erin', 'Erin', top)
  const quinn = await add(Role.agent, 'quinn', 'Quinn', erin)
  const groups = [
    { head: dana, staff: [mika, omar, dana], members: danaMembers },
    { head: nora, staff: [siti, nora], members: noraMembers },
    { head: pavel, staff: [pavel], members: pavelMembers },
    { head: top, staff: [top], members: adminMembers },
  ]
  const ids: number[][] = []
  for (const { head, members } of groups) {
    const own: number[] = []
    for (const { username, nickname } of members) own.push((await add(Role.member, username, nickname, head)).id)
    ids.push(own)
  }
  const withPoints: DemoGroup[] = groups
    .slice(0, 3)
    .map(({ head, staff }, at) => ({ head: head.id, staff: staff.map(({ id }) => id), members: ids[at] ?? [] }))
  await writeHistory(db, top.id, withPoints, settings.timeZone)
  await run(db, sql`update accounts set created_at = now() - interval '31 days' where top_id = ${top.id}`)
  await run(
    db,
    sql`update accounts set chat_ai_bot_visible = 1 where id = any(${[top, dana, mika, omar].map(({ id }) => id)}::int[])`,
  )
  const asking = new Map<string, { id: number; client: DemoClient }>()
  for (const [at, { head, staff, members }] of groups.entries()) {
    const office = await demoClient(running, (staff[0] ?? head).id, 'office')
    for (const [n, member] of members.entries()) {
      const id = ids[at]?.[n] ?? 0
      const client = await demoClient(running, id, 'member')
      asking.set(member.username, { id, client })
      await converse(running, { office, client }, member)
    }
  }
  await addGroupData(running, { dana, mika, omar })
  const head = await demoClient(running, top.id, 'office')
  // Off: the pictures and journeys are the same at night.
  await (await demoClient(running, dana.id, 'office')).call('deskHours/save', deskHours)
  await addReceivingAccounts(await demoClient(running, dana.id, 'office'))
  await makeCashRequests(head, asking)
  await limitDana(running, head, { dana, mika })
  await raiseCredit(running, head, { erin, quinn })
  await decideRights(running, { dana, omar })
  await makeKeys(running, top.id)
  await closeWeeks(running, [top, dana])
}

const roomOf = async ({ services }: Running, username: string) => {
  const room = await one<{ id: number; code: string }>(
    services.db,
    sql`select r.id, r.code from rooms r join accounts a on a.id = r.partner_id where a.username = ${username}`,
  )
  if (!room) throw new Error(`the demo needs the room of ${username}`)
  return room
}

type Pair = { office: DemoClient; client: DemoClient }

/** One member's conversation, then the time at which it took place. */
const converse = async (running: Running, { office, client }: Pair, member: DemoMember) => {
  const { db } = running.services
  const { id } = client
  const { code } = await roomOf(running, member.username)
  let last = ''
  for (const content of member.says) last = (await client.call('sendMessage', { code, type: 1, content })).message_id
  if (member.hasFiles) {
    await client.sendFile(code, { bytes: slip(), name: 'slip-22-nov.pdf' })
    await client.sendFile(code, voiceNote)
  }
  if (member.answered) await office.call('sendMessage', { code, type: 1, content: member.answered, quote: last })
  if (member.offered) {
    await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${id}`)
    const type = member.offered === 'send' ? TransferKind.send : TransferKind.receive
    await office.call('transaction/add', { member_id: id, type, amount: '20', remark: 'red envelope', code })
  }
  // Two minutes between messages. The room has no reader yet who could have seen other times.
  await run(
    db,
    sql`with timed as (update messages m set created_at = now() - make_interval(mins => (${member.minutes} + 2 * (r.last_seq - m.seq))::int)
          from rooms r where r.id = m.room_id and r.code = ${code} returning m.room_id, m.seq, m.created_at),
        latest as (select room_id, max(created_at) as at from timed group by 1),
        -- What was counted meanwhile had other times.
        gone as (delete from desk_waits w using latest l where w.room_id = l.room_id)
      update rooms r set last_message_at = l.at, asked_seq = -r.asked_seq, changed_xid = pg_current_xact_id(),
        waiting_since = case when r.waiting_since is null then null else (select min(t.created_at) from timed t) end
      from latest l where l.room_id = r.id`,
  )
  // A change of the time alone would forget the message (forget_asked() in the database).
  await run(db, sql`update rooms set asked_seq = -asked_seq, changed_xid = pg_current_xact_id() where asked_seq < 0`)
}

type Staff = Record<'dana' | 'mika' | 'omar', Parent>

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/**
 * Quick replies, notes, an owner, an internal note, a message taken back, a room with the bot, a text that is sent later,
 * and a room that is snoozed.
 */
const addGroupData = async (running: Running, { dana, mika, omar }: Staff) => {
  const head = await demoClient(running, dana.id, 'office')
  const look = { header_background_color: '#3d2466', header_font_color: '#ffffff', cash_requests: 1 } as const
  await head.call('setting/save', { name: 'Dana’s table', ...look })
  const colleague = await demoClient(running, mika.id, 'office')
  const other = await demoClient(running, omar.id, 'office')
  for (const [title, content] of quickReplies) await head.call('message-template/create', { title, content })
  for (const { member, title, content } of notes) {
    const { id } = await roomOf(running, member)
    const { note_id } = await colleague.call('note/add', { room_id: id, title })
    await colleague.call('note_content/add', { note_id, content })
  }
  const gina = await roomOf(running, 'ginawong')
  await colleague.call('desk/take', { code: gina.code })
  const content = '@Mika her last payout is still at the bank. @Dana has the slip.'
  const mentions = [
    { id: mika.id, name: 'Mika' },
    { id: dana.id, name: 'Dana' },
  ]
  await other.call('desk/whisper', { code: gina.code, content, mentions })
  const chan = await roomOf(running, 'chanwei')
  const wrong = await colleague.call('sendMessage', { code: chan.code, type: 1, content: 'This is for another member' })
  await colleague.call('message/takeBack', { code: chan.code, message_id: wrong.message_id })
  await colleague.call('message/schedule', {
    code: (await roomOf(running, 'emilia')).code,
    content: 'Good morning, Emilia! Did the bonus arrive?',
    at: inHours(14),
  })
  await colleague.call('desk/snooze', { code: (await roomOf(running, 'jaidee')).code, until: inHours(16) })
  for (const { username, bot } of danaMembers)
    if (bot) await head.call('room/giveToBot', { room_id: (await roomOf(running, username)).id })
}
