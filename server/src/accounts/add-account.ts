import { Role } from '@tallyroom/contract/codes'
import { createRoom } from '../chat/create-room.ts'
import { run, sql, type Tx } from '../data/sql.ts'
import { audit, type AuditFacts } from '../identity/audit.ts'
import { limitToMaker } from './abilities.ts'
import { makeAccount, type NewAccount } from './accounts.ts'

/**
 * Adds an account in the name of `by`, with its audit entry and a member's room: with no ability that the maker lacks,
 * and none that the agent above lacks.
 */
export const addAccount = async (
  tx: Tx,
  by: Parameters<typeof audit>[1],
  account: NewAccount,
  facts: AuditFacts = {},
): Promise<{ id: number; topId: number; groupId: number }> => {
  const made = await makeAccount(tx, account)
  if (account.role === Role.member) await createRoom(tx, made)
  else if (by.actor) {
    await limitToMaker(tx, { id: made.id, makerId: by.actor.id })
    await run(tx, sql`update accounts set made_by = ${by.actor.id} where id = ${made.id}`)
  }
  await audit(tx, by, 'account_added', made, { role_id: account.role, nickname: account.nickname, ...facts })
  return made
}
