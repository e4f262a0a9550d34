import { type KindFacts, transferKinds } from '@tallyroom/contract/transfer-kinds'
import type { Sql } from './sql.ts'

/**
 * SQL text for `op in`, such as `(2, 6)`. Literals, because parameters would change the query plans.
 */
const kindSet = (fits: (facts: KindFacts) => boolean): Sql => {
  const kinds = Object.entries(transferKinds).flatMap(([kind, facts]) => (fits(facts) ? [kind] : []))
  return { text: `(${kinds.join(', ')})`, values: [] }
}

export const takingKinds = kindSet(({ direction }) => direction === 'take')
/** The kinds of the office that take points; a bet takes too. */
export const officeTakingKinds = kindSet(({ direction, isReported }) => direction === 'take' && isReported)
export const unreportedKinds = kindSet(({ isReported }) => !isReported)
export const platformKinds = kindSet(({ startedBy }) => startedBy.includes('platform'))
export const correctableKinds = kindSet(({ isCorrectable }) => isCorrectable)
/** Their turnover amount is subtracted from what the member must bet. */
export const reducingKinds = kindSet(({ turnover }) => turnover === 'fills' || turnover === 'lifts')
