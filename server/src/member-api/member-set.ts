import type { MemberApi } from '@tallyroom/contract/member-api'
import { AccountStatus } from '@tallyroom/contract/codes'
import type { z } from 'zod'
import { onTakenName } from '../accounts/accounts.ts'
import { one, run, sql } from '../data/sql.ts'
import { audit, differencesOf } from '../identity/audit.ts'
import { endSessions } from '../identity/sessions.ts'
import { ensure } from '../lib/refusal.ts'
import { erasedName } from '../retention/person.ts'
import type { ApiCtx } from './context.ts'
import { memberBelow } from './named-account.ts'

type Input = z.output<MemberApi['member/set']['request']>
type Fields = {
  nickname: string
  status: 0 | 1
  withdraw_confirm: 0 | 1
  event_mode: 0 | 1
  third_party_id: string | null
}

export const memberSetHandlers = {
  'member/set': async (ctx: ApiCtx, { set, username, third_party_id }: Input) => {
    const { db, services, keyId } = ctx
    const member = await memberBelow(ctx, { username, third_party_id })
    const before = ensure(
      await one<Fields>(
        db,
        sql`select nickname, status, withdraw_confirm, event_mode, third_party_id from accounts
          where id = ${member.id} and username <> ${erasedName(member.id)} for no key update`,
      ),
      'account.not_found',
    )
    const after: Fields = {
      nickname: set.nickname ?? before.nickname,
      status: set.status ?? before.status,
      withdraw_confirm: set.withdraw_confirm ?? before.withdraw_confirm,
      event_mode: set.event_mode ?? before.event_mode,
      third_party_id: set.third_party_id === undefined ? before.third_party_id : set.third_party_id,
    }
    await run(
      db,
      sql`update accounts set nickname = ${after.nickname}, status = ${after.status}, withdraw_confirm = ${after.withdraw_confirm},
          event_mode = ${after.event_mode}, third_party_id = ${after.third_party_id} where id = ${member.id}`,
    ).catch(onTakenName(member.username))
    const isFrozen = after.status === AccountStatus.frozen
    if (isFrozen && before.status !== after.status) await endSessions(db, services.hub, member.id, 'frozen')
    for (const [kind, facts] of entriesOf(before, after))
      if (Object.keys(facts).length) await audit(db, ctx, kind, member, { ...facts, api_key: keyId })
    db.afterCommit(() => services.hub.notify(member.id, 'account', { account_id: member.id }))
    return { ...after, username: member.username }
  },
}

/** The entries of the audit log that the office writes for the same fields. */
const entriesOf = (before: Fields, after: Fields) => {
  const { nickname, third_party_id, withdraw_confirm, event_mode, status } = after
  return [
    ['account_edited', differencesOf({ ...before }, { nickname, third_party_id })],
    ['withdraw_confirm_changed', differencesOf({ ...before }, { withdraw_confirm })],
    ['abilities_changed', differencesOf({ ...before }, { event_mode })],
    [status === AccountStatus.frozen ? 'account_frozen' : 'account_unfrozen', differencesOf({ ...before }, { status })],
  ] as const
}
