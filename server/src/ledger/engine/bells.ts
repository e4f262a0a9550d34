import { type NewBellItem, ringBells } from '../../chat/bell/ring.ts'
import type { RoomRow } from '../../chat/room-row.ts'
import type { Tx } from '../../data/sql.ts'
import type { Hub } from '../../live/hub.ts'
import type { BatchFacts } from './load/load.ts'
import { lastSteps } from './write/cash.ts'
import type { Draft } from './write/write.ts'

type Where = { rooms: ReadonlyMap<number, RoomRow>; facts: BatchFacts }

/** BELL-02: decisions on what colleagues have asked for, and requests that a key has refused for the owner of the conversation. */
export const ringOfBatch = (
  tx: Tx,
  hub: Pick<Hub, 'notify'>,
  { approvals, approvedSensitiveChanges, cash }: Draft,
  { rooms, facts }: Where,
): Promise<void> => {
  const keys = new Set(facts.parties.filter(({ isKey }) => isKey).map(({ id }) => id))
  const decided = approvals.steps.flatMap(({ id, makerId, state, by }): NewBellItem[] =>
    state === 'withdrawn' ? [] : [{ accountId: makerId, kind: 'decision', byId: by, approvalId: id }],
  )
  const approved = approvedSensitiveChanges.map(
    ({ id, by, makerId }): NewBellItem => ({ accountId: makerId, kind: 'decision', byId: by, changeId: id }),
  )
  const refused = lastSteps(cash).flatMap(({ row, by }): NewBellItem[] => {
    const ownerId = rooms.get(row.roomId)?.ownerId
    if (row.state !== 'refused' || by === null || !keys.has(by) || !ownerId) return []
    // A key is nobody.
    return [{ accountId: ownerId, kind: 'refused', byId: null, roomId: row.roomId, cashId: row.id }]
  })
  return ringBells(tx, hub, [...decided, ...approved, ...refused])
}
