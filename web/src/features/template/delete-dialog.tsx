import type { Answer } from '@tallyroom/contract'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { notify } from '../../ui/overlay/message.tsx'

type Row = Answer<'message-template/list'>['data'][number]

export const DeleteDialog = ({ row, onClose }: { row: Row; onClose: () => void }) => {
  const { t } = useWords()
  const remove = useSend('message-template/delete', { refreshes: ['message-template/list'] })
  const onSuccess = () => {
    notify.done(t('template.deleted'))
    onClose()
  }
  return (
    <ConfirmDialog
      title={t('template.confirm_delete')}
      act={t('action.delete')}
      danger
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ targetID: row.id }, { onSuccess })}
      onClose={onClose}
    >
      <p className="read-only">
        <bdi>{row.title}</bdi>
      </p>
    </ConfirmDialog>
  )
}
