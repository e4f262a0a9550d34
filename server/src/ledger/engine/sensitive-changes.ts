import { many, run, type Sql, sql, type Tx } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import { mayDecideSensitiveChange } from '../../identity/approvers.ts'
import type { Order } from '../rules/orders.ts'

/** A change `c` whose deadline is over has expired. */
export const isWaiting: Sql = sql`(c.state = 'waiting' and c.expires_at > statement_timestamp())`

/** Approved corrections of a batch that are still waiting, and that the approver may decide. Locked. */
export type OpenSensitiveChange = { id: number; isWaiting: boolean; mayDecide: boolean; makerIsFrozen: boolean }

export const lockSensitiveChanges = async (
  tx: Tx,
  orders: Order[],
): Promise<Map<number, OpenSensitiveChange> | undefined> => {
  const approved = orders.flatMap((order) =>
    order.kind === 'correct' && order.approves ? [{ id: order.approves.sensitiveChangeId, by: order.actor.id }] : [],
  )
  if (approved.length === 0) return undefined
  const rows = await many<OpenSensitiveChange>(
    tx,
    sql`select c.id, ${isWaiting} as "isWaiting", ${mayDecideSensitiveChange(sql`v.by`)} as "mayDecide",
        a.status = ${is.frozen} as "makerIsFrozen"
      from unnest(${approved.map(({ id }) => id)}::int[], ${approved.map(({ by }) => by)}::int[]) v (id, by)
        join sensitive_changes c on c.id = v.id join accounts a on a.id = c.maker_id
      order by c.id for no key update of c`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export type ApprovedSensitiveChange = { id: number; by: number; makerId: number }
export const endSensitiveChanges = (tx: Tx, approved: ApprovedSensitiveChange[]): Promise<void> =>
  run(
    tx,
    sql`update sensitive_changes c set state = 'approved', ended_at = now(), ended_by = v.by
      from unnest(${approved.map(({ id }) => id)}::int[], ${approved.map(({ by }) => by)}::int[]) v (id, by)
      where c.id = v.id`,
  )
