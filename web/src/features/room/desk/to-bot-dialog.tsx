import type { RoomSummary } from '@tallyroom/contract/events'
import { Button } from 'antd'
import { useWords } from '../../../i18n/i18n.ts'
import { Dialog } from '../../../ui/overlay/dialog.tsx'

type Props = { room: RoomSummary; busy: boolean; onSettle: () => void; onClose: () => void }

/** Asks before a room is handed to the bot whose member waits for an answer that the bot will not give. */
export const ToBotDialog = ({ room, busy, onSettle, onClose }: Props) => {
  const { t } = useWords()
  return (
    <Dialog
      title={t('room.waits_title', { name: room.name })}
      onClose={onClose}
      onSubmit={busy ? () => {} : onSettle}
      buttons={
        <>
          <Button autoFocus onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="primary" htmlType="submit" loading={busy}>
            {t('room.settle_to_bot')}
          </Button>
        </>
      }
    >
      <p>{t('room.waits_what', { name: room.name })}</p>
    </Dialog>
  )
}
