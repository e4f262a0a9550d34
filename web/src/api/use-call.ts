import type { Answer, CallName, Contract, Input } from '@tallyroom/contract'
import { keepPreviousData, type QueryMeta, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type CallError, call, type Reader } from './call.ts'
import { useOnce } from './use-once.ts'

type Reads = { [N in CallName]: Contract[N]['effect'] extends 'read' ? N : never }[CallName]
type Writes = Exclude<CallName, Reads>

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The page works without this answer: a refusal does not lead to /forbidden. */
      optional?: boolean
    }
  }
}

type CallOptions = {
  enabled?: boolean
  /** Milliseconds for which an answer is not loaded again. */
  staleTime?: number
  /** Shows the answer for the previous input until the new one has arrived. */
  keepPrevious?: boolean
  /** Skips the comparison with the previous answer, which for tens of thousands of rows costs more than rendering. */
  large?: boolean
  /** How the answer is read, if not as one piece of JSON. */
  read?: Reader
  meta?: QueryMeta
}

/** Cache key of an answer. It starts with the call's name, so that all answers of a call can be invalidated. */
export const keyOf = <N extends CallName>(name: N, input: Input<N>) => [name, input] as const

export const useCall = <N extends Reads>(
  name: N,
  input: Input<N>,
  { enabled, staleTime, keepPrevious, large, read, meta }: CallOptions = {},
) =>
  useQuery<Answer<N>, CallError>({
    queryKey: keyOf(name, input),
    queryFn: ({ signal }) => call(name, input, signal, read),
    ...(enabled === undefined ? {} : { enabled }),
    ...(staleTime === undefined ? {} : { staleTime }),
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(large ? { structuralSharing: false } : {}),
    ...(meta ? { meta } : {}),
  })

/** A write, with its `request_id`. */
export const useSend = <N extends Writes>(name: N, { refreshes = [] }: { refreshes?: Reads[] } = {}) => {
  const cache = useQueryClient()
  const once = useOnce()
  return useMutation<Answer<N>, CallError, Input<N>>({
    mutationFn: (input) => once(input, (request_id) => call(name, { request_id, ...input })),
    onSuccess: () => refresh(cache, refreshes),
  })
}

/** Invalidates answers; the pages that show them load them again. */
export const refresh = async (cache: ReturnType<typeof useQueryClient>, names: readonly Reads[]) => {
  // Not awaited: a slow list must not keep the dialog open after the write has succeeded.
  for (const name of names) void cache.invalidateQueries({ queryKey: [name] })
}
