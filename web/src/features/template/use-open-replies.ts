import type { Answer } from '@tallyroom/contract'
import { useEffect, useState } from 'react'
import type { Reply } from './replies.tsx'

type List = {
  data: Answer<'message-template/list'> | undefined
  refetch: (options: { cancelRefetch: boolean }) => Promise<unknown>
}

const none: readonly Reply[] = []

/**
 * The quick replies of a list that opens and closes. Opening loads them again: a colleague or another tab may have
 * changed them. What arrives while it is open moves nothing, as the next key is meant for what is seen: changed texts are
 * shown, new replies come last, and the marked one stays. The last used one moves to the top the next time.
 */
export const useOpenReplies = ({ data, refetch }: List, isOpen: boolean, marked: number | undefined) => {
  const [steady, setSteady] = useState<{ loaded: readonly Reply[]; replies: readonly Reply[] }>()
  useEffect(() => {
    if (isOpen) void refetch({ cancelRefetch: false })
  }, [isOpen, refetch])
  if (!isOpen && steady) setSteady(undefined)
  if (isOpen && data && steady?.loaded !== data.data)
    setSteady({ loaded: data.data, replies: steady ? inOrderOf(steady.replies, data.data, marked) : data.data })
  return steady?.replies ?? data?.data ?? none
}

const inOrderOf = (before: readonly Reply[], loaded: readonly Reply[], marked: number | undefined) => {
  const news = new Map(loaded.map((reply) => [reply.id, reply]))
  const kept = before.flatMap((reply) => {
    const now = news.get(reply.id) ?? (reply.id === marked ? reply : undefined)
    news.delete(reply.id)
    return now ? [now] : []
  })
  return [...kept, ...news.values()]
}
