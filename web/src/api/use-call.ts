import type { Answer, CallName, Contract, Input } from '@tallyroom/contract'
import { keepPreviousData, type QueryMeta, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { CallError, call, NO_ANSWER, newRequestId } from './call.ts'

type Reads = { [N in CallName]: Contract[N]['effect'] extends 'read' ? N : never }[CallName]
type Writes = Exclude<CallName, Reads>

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Part of a page that can do without it: a refusal of it does not lead to /forbidden. */
      aside?: boolean
    }
  }
}

type Reading = {
  enabled?: boolean
  /** Milliseconds for which an answer counts as fresh. */
  fresh?: number
  /** Shows the answer to the previous input until the new one is there. */
  keepOld?: boolean
  /** Tens of thousands of rows: comparing each with the one before would cost more than drawing what is seen. */
  bulky?: boolean
  meta?: QueryMeta
}

/** The key of a call's answer in the cache: the first part is the call's name, so that all its answers can be made stale. */
export const keyOf = <N extends CallName>(name: N, input: Input<N>) => [name, input] as const

export const useCall = <N extends Reads>(
  name: N,
  input: Input<N>,
  { enabled, fresh, keepOld, bulky, meta }: Reading = {},
) =>
  useQuery<Answer<N>, CallError>({
    queryKey: keyOf(name, input),
    queryFn: ({ signal }) => call(name, input, signal),
    ...(enabled === undefined ? {} : { enabled }),
    ...(fresh === undefined ? {} : { staleTime: fresh }),
    ...(keepOld ? { placeholderData: keepPreviousData } : {}),
    ...(bulky ? { structuralSharing: false } : {}),
    ...(meta ? { meta } : {}),
  })

/**
 * A write. When no answer came, the same again goes under the same request_id, so that it has its effect once;
 * anything else is a new request.
 */
export const useSend = <N extends Writes>(name: N, { refreshes = [] }: { refreshes?: Reads[] } = {}) => {
  const cache = useQueryClient()
  const open = useRef<{ id: string; body: string }>(undefined)
  return useMutation<Answer<N>, CallError, Input<N>>({
    mutationFn: async (input) => {
      const body = JSON.stringify(input)
      if (open.current?.body !== body) open.current = { id: newRequestId(), body }
      try {
        const answer = await call(name, { request_id: open.current.id, ...input })
        open.current = undefined
        return answer
      } catch (error) {
        if (error instanceof CallError && error.code !== NO_ANSWER) open.current = undefined
        throw error
      }
    },
    onSuccess: () => refresh(cache, refreshes),
  })
}

/** Marks answers as stale; the pages that show them ask again by themselves. */
export const refresh = async (cache: ReturnType<typeof useQueryClient>, names: readonly Reads[]) => {
  // Not awaited: what was sent is done, and a list that loads slowly must not hold its dialog open.
  for (const name of names) void cache.invalidateQueries({ queryKey: [name] })
}
