import { Role } from '@tallyroom/contract/codes'
import { type Sql, sql } from '../data/sql.ts'
import { is } from '../domain/is.ts'

/**
 * Who may decide what waits for approval. These are the only statements of the two rules: lists, decisions and the
 * notifications of approvers all use them.
 */

/** Whether the account of this alias could decide something. Which of it, the rules below say. */
export const isApprover = (alias: 'u' | 'me'): Sql => ({
  text: `(${alias}.role_id <= ${is.customerService.text} and not ${alias}.is_key and ${alias}.status = ${is.active.text} and (${alias}.role_id = ${is.admin.text} or ${alias}.may_approve = 1))`,
  values: [],
})

/**
 * Whether an account may decide a transfer of the maker `a` above a limit of `h`. Never the maker, nor an account at or
 * below the holder of the limit: the holder, and the maker when it is the holder, can set the passwords of those below.
 * Uplines decide, and colleagues of customer service.
 */
export const mayDecideTransfer = (approver: Sql): Sql =>
  sql`exists (select from accounts me where me.id = ${approver} and me.id <> a.id and me.top_id = a.top_id and ${isApprover('me')}
    and not starts_with(me.path, h.path)
    and case when me.role_id = ${Role.customerService} then a.role_id = ${Role.customerService} and a.group_id = me.group_id
      else starts_with(a.path, me.path) end)`

/**
 * Whether an account may decide a sensitive change of the maker `a`: never the maker itself. Admins decide for each
 * other, because none can set another's password, unless both were made by the same admin. They decide for a key of the
 * member API as for its top account, which holds its secret. Changes of others are decided by those above them.
 */
export const mayDecideSensitiveChange = (approver: Sql): Sql =>
  sql`exists (select from accounts me where me.id = ${approver} and me.id <> a.id and me.top_id = a.top_id and ${isApprover('me')}
    and case when a.role_id = ${is.admin} or a.is_key then me.role_id = ${is.admin} and origin_of(me.id) <> origin_of(a.id)
      else me.role_id <= ${is.agent} and starts_with(a.path, me.path) end)`
