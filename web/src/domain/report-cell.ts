import type { Input } from '@tallyroom/contract'

/** A cell of SR02, as the call for its transactions takes it. */
export type ReportCell = NonNullable<Input<'transaction/list'>['cell']>

const WHAT = ['points', 'bets'] as const
const BY = ['operator', 'branch', 'person', 'member'] as const
const WAYS = ['in', 'out'] as const

const one = <T extends string>(value: string | undefined, known: readonly T[]): T | undefined =>
  known.find((word) => word === value)
const idOf = (text = '') => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)

/** "points-branch-12-in-7" */
export const cellText = ({ what = 'points', by, id, way, under }: ReportCell): string =>
  [what, by, id, way ?? 'all', under ?? ''].join('-')

/** An address can hold anything; undefined when it is no cell. */
export const cellOf = (text = ''): ReportCell | undefined => {
  const [what, by, id, way, under] = text.split('-')
  const [known, of, its] = [one(what, WHAT), one(by, BY), idOf(id)]
  if (!known || !of || its === undefined) return undefined
  const [kind, above] = [one(way, WAYS), idOf(under)]
  return { what: known, by: of, id: its, ...(kind ? { way: kind } : {}), ...(above ? { under: above } : {}) }
}
