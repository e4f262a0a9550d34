import { accountActs, type AccountAct, type AccountPart, accountParts } from '@tallyroom/contract/pages/account-parts'
import type { accountCalls } from '@tallyroom/contract/calls/accounts/account'
import { AccountStatus, isOffice, Role } from '@tallyroom/contract/codes'
import { type AccountColumns, accountColumns, accountTables, asAccountRow } from '../../../accounts/accounts.ts'
import { bankSettings } from '../../../accounts/bank.ts'
import { contactsOf } from '../../../chat/contacts.ts'
import { type LeftJoined, one, sql } from '../../../data/sql.ts'
import { type Actor, chatGroup, visibleAccounts } from '../../../identity/actor.ts'
import { may, mayAct } from '../../../identity/policy.ts'
import { takesCashRequests } from '../../../ledger/engine/load/cash.ts'
import { ensure } from '../../../lib/refusal.ts'
import { erasedName } from '../../../retention/person.ts'
import type { Handlers } from '../../handler.ts'

export const viewHandlers = {
  'account/view': async ({ db, actor }, { id, username }) => {
    const isWanted = id === undefined ? sql`lower(a.username) = lower(${username ?? ''})` : sql`a.id = ${id}`
    const row = ensure(
      await one<ViewedRow>(
        db,
        sql`select ${accountColumns}, r.id as room_id, r.code, ${contactsOf(actor)} as is_contact,
            ${takesCashRequests(sql`${actor.groupId}::int`)} as takes_requests
          from ${accountTables} left join rooms r on r.group_id = ${chatGroup(actor)} and r.partner_id = a.id
          where ${isWanted} and not a.is_key and ${visibleAccounts(actor)}`,
      ),
      'account.not_found',
    )
    const { is_third } = await bankSettings(db, actor)
    const parts = partsOf(actor, row, is_third === 1)
    const acts = actsOf(actor, row)
    return {
      ...asAccountRow(row, actor),
      is_self: row.id === actor.id,
      is_erased: isErased(row),
      room: row.room_id === null ? null : { room_id: row.room_id, code: row.code },
      parts: accountParts.filter((part) => parts[part]),
      acts: accountActs.filter((act) => acts[act]),
    }
  },
} satisfies Pick<Handlers<typeof accountCalls>, 'account/view'>

type ViewedRow = AccountColumns &
  LeftJoined<{ room_id: number; code: string }> & { is_contact: boolean; takes_requests: boolean }

const isErased = ({ id, username }: ViewedRow) => username === erasedName(id)
const hasWallet = ({ role_id }: ViewedRow) => role_id !== Role.customerService

/** The calls behind each part check the same rights: this says which of them would answer. */
const partsOf = (actor: Actor, row: ViewedRow, hasBankAccounts: boolean): Record<AccountPart, boolean> => {
  const { role_id: role, id, room_id } = row
  const isMember = role === Role.member
  const isOther = id !== actor.id
  return {
    overview: true,
    transactions: hasWallet(row) && may(actor, 'transaction/list'),
    requests: isMember && room_id !== null && row.takes_requests && may(actor, 'cash/list'),
    bank: isMember && hasBankAccounts && may(actor, 'members/bank-card'),
    notes: isMember && room_id !== null && may(actor, 'note/list'),
    rights: isOffice(role) && may(actor, 'right/view'),
    limits: isOffice(role) && isOther && mayAct(actor, 'limit/view', role),
    sessions: isOther && mayAct(actor, 'session/listOf', role),
    audit: may(actor, 'audit/list'),
  }
}

const actsOf = (actor: Actor, row: ViewedRow): Record<AccountAct, boolean> => {
  const { role_id: role, id } = row
  const isLiving = id !== actor.id && !isErased(row)
  return {
    chat: isLiving && row.is_contact && may(actor, 'room/enter') && chatGroup(actor) !== 0,
    transaction: isLiving && mayAct(actor, 'user/transaction', role),
    deposit: isLiving && mayAct(actor, 'user/transaction', role, 'giving'),
    statement: hasWallet(row) && may(actor, 'statement/view'),
    edit: isLiving && mayAct(actor, 'user/edit', role),
    // TREE-03: customer service stays with its group.
    move: isLiving && role !== Role.customerService && may(actor, 'tree/move'),
    freeze: isLiving && row.status === AccountStatus.active && mayAct(actor, 'user/delete', role),
  }
}
