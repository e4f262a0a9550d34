import { TransferKind } from '@tallyroom/contract/codes'
import { type KindFacts, transferKinds } from '@tallyroom/contract/transfer-kinds'
import type { Sql } from '../data/sql.ts'

/** SQL text for `op in`, such as `(2, 6)`. Literals, because parameters would change the query plans. */
const textOf = (kinds: readonly (string | TransferKind)[]): Sql => ({ text: `(${kinds.join(', ')})`, values: [] })
const kindSet = (fits: (facts: KindFacts) => boolean): Sql =>
  textOf(Object.entries(transferKinds).flatMap(([kind, facts]) => (fits(facts) ? [kind] : [])))

export const givingKinds = kindSet(({ direction }) => direction === 'give')
export const takingKinds = kindSet(({ direction }) => direction === 'take')
/** The kinds of the office that take points; a bet takes too. */
export const officeTakingKinds = kindSet(({ direction, isReported }) => direction === 'take' && isReported)
export const unreportedKinds = kindSet(({ isReported }) => !isReported)
export const platformKinds = kindSet(({ startedBy }) => startedBy.includes('platform'))
export const correctableKinds = kindSet(({ isCorrectable }) => isCorrectable)
/** Each opens a flow limit: its turnover amount has to be bet before points are taken. */
export const openingKinds = kindSet(({ turnover }) => turnover === 'opens')
/** Their turnover amount is subtracted from what the member must bet. */
export const reducingKinds = kindSet(({ turnover }) => turnover === 'fills' || turnover === 'lifts')
/** Always many among the newest transfers. The others have an index of their own (transfers_rare_kinds). */
export const frequentKinds = textOf([TransferKind.send, TransferKind.receive, TransferKind.bet, TransferKind.win])
