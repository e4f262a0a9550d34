import type { Answer, Input } from '@tallyroom/contract'
import { TransferStatus } from '@tallyroom/contract/codes'

/** The two lists of the log. */
export type HistoryName = 'transaction/list' | 'redEnvelope/record'
export type HistoryFilter = Input<'transaction/list'>
export type HistoryRow = Answer<HistoryName>['data'][number]

/** HIST-04 */
export const PER_PAGE = 1000

/** An answer; the first one also holds what was found since: not shown until the user asks for it. */
export type Page = Omit<Answer<HistoryName>, 'data'> & {
  data: HistoryRow[]
  fresh?: HistoryRow[]
  /** There is more between the fresh rows and the others. */
  hasGap?: boolean
}
export type Pages = { pages: Page[]; pageParams: (string | undefined)[] }

export const shownRows = ({ pages }: Pages): HistoryRow[] => pages.flatMap((page): HistoryRow[] => page.data)
export const freshRows = ({ pages }: Pages): HistoryRow[] => pages[0]?.fresh ?? []
export const isWaiting = ({ status }: HistoryRow) => status === TransferStatus.pending

const withFirst = (all: Pages, update: (first: Page) => Page): Pages => ({
  ...all,
  pages: all.pages.map((page, at) => (at === 0 ? update(page) : page)),
})

/** Keeps the rows of a later answer that the list does not have. An empty list shows them: nothing can move. */
export const addFresh = (all: Pages, { data, next }: Page): Pages => {
  const known = new Set([...shownRows(all), ...freshRows(all)].map((row) => row.transaction_id))
  const found = data.filter((row) => !known.has(row.transaction_id))
  if (found.length === 0) return all
  const added = withFirst(all, (first) => ({
    ...first,
    fresh: [...found, ...(first.fresh ?? [])],
    hasGap: first.hasGap === true || next !== null,
  }))
  return shownRows(all).length > 0 ? added : showFresh(added)
}

/** Puts the fresh rows where they belong: above, but for one that only now counts in a report. */
export const showFresh = (all: Pages): Pages =>
  withFirst(all, ({ fresh = [], hasGap: _, ...first }) => ({
    ...first,
    data: [...fresh, ...first.data].toSorted((a, b) =>
      a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0,
    ),
    total: first.total + fresh.length,
  }))

/** Replaces rows by what they have become, without moving any. */
export const updateRows = (all: Pages, changed: readonly HistoryRow[]): Pages => {
  const byId = new Map(changed.map((row) => [row.transaction_id, row]))
  const updated = (rows: readonly HistoryRow[]) => rows.map((row) => byId.get(row.transaction_id) ?? row)
  return {
    ...all,
    pages: all.pages.map((page) => ({
      ...page,
      data: updated(page.data),
      ...(page.fresh ? { fresh: updated(page.fresh) } : {}),
    })),
  }
}
