import type { Answer, Input } from '@tallyroom/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { firstRows } from './first-calls.ts'
import { readRows } from './read-rows.ts'
import { keyOf, useCall } from './use-call.ts'

type Name = 'user/list'
type Filter = Omit<Input<Name>, 'page' | 'per_page'>
type Loaded = { data: Answer<Name>; isPart: boolean }

const allRows = (filter: Filter): Input<Name> => ({ ...filter, page: 1, per_page: 50_000 })

const options = { staleTime: 30_000, large: true }

/**
 * A list that may have 50,000 rows: asks for the first ones, and for the whole list if there are more. `isPart`: these are
 * only the first rows. `needsAll`: the first rows are of no use. Until an answer comes, the one for the previous filter is
 * shown.
 */
export const useLargeList = (filter: Filter, { needsAll }: { needsAll: boolean }) => {
  const cache = useQueryClient()
  const isLoaded = (input: Input<Name>) => cache.getQueryData(keyOf('user/list', input)) !== undefined
  const [few, all] = [firstRows(filter), allRows(filter)]
  const isAllLoaded = isLoaded(all)
  // A list that is complete in its first rows stays active, so that it is loaded again after a change.
  const first = useCall('user/list', few, { ...options, enabled: !isAllLoaded && (!needsAll || isLoaded(few)) })
  const hasMore = first.data !== undefined && first.data.total > first.data.data.length
  const wantsAll = isAllLoaded || hasMore || (needsAll && first.data === undefined)
  const whole = useCall('user/list', all, { ...options, enabled: wantsAll, read: readRows })

  const error = wantsAll ? whole.error : first.error
  const data = whole.data ?? first.data
  const before = useRef<Loaded>(undefined)
  const loaded: Loaded | undefined = data
    ? { data, isPart: whole.data === undefined && hasMore }
    : error
      ? undefined
      : before.current
  if (loaded) before.current = loaded
  return {
    data: loaded?.data,
    isPart: loaded?.isPart ?? false,
    error,
    isFetching: first.isFetching || whole.isFetching,
    refetch: () => void (wantsAll ? whole : first).refetch(),
  }
}
