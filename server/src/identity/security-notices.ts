import type { Answer } from '@tallyroom/contract'
import type { ServerEvents } from '@tallyroom/contract/events'
import { type Db, many, run, sql, type Tx } from '../data/sql.ts'
import type { Caller } from './caller.ts'

type Notice = Parameters<ServerEvents['security']>[0]
/** The part of the socket hub that notices need. `live/hub.ts` implements it. */
export type Notifier = {
  notify(accountId: number, event: 'security', payload: Notice, exceptSession?: bigint): void
}

type Source = { caller: Caller; session?: { id: bigint } | undefined }

/** Tells the other devices of an account what has happened; those that are offline find it in `security/list`. */
export const noticeSecurity = async (
  tx: Tx,
  hub: Notifier,
  account: { id: number; topId: number },
  kind: Notice['kind'],
  { caller, session }: Source,
): Promise<void> => {
  const user_agent = caller.userAgent.slice(0, 300)
  await run(
    tx,
    sql`insert into security_notices (account_id, top_id, kind, session_id, user_agent, address)
      values (${account.id}, ${account.topId}, ${kind}, ${session?.id ?? null}, ${user_agent}, ${caller.address})`,
  )
  tx.afterCommit(() => hub.notify(account.id, 'security', { kind, user_agent, address: caller.address }, session?.id))
}

const SHOWN = 20

/** The newest notices of an account. */
export const securityNotices = (db: Db, accountId: number): Promise<Answer<'security/list'>['data']> =>
  many<Answer<'security/list'>['data'][number]>(
    db,
    sql`select id::text, kind, user_agent, address,
        to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at
      from security_notices where account_id = ${accountId} order by id desc limit ${SHOWN}::int`,
  )
