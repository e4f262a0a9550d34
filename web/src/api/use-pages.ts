import type { Answer, Input } from '@tallyroom/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type CallError, call } from './call.ts'
import { keyOf } from './use-call.ts'

/** Lists that are read in pages by a cursor. */
type PagedName = 'approval/list' | 'bell/list' | 'change/list' | 'cash/list'
type Pages<N extends PagedName> = { pages: Answer<N>[]; pageParams: (number | undefined)[] }

/** The first page of a list, and the next ones on demand. Until the rows of a new input are there, the old ones stay. */
export const usePages = <N extends PagedName>(name: N, input: Input<N>) => {
  const query = useInfiniteQuery<Answer<N>, CallError, Pages<N>, readonly unknown[], number | undefined>({
    queryKey: [...keyOf(name, input), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(name, (pageParam === undefined ? input : { ...input, after: pageParam }) as Input<N>, signal),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })
  const rows = query.data?.pages.flatMap((page): Answer<N>['data'][number][] => page.data) ?? []
  return { ...query, rows }
}
