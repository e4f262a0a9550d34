import type { Answer } from '@tallyroom/contract'
import { Button } from 'antd'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'

type Row = Answer<'message-template/list'>['data'][number]

export const DeleteDialog = ({ row, onClose }: { row: Row; onClose: () => void }) => {
  const { t } = useWords()
  const remove = useSend('message-template/delete', { refreshes: ['message-template/list'] })
  const submit = () => {
    if (remove.isPending) return
    remove.mutate(
      { targetID: row.id },
      {
        onSuccess: () => {
          notify.done(t('template.deleted'))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      title={t('template.confirm_delete')}
      onClose={onClose}
      onSubmit={submit}
      buttons={
        <>
          <Button autoFocus onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="primary" danger htmlType="submit" loading={remove.isPending}>
            {t('action.delete')}
          </Button>
        </>
      }
    >
      {remove.error && <Alert text={remove.error.message} />}
      <p className="read-only">
        <bdi>{row.title}</bdi>
      </p>
    </Dialog>
  )
}
