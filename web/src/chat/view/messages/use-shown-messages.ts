import type { Aside } from '@tallyroom/contract/events'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { past, mergeLive } from '../../model/rooms/history-window.ts'
import type { RoomState } from '../../model/rooms/room-state.ts'

/**
 * The history window around a message (`at`), while it is shown instead of the room's end. `over` is called when the user
 * goes on to the end. The message stays marked.
 */
export const useHistoryWindow = (
  code: string,
  at: number | undefined,
  live: RoomState | undefined,
  liveAsides: readonly Aside[],
  over?: () => void,
) => {
  const known = useSyncExternalStore(
    useCallback((listener) => past.subscribe(code, listener), [code]),
    () => past.of(code),
  )
  const [mark, setMark] = useState(at)
  useEffect(() => {
    if (at === undefined) return
    setMark(at)
    void past.show(code, at)
    return () => past.close(code)
  }, [code, at])
  const now = useMemo(() => (known ? mergeLive(known, live, liveAsides) : undefined), [known, live, liveAsides])
  const onLatest = useCallback(() => {
    past.close(code)
    over?.()
  }, [code, over])
  const onNewer = useCallback(() => void past.newer(code), [code])
  const onOlder = useCallback(() => void past.older(code), [code])
  return { mark, shown: known && now ? { ...known, ...now, onLatest, onNewer, onOlder } : undefined }
}
