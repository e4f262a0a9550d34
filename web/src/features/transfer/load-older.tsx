import type { Answer, Input } from '@tallyroom/contract'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type CallError, call } from '../../api/call.ts'
import { Button } from '../../ui/control/button.tsx'
import { groupCount } from '../../ui/form/amount-text.ts'
import { useWords } from '../../i18n/i18n.ts'
import { type HistoryFilter, type HistoryName, type Page, type Pages, PER_PAGE, showFresh } from './history-pages.ts'
import { useLiveRows } from './use-live-rows.ts'

/** The server counts up to this number; beyond it the total is shown as "more than". */
const COUNTED = PER_PAGE

/**
 * Loads 1,000 rows, then the next 1,000 on demand. By cursor, so that new transfers neither repeat nor hide rows. `fresh`
 * is what was found since, for the button that shows it.
 */
export const useOlderPages = <N extends HistoryName>(name: N, filter: HistoryFilter) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const key = useMemo(() => [name, filter, 'older'], [name, filter])
  const query = useInfiniteQuery<Answer<N>, CallError, { pages: Answer<N>[] }, readonly unknown[], string | undefined>({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      call(name, { ...filter, per_page: PER_PAGE, ...(pageParam ? { before: pageParam } : {}) } as Input<N>, signal),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    // All pages again would move the rows under the reader: `useLiveRows` asks for what is new.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  useLiveRows(name, filter, key)
  const { data, refetch } = query
  const rows = useMemo(() => data?.pages.flatMap((page): Answer<N>['data'][number][] => page.data), [data])
  const { fresh = [], hasGap, total = 0 }: Partial<Page> = data?.pages[0] ?? {}
  const show = () => {
    if (hasGap) void refetch()
    else cache.setQueryData<Pages>(key, (now) => now && showFresh(now))
    void cache.invalidateQueries({ queryKey: ['transaction/totals'] })
  }
  const text = t('history.show_new', { n: fresh.length, count: groupCount(fresh.length) })
  return { ...query, rows, total, fresh: fresh.length > 0 ? { text, onShow: show } : undefined }
}

type Props = { list: ReturnType<typeof useOlderPages<HistoryName>> }

/** Number of loaded rows, and the button for older ones. */
export const LoadOlder = ({ list }: Props) => {
  const { t } = useWords()
  const { rows = [], total, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  if (!hasNextPage) return null
  const shown = rows.length
  const isMore = total > COUNTED
  return (
    <span className="server-pages">
      <span className="points">
        {isMore
          ? t('history.shown_of_more', { shown: groupCount(shown), total: groupCount(Math.max(COUNTED, shown)) })
          : t('history.shown', { shown: groupCount(shown), total: groupCount(total) })}
      </span>
      <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t('history.load_more')}
      </Button>
    </span>
  )
}
