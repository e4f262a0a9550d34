import { TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { one, run, sql } from '../data/sql.ts'
import type { Person, TestServer } from './app.ts'
import { asSuperuser } from './postgres.ts'

type Most = Partial<Record<'transfer' | 'hour' | 'day' | 'member', string>>

/** Limits an account, by one kind of transfer. */
export const limit = (by: Person, { id }: Person, type: 1 | 2 | 3 | 4 | 5 | 6, most: Most) =>
  by.call('limit/save', { id, limits: [{ type, transfer: null, hour: null, day: null, member: null, ...most }] })

/** A family in which customer service gives at most 100 in one transfer, and the agent may approve. */
export const limitedFamily = async (server: TestServer) => {
  const people = await server.family()
  const { top, agent, cs } = people
  await top.call('user/saveAbilities', { id: agent.id, may_approve: 1 })
  await limit(agent, cs, TransferKind.send, { transfer: '100' })
  return people
}

/** The only approval that waits for this person, as it is shown when it is opened. */
export const waitingFor = async (who: Person) => {
  const { data } = await who.call('approval/list', {})
  const [row] = data
  if (!row || data.length > 1) throw new Error(`${data.length} approvals wait for the account, not one`)
  return approvalRow(who, row.id)
}
export const approvalRow = async (who: Person, id: number) => {
  const [row] = (await who.call('approval/list', { id })).data
  if (!row) throw new Error(`approval ${id} is not there`)
  return row
}
export const approve = async (who: Person) => {
  const { id, seen } = await waitingFor(who)
  return who.call('approval/approve', { id, seen })
}

/** The balance of a wallet in whole points; kinds as in `WalletKind`. */
export const balanceOf = async (
  { services: { db } }: TestServer,
  { id }: Pick<Person, 'id'>,
  kind: WalletKind = WalletKind.main,
) =>
  (
    await one<{ points: number }>(
      db,
      sql`select (balance / 10000.0)::float as points from wallets where account_id = ${id} and kind = ${kind}`,
    )
  )?.points

/** Moves the deadline of an approval into the past, as if its time were over. */
export const passDeadline = (id: number) =>
  asSuperuser((tx) => run(tx, sql`update approvals set expires_at = now() - interval '1 second' where id = ${id}`))
