import type { Answer, Input } from '@tallyroom/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useMemo } from 'react'
import { type CallError, call } from '../../api/call.ts'
import { groupCount } from '../../ui/form/amount-text.ts'
import { useWords } from '../../i18n/i18n.ts'

type Name = 'transaction/list' | 'redEnvelope/record'

export type HistoryFilter = Input<'transaction/list'>

/** HIST-04 */
const PER_PAGE = 1000
/** The server counts up to this number; beyond it the total is shown as "more than". */
const COUNTED = PER_PAGE

/** Loads 1,000 rows, then the next 1,000 on demand. By cursor, so that new transfers neither repeat nor hide rows. */
export const useOlderPages = <N extends Name>(name: N, filter: HistoryFilter) => {
  const query = useInfiniteQuery<Answer<N>, CallError, { pages: Answer<N>[] }, readonly unknown[], string | undefined>({
    queryKey: [name, filter, 'older'],
    queryFn: ({ pageParam, signal }) =>
      call(name, { ...filter, per_page: PER_PAGE, ...(pageParam ? { before: pageParam } : {}) } as Input<N>, signal),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  })
  const { data } = query
  const rows = useMemo(() => data?.pages.flatMap((page): Answer<N>['data'][number][] => page.data), [data])
  return { ...query, rows, total: data?.pages[0]?.total ?? 0 }
}

type Props = { shown: number; total: number; more: boolean; busy: boolean; onMore: () => void }

/** Number of loaded rows, and the button for older ones. */
export const LoadOlder = ({ shown, total, more, busy, onMore }: Props) => {
  const { t } = useWords()
  if (!more) return null
  const isMore = total > COUNTED
  return (
    <span className="server-pages">
      <span className="points">
        {isMore
          ? t('history.shown_of_more', { shown: groupCount(shown), total: groupCount(Math.max(COUNTED, shown)) })
          : t('history.shown', { shown: groupCount(shown), total: groupCount(total) })}
      </span>
      <Button size="small" loading={busy} onClick={onMore}>
        {t('history.load_more')}
      </Button>
    </span>
  )
}
