import type { Answer, Input } from '@tallyroom/contract'
import { statementScopes } from '@tallyroom/contract/statement'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type CallError, call } from '../../api/call.ts'
import type { FilterValues } from '../../ui/filter-bar/fields.ts'
import { daysOfPeriod, daysOfPreset } from '../../ui/form/range.ts'

export type StatementInput = Input<'statement/view'>
export type StatementHead = Answer<'statement/view'>
export type Line = Answer<'statement/lines'>['data'][number]

const PER_PAGE = 1000

/** What the address asks for; undefined until those who have no statement of their own have chosen an account. */
export const inputOf = (values: FilterValues, hasOwn: boolean): StatementInput | undefined => {
  const { username = '', id = '', scope = '', wallet = '', by = '', time = '' } = values
  const { start, end } = daysOfPeriod(time) ?? daysOfPreset('month')
  const isId = /^[1-9]\d{0,8}$/.test(id)
  if (username === '' && !isId && !hasOwn) return undefined
  const of = username === '' && isId ? { id: Number(id) } : {}
  return {
    ...of,
    username,
    scope: statementScopes.find((name) => name === scope) ?? 'own',
    wallet: ([0, 1, 2, 3] as const).find((kind) => String(kind) === wallet) ?? 0,
    start_date: start,
    end_date: end,
    by,
  }
}

/** The movements, 1,000 at a time. */
export const useLines = (input: StatementInput | undefined) => {
  const query = useInfiniteQuery<
    Answer<'statement/lines'>,
    CallError,
    { pages: Answer<'statement/lines'>[] },
    readonly unknown[],
    string | undefined
  >({
    queryKey: ['statement/lines', input],
    queryFn: ({ pageParam, signal }) =>
      call(
        'statement/lines',
        { ...(input as StatementInput), per_page: PER_PAGE, ...(pageParam ? { after: pageParam } : {}) },
        signal,
      ),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    enabled: input !== undefined,
  })
  const { data } = query
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data), [data])
  return { ...query, rows }
}
