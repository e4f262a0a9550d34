import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { onConnected, onEvent } from '../../api/live.ts'
import { refresh, useCall } from '../../api/use-call.ts'
import { whenIdle } from '../../lib/schedule.ts'
import { makeSharedValue } from '../../lib/shared-value.ts'
import { throttle } from '../../lib/throttle.ts'

const isOpen = makeSharedValue(false)

/** Opens the bell over any page (app/routes.tsx). */
export const openBell = () => isOpen.set(true)
export const closeBell = () => isOpen.set(false)
export const useBellOpen = isOpen.use

/** BELL-02: how many items of the bell are unread, live. The first page does not wait for it. */
export const useUnreadBell = (): number => {
  const cache = useQueryClient()
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => whenIdle(() => setIsIdle(true)), [])
  useEffect(() => {
    const { soon, stop } = throttle(() => void refresh(cache, ['bell/open', 'bell/list']))
    const stops = [stop, onEvent('bell', soon), onConnected(soon)]
    return () => {
      for (const one of stops) one()
    }
  }, [cache])
  return useCall('bell/open', {}, { enabled: isIdle, meta: { optional: true } }).data?.unread ?? 0
}
