import type { Answer } from '@tallyroom/contract'
import { isLoad } from '@tallyroom/contract/desk/load'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onConnected, onEvent } from '../../api/live.ts'
import { refresh, useCall } from '../../api/use-call.ts'
import { throttle } from '../../lib/throttle.ts'
import { getStored } from '../../lib/storage.ts'
import { useIdleMenu } from './tabs.tsx'
import { useNow, useRooms } from './use-chat.ts'

export type ListedColleague = Answer<'desk/colleagues'>['data'][number]

/** DESK-01: the colleagues of the group with what each is now, live. */
export const useColleagues = (enabled = true) => {
  const cache = useQueryClient()
  const answer = useCall('desk/colleagues', {}, { enabled, meta: { optional: true } })
  useEffect(() => {
    if (!enabled) return
    const { soon, stop } = throttle(() => void refresh(cache, ['desk/colleagues']))
    const stops = [stop, onEvent('colleagues', soon), onConnected(soon)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [cache, enabled])
  return answer
}

/** The own row among them with the group's rules; undefined before it is known, and without conversations. The first page does not wait for it. */
export const useOwnState = ():
  | (ListedColleague & Pick<Answer<'desk/colleagues'>, 'capacity' | 'answer_s'>)
  | undefined => {
  const { has } = useIdleMenu()
  const own = Number(getStored('user_id') ?? 0)
  const { data } = useColleagues(has('/chat'))
  const found = data?.data.find(({ id }) => id === own)
  return found && data && { ...found, capacity: data.capacity, answer_s: data.answer_s }
}

/** How many conversations are work for each colleague at this moment, as the rooms on this page say. */
export const useLoads = (): ((id: number) => number) => {
  const { list } = useRooms(1)
  const now = useNow(true)
  return (id) => list.filter((room) => room.owner_id === id && isLoad(room, now)).length
}
