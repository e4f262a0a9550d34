import { one, run, sql } from '../data/sql.ts'
import type { Person, TestServer } from './app.ts'
import { bankRules } from './bank.ts'
import { asSuperuser, type TestConnection } from './postgres.ts'

/** A family whose group takes requests; the member has 100 points without turnover, and a bank account. */
export const cashFamily = async (server: TestServer) => {
  const people = await server.family()
  const { top, agent, member } = people
  await top.call('bank_setting/save', bankRules)
  await top.call('setting/save', { cash_requests: 1 })
  const { id: bank_id } = await top.call('orderType/save', { name: 'North' })
  const card = { member_id: member.id, bank_id, account_name: 'Ann Lee', account_no: '12345678' }
  await top.call('members/bank-account/create', card)
  await agent.call('user/transaction', { id: member.id, amount: '100', remark: 'start' })
  await server.meetTurnover(member)
  const [account] = (await member.call('cash/view', {})).accounts
  if (!account) throw new Error('the member has no bank account')
  const out = (amount: string) => ({ direction: 'out' as const, amount, account_id: account.id })
  const asked = async (amount = '30') => (await member.call('cash/ask', out(amount))).id
  const taken = async (by: Person, amount = '30') => {
    const id = await asked(amount)
    await by.call('cash/take', { id })
    return id
  }
  return { ...people, account, out, asked, taken }
}

/** The member's main wallet and its escrow, in whole points. */
export const walletsOf = async ({ services: { db } }: TestServer, { id }: Pick<Person, 'id'>) => {
  const found = await one<{ main: number; held: number }>(
    db,
    sql`select (sum(balance) filter (where kind = 1) / 10000)::float as main,
        (coalesce(sum(balance) filter (where kind = 3), 0) / 10000)::float as held
      from wallets where account_id = ${id}`,
  )
  return [found?.main, found?.held]
}

/** Moves a lease or a deadline into the past, as if its time were over. The program itself never changes a deadline. */
export const passTime = (id: number, of: 'lease' | 'deadline', config?: TestConnection) =>
  asSuperuser(
    (tx) =>
      run(
        tx,
        of === 'lease'
          ? sql`update cash_requests set lease_until = now() - interval '1 second' where id = ${id}`
          : sql`update cash_requests set expires_at = now() - interval '1 second' where id = ${id}`,
      ),
    config,
  )
