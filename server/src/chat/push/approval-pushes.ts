import { AccountStatus } from '@tallyroom/contract/codes'
import { type Db, many, one, run, type Sql, sql, type Tx } from '../../data/sql.ts'
import { actorOfAccount } from '../../identity/actor.ts'
import { isApprover, mayDecideSensitiveChange, mayDecideTransfer } from '../../identity/approvers.ts'
import { may } from '../../identity/policy.ts'
import type { Hub } from '../../live/hub.ts'
import { type ApprovalKind, DELAY_SECONDS, type DuePush, MAX_TRIES, type PushContent, retryAt } from './due.ts'

const sources: Record<ApprovalKind, { from: Sql; mayDecide: (approver: Sql) => Sql }> = {
  transfer: {
    from: sql`approvals i join accounts a on a.id = i.maker_id join accounts h on h.id = i.holder_id`,
    mayDecide: mayDecideTransfer,
  },
  change: { from: sql`sensitive_changes i join accounts a on a.id = i.maker_id`, mayDecide: mayDecideSensitiveChange },
}

/**
 * Queues a push to every browser of those who may decide the new items `which`, in the transaction that makes them, so
 * none is lost or sent twice. Returns these accounts.
 */
const queueApprovalPushes = async (tx: Tx, about: ApprovalKind, which: Sql): Promise<Set<number>> => {
  const { from, mayDecide } = sources[about]
  const approvers = await many<{ id: number }>(
    tx,
    sql`with found as (select i.id as item, i.top_id, u.id from ${from} join accounts u on u.top_id = i.top_id
          where ${which} and i.state = 'waiting' and ${isApprover('u')} and ${mayDecide(sql`u.id`)}),
        queued as (insert into approval_pushes (subscription_id, about, item_id, top_id, due_at)
          select p.id, ${about}, f.item, f.top_id, now() + make_interval(secs => ${DELAY_SECONDS}::int)
          from found f join push_subscriptions p on p.account_id = f.id order by 1, 3 on conflict do nothing)
      select distinct id from found`,
  )
  return new Set(approvers.map(({ id }) => id))
}

type Touched = {
  topIds: number[]
  makerIds: number[]
  /** The approvals that wait since this change. */
  made: { about: ApprovalKind; which: Sql } | undefined
}

/**
 * Makes the pages of the makers, and of all who may approve something, fetch what concerns them. Of `made`, those who may
 * decide it hear a sound and get a push.
 */
export const tellApprovers = async (
  tx: Tx,
  hub: Pick<Hub, 'notify'>,
  { topIds, makerIds, made }: Touched,
): Promise<void> => {
  if (topIds.length === 0) return
  const called = made ? await queueApprovalPushes(tx, made.about, made.which) : new Set<number>()
  const approvers = await many<{ id: number }>(
    tx,
    sql`select u.id from accounts u where u.top_id = any(${topIds}::int[]) and ${isApprover('u')}`,
  )
  const ids = new Set([...approvers.map(({ id }) => id), ...makerIds])
  tx.afterCommit(() => {
    for (const id of ids) hub.notify(id, 'approval', called.has(id) ? { calls: 1 } : {})
  })
}

const words = {
  transfer: { body: 'push.transfer_waits', call: 'approval/approve' },
  change: { body: 'push.change_waits', call: 'change/approve' },
} as const

/** Checks again at sending time: undefined when it was decided, or the account may not decide it any more. Names nobody. */
export const loadApprovalContent = async (
  db: Db,
  { itemId, accountId }: DuePush,
  about: ApprovalKind,
  timeZone: string,
): Promise<PushContent | undefined> => {
  const { from, mayDecide } = sources[about]
  const { body, call } = words[about]
  const actor = await actorOfAccount(db, accountId, timeZone)
  if (!actor || actor.status !== AccountStatus.active || !may(actor, call)) return undefined
  const waits = await one(
    db,
    sql`select 1 as is from ${from} where i.id = ${itemId} and i.state = 'waiting' and i.expires_at > statement_timestamp()
      and ${mayDecide(sql`${accountId}::int`)}`,
  )
  return waits && { title: undefined, body, url: '/approvals', tag: 'approvals', seq: 0 }
}

type Key = Pick<DuePush, 'subscriptionId' | 'about' | 'itemId'>
const is = ({ subscriptionId, about, itemId }: Key) =>
  sql`subscription_id = ${subscriptionId} and about = ${about} and item_id = ${itemId}`

export const finishApprovalPush = (db: Db, due: Key): Promise<void> =>
  run(db, sql`delete from approval_pushes where ${is(due)}`)

export const retryApprovalPush = (db: Db, due: DuePush): Promise<void> =>
  due.tries < MAX_TRIES
    ? run(db, sql`update approval_pushes set due_at = ${retryAt(due)} where ${is(due)} and tries = ${due.tries}`)
    : finishApprovalPush(db, due)
