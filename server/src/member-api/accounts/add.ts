import { AccountStatus, isOperator, Role } from '@tallyroom/contract/codes'
import type { MemberApi } from '@tallyroom/contract/member-api'
import type { z } from 'zod'
import { makeAccount } from '../../accounts/accounts.ts'
import { askForApproval, isGuarded } from '../../accounts/sensitive-changes.ts'
import { raisedCredit } from '../../calls/accounts/ability.ts'
import { createRoom } from '../../chat/create-room.ts'
import { once } from '../../data/idempotency.ts'
import { one, sql } from '../../data/sql.ts'
import { actorOfAccount } from '../../identity/actor.ts'
import { audit } from '../../identity/audit.ts'
import { hashPassword, NO_PASSWORD } from '../../identity/passwords.ts'
import { ensure, refuse, Refused } from '../../lib/refusal.ts'
import type { ApiCtx, BatchedApiCtx } from '../context.ts'
import { invalidFields } from '../invalid-fields.ts'
import { type ApiAccount, below } from '../named-account.ts'
import { madeUpUsername } from './made-up-username.ts'

type NewPerson = z.output<MemberApi['member/add']['request']>

/** A name that was made up may be taken in the same moment. */
const TRIES = 5

export const add = async (ctx: BatchedApiCtx, role: 2 | 4, person: NewPerson, limitOfCredit = 0n) => {
  const { report } = ctx
  if (!report) throw new Error('adding an account needs a request_id')
  const { username, third_party_id: thirdPartyId } = person
  if (username === undefined && thirdPartyId === undefined)
    throw invalidFields([{ path: ['username'], reason: 'Give username, third_party_id or both' }])
  if (person.parent !== undefined && person.parent_third_party_id !== undefined)
    throw invalidFields([{ path: ['parent'], reason: 'Give at most one of parent and parent_third_party_id' }])
  // Hashed outside the transaction. Without a password only tokens sign the account in.
  const passwordHash = person.password ? await hashPassword(person.password, ctx.caller) : NO_PASSWORD
  const addAs = (name: string) =>
    once(ctx.db, report, async (db) => {
      await ctx.keepRight(db)
      return make({ ...ctx, db }, role, { ...person, username: name, passwordHash, limitOfCredit })
    })
  if (username !== undefined) return addAs(username)
  for (let tried = 0; ; tried++) {
    try {
      return await addAs(madeUpUsername(thirdPartyId ?? '', tried === 0))
    } catch (error) {
      const isTaken = error instanceof Refused && error.refusal === 'account.username_taken'
      if (!isTaken || tried === TRIES) throw error
    }
  }
}

type HashedPerson = Omit<NewPerson, 'password' | 'username'> & {
  username: string
  passwordHash: string
  limitOfCredit: bigint
}

const parentOf = async (ctx: ApiCtx, { parent, parent_third_party_id }: HashedPerson): Promise<ApiAccount> =>
  parent === undefined && parent_third_party_id === undefined
    ? ensure(
        await one<ApiAccount>(
          ctx.db,
          sql`select id, top_id as "topId", role_id as role, username, path, group_id as "groupId", status from accounts where id = ${ctx.topId}`,
        ),
        'account.not_found',
      )
    : below(ctx, { username: parent, third_party_id: parent_third_party_id }, true)

const make = async (ctx: ApiCtx, role: 2 | 4, person: HashedPerson) => {
  const { db, topId } = ctx
  const parent = await parentOf(ctx, person)
  if (!isOperator(parent.role) || parent.status === AccountStatus.frozen) return refuse('account.not_found')
  const { username, passwordHash, third_party_id: thirdPartyId } = person
  const nickname = person.nickname || username
  const waits = person.limitOfCredit > 0n && (await isGuarded(db, topId, 'credit'))
  const limitOfCredit = waits ? 0n : person.limitOfCredit
  const made = await makeAccount(db, { parent, role, username, nickname, passwordHash, limitOfCredit, thirdPartyId })
  if (role === Role.member) await createRoom(db, made)
  await audit(db, ctx, 'account_added', made, {
    role_id: role,
    nickname,
    ...(thirdPartyId ? { third_party_id: thirdPartyId } : {}),
    api_key: ctx.keyId,
  })
  if (waits) await askForCredit(ctx, made, person.limitOfCredit)
  const row = await one<{ share_code: string }>(db, sql`select share_code from accounts where id = ${made.id}`)
  return { id: made.id, username, share_code: row?.share_code ?? '', ...(waits ? { approval: 1 as const } : {}) }
}

/** In the name of the top account: another admin has to approve it. */
const askForCredit = async (ctx: ApiCtx, made: { id: number; topId: number }, credit: bigint) => {
  const { db, services, topId } = ctx
  const actor = ensure(await actorOfAccount(db, topId, services.settings.timeZone), 'account.not_found')
  await askForApproval({ ...ctx, actor }, raisedCredit(made, { before: 0n, after: -credit }))
}
