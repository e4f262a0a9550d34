import type { DeskChange, RoomChange, ServerEvents } from '@tallyroom/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { movesPoints } from '../../../chat/model/message-kinds.ts'
import { ring } from '../../../chat/model/sound.ts'
import { rooms } from '../../../chat/model/chat-session.ts'
import { throttle } from '../../../lib/throttle.ts'
import { onConnected, onEvent } from '../../../api/live.ts'
import { notify } from '../../../ui/overlay/message.tsx'
import { refresh } from '../../../api/use-call.ts'
import { t } from '../../../i18n/i18n.ts'
import { ownId } from '../state/filter.ts'

type LaterEvent = Parameters<ServerEvents['later']>[0]

/**
 * While the chat is open: refreshes members' balances for the points dialog and panel, and notifies this user of
 * handed-over rooms, of its snoozed ones that are back, of its reminders, and of texts that could not be sent.
 */
export const useOfficeChat = () => {
  const cache = useQueryClient()
  useEffect(() => {
    const { soon, stop } = throttle(() => void refresh(cache, ['member/view', 'member/flowLimit']))
    const moved = (change: RoomChange) => {
      if (movesPoints(change)) soon()
    }
    const handed = ({ room, asides }: DeskChange) => {
      const given = asides.find(
        ({ kind, target_id }) => (kind === 'handed' || kind === 'assigned' || kind === 'due') && target_id === ownId(),
      )
      if (!given) return
      // The list does not know a new member yet.
      const member = room.name
      notify.done(
        given.kind === 'handed'
          ? t('desk.handed_you', { name: given.nickname, member })
          : t(given.kind === 'due' ? 'desk.due_you' : 'desk.assigned_you', { member }),
      )
      ring()
    }
    // Points also move outside the chat: by bets, by transfers from lists, into the game wallet.
    const raised = ({ code, why }: LaterEvent) => {
      if (why === 'changed') return
      const member = rooms.summary(code)?.name ?? ''
      notify.done(t(why === 'reminder' ? 'later.remind_you' : 'later.unsent_you', { member }))
      ring()
    }
    const stops = [
      stop,
      onEvent('desk', handed),
      onEvent('later', raised),
      onEvent('room', moved),
      onEvent('member', soon),
      onConnected(soon),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [cache])
}
