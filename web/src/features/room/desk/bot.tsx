import { RoomStatus, RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { rooms } from '../../../chat/model/chat-session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { refusedBy } from '../../../api/call.ts'
import { useCall, useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import type { Tool } from '../state/tool.ts'

const ConfirmDialog = lazyPart(async () => (await import('../../../ui/overlay/confirm-dialog.tsx')).ConfirmDialog)

/** Shown in an AI room instead of the composer: takes the room over and opens the conversation (ROOM-09). */
export const RecoverBar = ({ room }: { room: RoomSummary }) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const recover = useSend('room/recover')
  const after = async () => {
    await rooms.sync(room.code)
    await navigate({
      to: '/chat/messaging/$room_id/$member_id/$room_code',
      params: { room_id: String(room.room_id), member_id: String(room.member_id), room_code: room.code },
    })
  }
  const press = () =>
    recover.mutate(
      { room_id: room.room_id },
      {
        onError: (error) => notify.refused(error.message),
        // A colleague was quicker, or the answer was lost: the room's current status decides.
        onSettled: () => void after(),
      },
    )
  return (
    <div className="c-composer room-recover">
      <Icon name="bot" />
      <span>{t('room.recover_hint')}</span>
      <button type="button" className="button button-main" disabled={recover.isPending} onClick={press}>
        {t('room.recover')}
      </button>
    </div>
  )
}

/**
 * Gives a room to the bot, if the user's upline allows it. The server refuses while the member waits for an answer that
 * the bot will not give; then the user decides.
 */
export const useBotTool = (room: RoomSummary): { tools: Tool[]; dialog: ReactNode } => {
  const { t } = useWords()
  const own = useCall('user/view', {})
  const give = useSend('room/giveToBot')
  const [isAsking, setAsking] = useState(false)
  const canGive = own.data?.chat_ai_bot_visible === 1 && room.status !== RoomStatus.ai && room.type === RoomType.member
  // A colleague has handed it over meanwhile: the question must not come back with the room.
  if (!canGive && isAsking) setAsking(false)
  if (!canGive) return { tools: [], dialog: null }
  const { room_id } = room
  const close = () => setAsking(false)
  const onError = (error: Error) =>
    refusedBy('room/giveToBot', error, 'room.still_waits') ? setAsking(true) : notify.refused(error.message)
  const press = () => give.mutate({ room_id }, { onError })
  const settle = () =>
    give.mutate({ room_id, settle: 1 }, { onError: (error) => notify.refused(error.message), onSettled: close })
  return {
    tools: [{ icon: 'bot', word: t('room.give_to_bot'), busy: give.isPending, command: 'bot', press }],
    dialog: (
      <Suspense>
        {isAsking && (
          <ConfirmDialog
            title={t('room.waits_title', { name: room.name })}
            act={t('room.settle_to_bot')}
            isBusy={give.isPending}
            onConfirm={settle}
            onClose={close}
          >
            <p>{t('room.waits_what', { name: room.name })}</p>
          </ConfirmDialog>
        )}
      </Suspense>
    ),
  }
}
