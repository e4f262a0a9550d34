import { AccountStatus, RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'

/** Whether the room's member is frozen. use-office-chat.ts loads the answer again when that changes. */
const useFrozen = ({ type, member_id }: RoomSummary): boolean => {
  const member = useCall('member/view', { member_id }, { enabled: type === RoomType.member, meta: { optional: true } })
  return member.data?.status === AccountStatus.frozen
}

type Props = { room: RoomSummary }

/** The mark of a frozen member, in the room's header and in the panel. On a small header it is the icon only. */
export const FrozenMark = ({ room }: Props) => {
  const { t } = useWords()
  if (!useFrozen(room)) return null
  return (
    <span className="room-frozen chip chip-refused" data-tip={t('room.member_frozen', { name: room.name })}>
      <Icon name="close" size={12} />
      <span data-word>{t('status.frozen')}</span>
    </span>
  )
}

/** Above the composer: what is written now is read by nobody until the member is unfrozen. */
export const FrozenNotice = ({ room }: Props) => {
  const { t } = useWords()
  const isFrozen = useFrozen(room)
  // The region is there before its text: else a screen reader does not say it.
  return (
    <div className="room-frozen-notice" role="status">
      {isFrozen && (
        <p>
          <Icon name="alert" size={14} />
          <span>{t('room.member_frozen', { name: room.name })}</span>
        </p>
      )}
    </div>
  )
}
