import { RoomStatus, RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useNavigate } from '@tanstack/react-router'
import { rooms } from '../../../chat/model/chat-session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { useCall, useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import type { Tool } from '../page/tool.ts'

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

/** Gives a room to the bot, if the user's upline allows it. */
export const useBotTool = (room: RoomSummary): Tool[] => {
  const { t } = useWords()
  const own = useCall('user/view', {})
  const give = useSend('room/giveToBot')
  if (own.data?.chat_ai_bot_visible !== 1 || room.status === RoomStatus.ai || room.type !== RoomType.member) return []
  const press = () => give.mutate({ room_id: room.room_id }, { onError: (error) => notify.refused(error.message) })
  return [{ icon: 'bot', word: t('room.give_to_bot'), busy: give.isPending, command: 'bot', press }]
}
