import type { RoomChange } from '@tallyroom/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isPoints } from '../../chat/kinds.ts'
import { hearGestures } from '../../chat/sound.ts'
import { connected, heard } from '../../live.ts'
import { refresh } from '../../use-call.ts'

/** While the chat is open: its sound, and what the points dialog shows of a member's balance. */
export const useOfficeTalk = () => {
  const cache = useQueryClient()
  useEffect(() => {
    const stale = () => void refresh(cache, ['member/view'])
    const moved = (change: RoomChange) => {
      if (change.messages.some((message) => isPoints(message.type))) stale()
    }
    const stops = [hearGestures(), heard('room', moved), connected(stale)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [cache])
}
