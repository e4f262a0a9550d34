import { randomBytes } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import { type Db, many, one, run, sql, type Tx } from '../data/sql.ts'
import { is } from '../domain/is.ts'
import { isSandbox } from '../domain/sandboxes.ts'
import { audit, type AuditFacts } from '../identity/audit.ts'
import type { SessionEnder } from '../identity/context.ts'
import { NO_PASSWORD } from '../identity/passwords.ts'
import { lockWallets } from '../ledger/engine/wallet-locks.ts'
import { ensure } from '../lib/refusal.ts'
import { makeAccount } from './accounts.ts'
import { actorOfKey } from './api-keys.ts'

/** The top account of a platform's sandbox; undefined while it has none. */
const sandboxOf = async (db: Db, ownerId: number): Promise<number | undefined> =>
  (
    await one<{ topId: number }>(
      db,
      sql`select top_id as "topId" from sandboxes where owner_id = ${ownerId} and emptied_at is null`,
    )
  )?.topId

/** The top account of a platform's sandbox, made if it has none. Nobody signs in to it: keys and its agents act there. */
export const openSandbox = async (tx: Tx, ownerId: number): Promise<number> => {
  // The second of two that open it at once finds it.
  await run(tx, sql`select 1 from accounts where id = ${ownerId} for no key update`)
  return (await sandboxOf(tx, ownerId)) ?? makeSandbox(tx, ownerId)
}

const makeSandbox = async (tx: Tx, ownerId: number): Promise<number> => {
  const { id } = await makeAccount(tx, {
    parent: undefined,
    role: Role.admin,
    username: `sandbox-${randomBytes(3).toString('hex')}`,
    nickname: 'Sandbox',
    passwordHash: NO_PASSWORD,
    unlimited: true,
  })
  await run(tx, sql`insert into sandboxes (top_id, owner_id) values (${id}, ${ownerId})`)
  await copyRules(tx, ownerId, id)
  return id
}

/** Nobody has the sandbox's office: its members may ask for points, to and from the banks of the platform. */
const copyRules = async (tx: Tx, ownerId: number, id: number): Promise<void> => {
  await run(
    tx,
    sql`insert into settings (account_id, top_id, name, cash_requests)
      select ${id}, ${id}, coalesce((select name from settings where account_id = ${ownerId}), ''), 1`,
  )
  await run(
    tx,
    sql`insert into bank_settings (top_id, is_third, has_bank_card_setting, bank_card_amount, enable_bsb_code, bsb_code_alias, account_name_modify, cj7)
      select ${id}, is_third, has_bank_card_setting, bank_card_amount, enable_bsb_code, bsb_code_alias, account_name_modify, cj7
      from bank_settings where top_id = ${ownerId}`,
  )
  await run(
    tx,
    sql`insert into banks (top_id, name) select ${id}, name from banks where top_id = ${ownerId} and status = ${is.offered}`,
  )
}

/**
 * Puts an empty sandbox in the place of a platform's. The former one is frozen and stays for the ledger, the seal and the
 * log, which have no gaps; its members are erased afterwards (retention/sandboxes.ts). Keys and endpoints go on in the new
 * one, and events with the next number. False without a sandbox.
 */
export const emptySandbox = async (
  tx: Tx,
  hub: SessionEnder,
  source: Parameters<typeof audit>[1],
  ownerId: number,
  facts: AuditFacts = {},
): Promise<boolean> => {
  await run(tx, sql`select 1 from accounts where id = ${ownerId} for no key update`)
  const former = await sandboxOf(tx, ownerId)
  if (former === undefined) return false
  await run(tx, sql`update sandboxes set emptied_at = now() where top_id = ${former}`)
  const topId = await makeSandbox(tx, ownerId)
  // First: a write holds the row of its key, so it is over by now, or finds its accounts frozen.
  const keys = await many<{ id: string }>(
    tx,
    sql`update api_keys set top_id = ${topId}, actor_id = null where top_id = ${former} returning id`,
  )
  await run(tx, sql`update webhook_endpoints set top_id = ${topId} where top_id = ${former}`)
  await run(
    tx,
    sql`insert into event_numbers (top_id, account_id, last)
      select ${topId}, 0, last from event_numbers where top_id = ${former} and account_id = 0`,
  )
  // In the order of the ledger, which would otherwise wait for this and this for it.
  await lockWallets(tx, sql`array(select id from accounts where top_id = ${former})`)
  // Their names are free again.
  await run(
    tx,
    sql`update accounts set status = ${is.frozen}, username = 'erased-' || id, nickname = '', password_hash = '',
        third_party_id = null, domain = '', share_code = gen_random_uuid()::text
      where top_id = ${former} and role_id <> all (array[${is.member}, ${is.gameAccount}]::int[])`,
  )
  await run(tx, sql`update accounts set status = ${is.frozen} where top_id = ${former} and role_id = ${is.member}`)
  for (const { id } of keys) await actorOfKey(tx, id)
  const ended = await many<{ id: bigint }>(
    tx,
    sql`update sessions set ended_at = now(), end_reason = 'frozen'
      where ended_at is null and account_id in (select id from accounts where top_id = ${former}) returning id`,
  )
  tx.afterCommit(() =>
    hub.endSessions(
      ended.map(({ id }) => id),
      'frozen',
    ),
  )
  await audit(tx, source, 'sandbox_emptied', { id: ownerId, topId: ownerId }, facts)
  return true
}

export const ensureSandbox = async (db: Db, topId: number): Promise<void> => {
  ensure(await one(db, sql`select 1 as is where ${isSandbox(sql`${topId}::int`)}`), 'api.only_in_sandbox')
}
