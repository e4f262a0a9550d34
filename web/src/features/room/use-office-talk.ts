import type { DeskChange, RoomChange } from '@tallyroom/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isPoints } from '../../chat/kinds.ts'
import { ring } from '../../chat/sound.ts'
import { rooms } from '../../chat/talk.ts'
import { gather } from '../../gather.ts'
import { connected, heard } from '../../live.ts'
import { notify } from '../../ui/message.tsx'
import { refresh } from '../../use-call.ts'
import { t } from '../../words.ts'
import { ownId } from './filter.ts'

/** While the chat is open: what the points dialog shows of a member's balance. */
export const useOfficeTalk = () => {
  const cache = useQueryClient()
  useEffect(() => {
    const { soon, stop } = gather(() => void refresh(cache, ['member/view', 'member/flowLimit']))
    const moved = (change: RoomChange) => {
      if (change.messages.some((message) => isPoints(message.type))) soon()
    }
    const handed = ({ code, asides }: DeskChange) => {
      const given = asides.find(({ kind, target_id }) => kind === 'handed' && target_id === ownId())
      if (!given) return
      const member = rooms.summary(code)?.name ?? ''
      notify.done(t('desk.handed_you', { name: given.nickname, member }))
      ring()
    }
    // Points move outside of the talk too: by bets, by transfers from lists, into the game wallet.
    const stops = [stop, heard('desk', handed), heard('room', moved), heard('member', soon), connected(soon)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [cache])
}
