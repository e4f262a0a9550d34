import type { RoomChange } from '@tallyroom/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onConnected, onEvent } from '../../../api/live.ts'
import { refresh, useCall } from '../../../api/use-call.ts'
import { throttle } from '../../../lib/throttle.ts'

/** Loads the queue again whenever a card in one of the user's rooms has changed. */
export const useLiveCashRequests = (enabled = true) => {
  const cache = useQueryClient()
  useEffect(() => {
    if (!enabled) return
    const { soon, stop } = throttle(() => void refresh(cache, ['cash/open', 'cash/list', 'cash/day']))
    const changed = ({ messages }: RoomChange) => {
      if (messages.some(({ cash }) => cash)) soon()
    }
    const stops = [stop, onEvent('room', changed), onConnected(soon)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [cache, enabled])
}

/** How many requests nobody has taken: the number beside the menu's entry. */
export const useOpenCashRequests = (enabled: boolean): number => {
  useLiveCashRequests(enabled)
  const open = useCall('cash/open', {}, { enabled, meta: { optional: true } })
  return open.data?.asked ?? 0
}
