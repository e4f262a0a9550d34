import type { BellKind } from '@tallyroom/contract/desk/bell'
import { many, run, sql, type Tx } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import type { Hub } from '../../live/hub.ts'
import { DELAY_SECONDS } from '../raise-rooms.ts'

export type NewBellItem = {
  accountId: number
  kind: BellKind
  /** Who did it; null for the server. */
  byId: number | null
  roomId?: number | null
  /** One of these says what it is about. */
  asideId?: string
  contentId?: number
  approvalId?: number
  changeId?: number
  cashId?: number
  /** How many conversations were handed over at once. */
  rooms?: number
}

/**
 * Puts items into the bells of people of the office, in the transaction that makes what they say: none is lost, and one that
 * is there already is not added again. Keys, frozen accounts and who did it have none. Their pages hear of it after the
 * commit, and browsers without a page a moment later.
 */
export const ringBells = async (tx: Tx, hub: Pick<Hub, 'notify'>, items: readonly NewBellItem[]): Promise<void> => {
  if (items.length === 0) return
  const column = <T>(pick: (item: NewBellItem) => T) => items.map(pick)
  const rung = await many<{ id: number; accountId: number }>(
    tx,
    sql`insert into bell_items (account_id, top_id, kind, by_id, room_id, aside_id, content_id, approval_id, change_id, cash_id, rooms)
      select a.id, a.top_id, v.kind, v.by_id, v.room_id, v.aside_id, v.content_id, v.approval_id, v.change_id, v.cash_id, v.rooms
      from unnest(${column((i) => i.accountId)}::int[], ${column((i) => i.kind)}::text[], ${column((i) => i.byId)}::int[],
          ${column((i) => i.roomId ?? null)}::int[], ${column((i) => i.asideId ?? null)}::uuid[],
          ${column((i) => i.contentId ?? null)}::int[], ${column((i) => i.approvalId ?? null)}::int[],
          ${column((i) => i.changeId ?? null)}::int[], ${column((i) => i.cashId ?? null)}::int[], ${column((i) => i.rooms ?? 1)}::int[])
          v (account_id, kind, by_id, room_id, aside_id, content_id, approval_id, change_id, cash_id, rooms)
        join accounts a on a.id = v.account_id and a.id is distinct from v.by_id
      where a.role_id <= ${is.customerService} and not a.is_key and a.status = ${is.active}
      order by 1 on conflict do nothing returning id, account_id as "accountId"`,
  )
  if (rung.length === 0) return
  await run(
    tx,
    sql`insert into approval_pushes (subscription_id, about, item_id, top_id, due_at)
      select p.id, 'bell', b.id, b.top_id, now() + make_interval(secs => ${DELAY_SECONDS}::int)
      from bell_items b join accounts a on a.id = b.account_id and not b.kind = any(a.bell_quiet)
        join push_subscriptions p on p.account_id = b.account_id
      where b.id = any(${rung.map(({ id }) => id)}::int[]) order by 1, 3 on conflict do nothing`,
  )
  const accounts = new Set(rung.map(({ accountId }) => accountId))
  tx.afterCommit(() => {
    for (const id of accounts) hub.notify(id, 'bell', { rings: 1 })
  })
}
