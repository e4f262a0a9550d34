import { MAX_REMARK } from '@tallyroom/contract/lengths'
import { Amount } from '../../ui/amount.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { notify } from '../../ui/overlay/message.tsx'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import type { TransferRow } from '../../domain/transfer-words.ts'

/** ENV-08: the remark is the only part of a transfer that can be changed. */
export const RemarkDialog = ({
  row,
  onClose,
}: {
  row: Pick<TransferRow, 'transaction_id' | 'remark' | 'member_nickname' | 'member_username' | 'amount'>
  onClose: () => void
}) => {
  const { t } = useWords()
  const edit = useSend('transaction/edit', { refreshes: ['transaction/list', 'transaction/view'] })
  const form = useForm({ remark: row.remark })
  const submit = form.submit(
    ({ remark }) => edit.mutateAsync({ transaction_id: row.transaction_id, remark: remark.trim() }),
    () => {
      notify.done(t('done.edited'))
      onClose()
    },
  )
  return (
    <FormDialog title={t('history.edit_remark')} act={t('action.save')} form={form} onSubmit={submit} onClose={onClose}>
      <p className="dialog-who">
        <bdi>{row.member_nickname || row.member_username}</bdi> <Amount value={row.amount} />
      </p>
      <TextField label={t('transfer.remark')} autoFocus maxLength={MAX_REMARK} showCount {...form.field('remark')} />
    </FormDialog>
  )
}
