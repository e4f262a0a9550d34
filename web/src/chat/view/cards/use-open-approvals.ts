import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onConnected, onEvent } from '../../../api/live.ts'
import { refresh, useCall } from '../../../api/use-call.ts'
import { throttle } from '../../../lib/throttle.ts'

/** Loads what waits again when something was decided, or a wallet or conversation has changed that an approval shows. */
export const useLiveApprovals = () => {
  const cache = useQueryClient()
  useEffect(() => {
    const { soon, stop } = throttle(() => void refresh(cache, ['approval/open', 'approval/list', 'change/list']))
    const stops = [stop, onEvent('approval', soon), onEvent('account', soon), onEvent('room', soon), onConnected(soon)]
    return () => {
      for (const one of stops) one()
    }
  }, [cache])
}

/** How many transfers wait for the user's decision: the number beside the menu's entry. */
export const useOpenApprovals = (enabled: boolean): number => {
  const cache = useQueryClient()
  useEffect(() => {
    if (!enabled) return
    const again = () => void refresh(cache, ['approval/open'])
    const stops = [onEvent('approval', again), onConnected(again)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [cache, enabled])
  return useCall('approval/open', {}, { enabled, meta: { optional: true } }).data?.open ?? 0
}
