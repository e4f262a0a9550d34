import { Button } from 'antd'
import { useWords } from '../../i18n/i18n.ts'
import { Dialog } from './dialog.tsx'

/** Asks whether the changes of a page may be lost. */
export const DiscardDialog = ({ onDiscard, onClose }: { onDiscard: () => void; onClose: () => void }) => {
  const { t } = useWords()
  return (
    <Dialog
      title={t('dialog.discard_title')}
      onClose={onClose}
      onSubmit={onDiscard}
      buttons={
        <>
          <Button autoFocus onClick={onClose}>
            {t('dialog.keep_editing')}
          </Button>
          <Button type="primary" danger htmlType="submit">
            {t('dialog.discard')}
          </Button>
        </>
      }
    >
      <p>{t('dialog.not_saved')}</p>
    </Dialog>
  )
}
