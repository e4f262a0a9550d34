import { Role } from '@tallyroom/contract/codes'
import { type Sql, sql } from '../../data/sql.ts'
import type { Actor } from '../../identity/actor.ts'
import type { Network } from '../../lib/address.ts'
import { sha256 } from '../../lib/secrets.ts'

/** The bytes that may be sent in a day, which begins with the first file; 0: no limit. */
export type FilesPerDay = { ofAccount: number; ofAddress: number; ofShareCode: number }
/** The sender of a file, and its network. */
export type FileSender = { actor: Pick<Actor, 'id' | 'role' | 'parentId'>; network: Network }

/**
 * The budgets that a sender's files count against. A stranger can sign up for many accounts, so those of one network share
 * a budget, and so do members of one share code.
 */
export const budgetsOf = ({ actor, network }: FileSender, { ofAccount, ofAddress, ofShareCode }: FilesPerDay) => {
  const isMember = actor.role === Role.member
  const budgets = [
    { key: sha256(`files:account:${actor.id}`), most: ofAccount },
    { key: sha256(`files:network:${network}`), most: ofAddress },
    ...(isMember ? [{ key: sha256(`files:inviter:${actor.parentId}`), most: ofShareCode }] : []),
  ]
  return { keys: budgets.map(({ key }) => key), most: budgets.map(({ most }) => most) }
}

/** True when the bytes were counted against all budgets, false when one does not allow them. */
export const takeStorage = ({ keys, most }: ReturnType<typeof budgetsOf>, bytes: number): Sql =>
  sql`take_storage(${keys}::bytea[], ${most}::bigint[], ${bytes}::bigint)`
