import { type LimitPart, limitParts } from '@tallyroom/contract/limits'
import type { Points } from '@tallyroom/contract/points'
import type { OfficeKind } from '@tallyroom/contract/transfer-kinds'

/** The rules of limits. Pure, like rules.ts. */

/**
 * The limits of one account for one kind of transfer, with what it and everyone below it have moved without approval.
 * Counted when a transfer is made; an envelope that is rejected later still counts.
 */
export type Limit = {
  accountId: number
  topId: number
  transferKind: OfficeKind
  most: Record<LimitPart, Points | null>
  hourUsed: Points
  dayUsed: Points
  /** The points of today by receiver; kept only where that is limited. */
  memberUsed: Map<number, Points>
}

/** The limit that a transfer is above, and whose it is. */
export type Excess = { holderId: number; part: LimitPart; most: Points }

const usedOf = ({ hourUsed, dayUsed, memberUsed }: Limit, part: LimitPart, targetId: number): Points =>
  part === 'transfer' ? 0n : part === 'hour' ? hourUsed : part === 'day' ? dayUsed : (memberUsed.get(targetId) ?? 0n)

/**
 * The limits that hold for an account: its own and those of every account above, from the top down. Those above hold
 * too, because an upline could sign in as an account below it.
 */
export const limitsAlong = <L extends Pick<Limit, 'accountId'>>(path: string, limits: readonly L[]): L[] =>
  path.split('/').flatMap((id) => (id === '' ? [] : limits.filter(({ accountId }) => accountId === Number(id))))

/** The limit highest in the tree that a transfer is above; undefined when it needs no approval. */
export const excessOf = (limits: readonly Limit[], targetId: number, amount: Points): Excess | undefined => {
  for (const limit of limits) {
    for (const part of limitParts) {
      const most = limit.most[part]
      if (most !== null && usedOf(limit, part, targetId) + amount > most)
        return { holderId: limit.accountId, part, most }
    }
  }
  return undefined
}

/** Adds a transfer to the sums of its limits. */
export const countTransfer = (limits: readonly Limit[], targetId: number, amount: Points): void => {
  for (const limit of limits) {
    limit.hourUsed += amount
    limit.dayUsed += amount
    if (limit.most.member !== null) limit.memberUsed.set(targetId, usedOf(limit, 'member', targetId) + amount)
  }
}

/** How much may be moved now without approval, and the limit that says so; undefined when nothing does. */
export const leftOf = (
  limits: readonly Limit[],
  targetId: number,
): { left: Points; part: LimitPart; most: Points } | undefined => {
  let least: { left: Points; part: LimitPart; most: Points } | undefined
  for (const limit of limits) {
    for (const part of limitParts) {
      const most = limit.most[part]
      if (most === null) continue
      const rest = most - usedOf(limit, part, targetId)
      const left = rest > 0n ? rest : 0n
      if (!least || left < least.left) least = { left, part, most }
    }
  }
  return least
}
