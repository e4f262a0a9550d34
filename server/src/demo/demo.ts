import { makeAccount } from '../accounts/accounts.ts'
import { Role } from '@tallyroom/contract/codes'
import type { Running } from '../start-services.ts'
import { createRoom } from '../chat/create-room.ts'
import { one, sql } from '../data/sql.ts'
import { hashPassword } from '../identity/passwords.ts'
import { demoClient } from './client.ts'
import { makeRequests } from './requests.ts'
import { startAnswering } from './responder.ts'

/** `npm run demo`: sample accounts, made once, and a member that answers. */
const PASSWORD = 'demo1234'
const AGENT = 'dana'
const ANSWERER = 'annlee'

const members: [username: string, nickname: string, ...talk: string[]][] = [
  [ANSWERER, 'Ann Lee', 'Hello! I answer here.', 'Try sending me a red envelope.'],
  ['benito', 'Benito', 'is it there?', 'I sent the slip ten minutes ago'],
  ['chanwei', '陳偉', '你好，我的點數到了嗎？'],
  ['divya', 'திவ்யா', 'வணக்கம், என் இருப்பு என்ன?'],
  ['emilia', 'Emilia', 'thanks, got it 🧧'],
  ['farhan', 'Farhan', 'Selamat pagi, mau setor 200'],
  ['ginawong', 'Gina Wong', 'can you check my last transfer?'],
  ['htetaung', 'ထက်အောင်', 'မင်္ဂလာပါ'],
  ['ivan77', 'Иван', 'Добрый вечер! Когда придут баллы?'],
  ['jaidee', 'ใจดี', 'สวัสดีค่ะ แต้มเข้าแล้วหรือยัง'],
  ['kimanh', 'Kim Anh', 'cảm ơn bạn nhiều'],
  ['lokesh', 'Lokesh', 'ok'],
]

export const startDemo = async (running: Running): Promise<{ lines: string[]; stop: () => void }> => {
  const { db } = running.services
  const known = await one<{ id: number }>(db, sql`select id from accounts where username = ${AGENT}`)
  if (!known) await makeFamily(running)
  const stop = await startAnswering(running, ANSWERER)
  const lines = [
    '',
    'Sample accounts, all with the password demo1234:',
    `  back office  /login   ${AGENT} (agent), mika and omar (customer service)`,
    `  member       /m       benito and ten more; ${ANSWERER} answers by itself`,
    '',
  ]
  return { lines, stop }
}

const makeFamily = async (running: Running): Promise<void> => {
  const { db } = running.services
  const passwordHash = await hashPassword(PASSWORD)
  type Parent = { id: number; topId: number; path: string; groupId: number }
  const find = async (username: string) => {
    const row = await one<Parent>(
      db,
      sql`select id, top_id as "topId", path, group_id as "groupId" from accounts where username = ${username}`,
    )
    if (!row) throw new Error(`the demo needs the account ${username}`)
    return row
  }
  const make = (role: Role, username: string, nickname: string, parent: Parent) =>
    db.transact(async (tx) => {
      const made = await makeAccount(tx, { parent, role, username, nickname, passwordHash })
      if (role === Role.member) await createRoom(tx, made)
      return made.id
    })

  const top = await find('admin')
  await make(2, AGENT, 'Dana', top)
  const dana = await find(AGENT)
  await make(3, 'mika', 'Mika', dana)
  await make(3, 'omar', 'Omar', dana)
  const office = await demoClient(running, dana.id, 'office')
  const issuer = await demoClient(running, top.id, 'office')
  await issuer.call('user/transaction', { id: dana.id, amount: '50000', remark: 'opening balance' })

  const asking = new Map<string, { id: number; client: Awaited<ReturnType<typeof demoClient>> }>()
  for (const [at, [username, nickname, ...talk]] of members.entries()) {
    const id = await make(4, username, nickname, dana)
    const member = await demoClient(running, id, 'member')
    asking.set(username, { id, client: member })
    const { data } = await member.call('room/list', {})
    const code = data[0]?.code ?? ''
    let last = ''
    for (const content of talk) last = (await member.call('sendMessage', { code, type: 1, content })).message_id
    await office.call('transaction/add', {
      member_id: id,
      type: 1,
      amount: `${100 + at * 25}.5`,
      remark: 'welcome',
      code,
    })
    if (at % 3 === 1) {
      // Points are paid out when they have been turned over.
      const bet = { topId: top.topId, memberId: id, betId: `demo-${id}` }
      await running.services.ledger.bet({ ...bet, amount: BigInt(1_005_000 + at * 250_000) })
      await running.services.ledger.win({ ...bet, amount: BigInt(600_000 + at * 200_000) })
      await office.call('transaction/add', { member_id: id, type: 2, amount: '20', remark: 'settled', code })
      await office.call('sendMessage', { code, type: 1, content: 'Done, thank you!', quote: last })
      if (at === 1) {
        const wrong = await office.call('sendMessage', { code, type: 1, content: 'This is for another member' })
        await office.call('message/takeBack', { code, message_id: wrong.message_id })
      }
    }
    if (at % 4 === 0) await office.call('user/edit', { id, withdraw_confirm: 1 })
  }
  await makeRequests(issuer, asking)
}
